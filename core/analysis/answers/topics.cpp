#include "analysis/answers/topics.h"

#include "analysis/answers/answers.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

const std::vector<Topic>& topics()
{
    using enum Asks;
    static const std::vector<Topic> All{
        {"optimizers", WhichLearnsBest,
            {"optimizers.fewest_steps", "optimizers.fewest_steps_tied", "optimizers.fastest",
                "optimizers.fastest_tied"}},
        {"schedules", WhatASettingChanges},
        {"aggregation", WhatItCosts},
        {"backends", WhatPartIsCommunication, {"aggregation.fastest"}},
        {"bucketing", WhatTimeItSaves, {"aggregation.overlap"}},
        {"mixed-precision", WhetherItSaves},
        {"offload", WhatItSaves},
        {"sharding", WhatItSaves},
        {"model-parallel", WhatACutCosts},
        {"partitioning", WhatItLoses, {"partitioning.skew"}},
        {ScalingExperiment, WhatItGains, // strong scaling, then weak
            {"scaling.speed_up", "scaling.time", "scaling.speed_up"}},
        {"collectives", Nothing, {"collectives.times", "collectives.fastest", "collectives.theory"}},
        {"gpt", WhatSizeGains, {"optimizers.fastest", "optimizers.fastest_tied"}},
    };
    return All;
}

} // namespace

const Topic& topicOf(std::string_view experiment)
{
    static const Topic Other{};
    const auto found = std::ranges::find(topics(), experiment, &Topic::experiment);
    return found == topics().end() ? Other : *found;
}

} // namespace lockstep::analysis
