#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

const std::vector<Condition> WhenTensor = {{"strategy.name", {"tensor"}}};
const std::vector<Condition> WhenGrid = {{"strategy.name", {"grid"}}};

} // namespace

std::vector<Parameter> tensorParameters()
{
    return {
        {.name = "tensor.size",
            .fills = &TensorSettings::size,
            .group = LS_TR("Parameters", "Tensor"),
            .label = LS_TR("Parameters", "Parts per layer"),
            .help = LS_TR("Parameters",
                "Number of ranks that share each layer: one layer is split by outputs, the next by inputs, attention "
                "by heads."),
            .unit = LS_TR("Parameters", "ranks"),
            .type = Type::Integer,
            .range = {1, 64},
            .standard = std::int64_t{2},
            .appliesWhen = WhenTensor,
            .mustAgree = true},
    };
}

std::vector<Parameter> gridParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Grid");
    return {
        {.name = "grid.data",
            .fills = &GridSettings::data,
            .group = Group,
            .label = LS_TR("Parameters", "Copies of the net"),
            .help = LS_TR("Parameters", "Each copy processes part of every batch (data parallel)."),
            .unit = LS_TR("Parameters", "copies"),
            .type = Type::Integer,
            .range = {1, 64},
            .standard = std::int64_t{2},
            .appliesWhen = WhenGrid,
            .mustAgree = true},
        {.name = "grid.pipeline",
            .fills = &GridSettings::pipeline,
            .group = Group,
            .label = LS_TR("Parameters", "Stages per copy"),
            .help = LS_TR("Parameters", "Number of parts that each copy is split into by layers (pipeline parallel)."),
            .unit = LS_TR("Parameters", "stages"),
            .type = Type::Integer,
            .range = {1, 64},
            .standard = std::int64_t{2},
            .appliesWhen = WhenGrid,
            .mustAgree = true},
        {.name = "grid.tensor",
            .fills = &GridSettings::tensor,
            .group = Group,
            .label = LS_TR("Parameters", "Parts per layer of a copy"),
            .help = LS_TR("Parameters", "Number of ranks that share each layer of a stage (tensor parallel)."),
            .unit = LS_TR("Parameters", "ranks"),
            .type = Type::Integer,
            .range = {1, 64},
            .standard = std::int64_t{1},
            .appliesWhen = WhenGrid,
            .mustAgree = true},
        {.name = "grid.zero",
            .fills = &GridSettings::isZero,
            .group = Group,
            .label = LS_TR("Parameters", "Shard the optimizer state"),
            .help = LS_TR("Parameters", "Each copy keeps only its part of the optimizer state (ZeRO-1)."),
            .type = Type::Boolean,
            .standard = false,
            .appliesWhen = WhenGrid,
            .mustAgree = true},
    };
}

} // namespace lockstep::experiment
