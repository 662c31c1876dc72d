#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

std::vector<Parameter> zeroParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Sharding");
    return {
        {.name = "zero.stage",
            .fills = &ZeroSettings::stage,
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
            .fills = &ZeroSettings::prefetches,
            .group = Group,
            .label = LS_TR("Parameters", "Prefetch"),
            .help = LS_TR("Parameters", "Fetches the next layer's parameters while the current layer computes."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = true,
            .appliesWhen = {{"strategy.name", {"zero"}}, {"zero.stage", {"3"}}}},
        {.name = "zero.offload",
            .fills = &ZeroSettings::offload,
            .group = Group,
            .label = LS_TR("Parameters", "Offload"),
            .help = LS_TR("Parameters", "Where each rank keeps and updates its part of the optimizer state."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices
            = {{"none", LS_TR("Parameters", "None"), LS_TR("Parameters", "In the memory that the net computes in.")},
                {"host", LS_TR("Parameters", "Host memory"),
                    LS_TR("Parameters", "For ranks on a GPU: the CPU updates the weights, chunk by chunk.")},
                {"disk", LS_TR("Parameters", "Disk"),
                    LS_TR("Parameters",
                        "In a temporary file: chunks are read, updated and written in every step. Slow, but the state "
                        "needs almost no memory.")}},
            .standard = std::string("none"),
            .appliesWhen = {{"strategy.name", {"zero"}}}},
        {.name = "zero.offload_path",
            .fills = &ZeroSettings::offloadPath,
            .group = Group,
            .label = LS_TR("Parameters", "Offload folder"),
            .help = LS_TR("Parameters",
                "Folder of the temporary file, on a fast disk; empty means the system's folder for temporary files."),
            .type = Type::Text,
            .level = Level::Advanced,
            .standard = std::string(),
            .appliesWhen = {{"strategy.name", {"zero"}}, {"zero.offload", {"disk"}}}},
    };
}

} // namespace lockstep::experiment
