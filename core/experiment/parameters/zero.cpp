#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

std::vector<Parameter> zeroParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Sharding");
    return {
        {.name = "zero.stage",
            .group = Group,
            .label = LS_TR("Parameters", "ZeRO stage"),
            .help = LS_TR(
                "Parameters", "What is sharded: 1 the optimizer state, 2 also the gradients, 3 also the parameters."),
            .type = Type::Integer,
            .range = {1, 3},
            .standard = std::int64_t{1},
            .appliesWhen = {{"strategy.name", {"zero"}}},
            .mustAgree = true},
        {.name = "zero.prefetch",
            .group = Group,
            .label = LS_TR("Parameters", "Prefetch"),
            .help = LS_TR("Parameters", "Fetches the next layer's parameters while the current layer computes."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = true,
            .appliesWhen = {{"strategy.name", {"zero"}}, {"zero.stage", {"3"}}}},
    };
}

} // namespace lockstep::experiment
