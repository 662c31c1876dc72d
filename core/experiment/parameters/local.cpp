#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

std::vector<Parameter> localParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Local SGD");
    const std::vector<Condition> whenLocal = {{"strategy.name", {"local"}}};
    return {
        {.name = "local.every",
            .fills = &LocalSettings::every,
            .group = Group,
            .label = LS_TR("Parameters", "Synchronize every"),
            .help = LS_TR("Parameters",
                "Steps that each rank trains independently before the ranks synchronize; 0 means a whole epoch."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .range = {0, 1'000'000},
            .standard = std::int64_t{10},
            .zero = LS_TR("ZeroTexts", "an epoch"),
            .appliesWhen = whenLocal,
            .mustAgree = true},
        {.name = "local.what",
            .fills = &LocalSettings::what,
            .group = Group,
            .label = LS_TR("Parameters", "What is sent"),
            .help = LS_TR("Parameters", "What the ranks aggregate when they synchronize."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"weights", LS_TR("Parameters", "Weights"), LS_TR("Parameters", "Each rank's weights.")},
                {"differences", LS_TR("Parameters", "Differences"),
                    LS_TR("Parameters",
                        "The weights after the last synchronization minus each rank's current weights, as in "
                        "DiLoCo.")}},
            .standard = std::string("weights"),
            .appliesWhen = whenLocal,
            .mustAgree = true},
        {.name = "local.outer_lr",
            .fills = &LocalSettings::outerLr,
            .group = Group,
            .label = LS_TR("Parameters", "Outer learning rate"),
            .help = LS_TR("Parameters",
                "Step size of the outer optimizer along the ranks' mean difference; 1 without momentum gives the mean "
                "of "
                "their weights."),
            .type = Type::Real,
            .range = {0.0, 1000.0, true},
            .standard = 1.0,
            .appliesWhen = whenLocal,
            .mustAgree = true},
        {.name = "local.outer_momentum",
            .fills = &LocalSettings::outerMomentum,
            .group = Group,
            .label = LS_TR("Parameters", "Outer momentum"),
            .help = LS_TR("Parameters",
                "Nesterov momentum of the outer optimizer; 0 means none. DiLoCo uses 0.9 with an outer learning rate "
                "of 0.7."),
            .type = Type::Real,
            .range = {0.0, 1.0, false, true},
            .standard = 0.0,
            .appliesWhen = whenLocal,
            .mustAgree = true},
    };
}

} // namespace lockstep::experiment
