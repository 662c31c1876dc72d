#include "engine/strategy/registry.h"

#include "engine/strategy/data/async_parallel.h"
#include "engine/strategy/data/data_parallel.h"
#include "engine/strategy/local/local_sgd.h"
#include "engine/strategy/model_parallel/grid_parallel.h"
#include "engine/strategy/single/single.h"
#include "engine/strategy/zero/zero.h"
#include "experiment/choices.h"

#include <algorithm>
#include <array>

namespace lockstep::engine {

namespace {

struct StrategyRow {
    std::string_view name;
    Result<std::unique_ptr<Strategy>> (*make)(const StrategyContext& context);
};

Result<std::unique_ptr<Strategy>> makeData(const StrategyContext& context)
{
    if (is(context.run, experiment::Algorithm::ParameterServerAsync)) {
        return makeAsyncParallel(context);
    }
    return experiment::trainsLocally(context.run) ? makeLocalSgd(context) : makeDataParallel(context);
}

constexpr std::array Strategies{
    StrategyRow{"single", makeSingle},
    StrategyRow{"data", makeData},
    StrategyRow{"local", makeLocalSgd},
    StrategyRow{"pipeline", makeGrid},
    StrategyRow{"tensor", makeGrid},
    StrategyRow{"grid", makeGrid},
    StrategyRow{"zero", makeZero},
};

} // namespace

std::vector<std::string_view> strategyNames()
{
    std::vector<std::string_view> names;
    for (const StrategyRow& row : Strategies) {
        names.push_back(row.name);
    }
    names.push_back("collectives"); // trains nothing: run/measure.h
    return names;
}

Result<std::unique_ptr<Strategy>> makeStrategy(const StrategyContext& context)
{
    const std::string name(nameOf(context.run.settings->rank.strategy));
    const auto row = std::find_if(
        Strategies.begin(), Strategies.end(), [&](const StrategyRow& each) { return each.name == name; });
    if (row == Strategies.end()) {
        return refusal(nameOf(&experiment::RankSettings::strategy),
            LS_TR("Messages", "%1 is not a strategy that trains"), {verbatim(name)});
    }
    return row->make(context);
}

} // namespace lockstep::engine
