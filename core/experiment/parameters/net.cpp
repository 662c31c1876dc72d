#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

std::vector<Parameter> netParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Net");
    return {
        {.name = "net.name",
            .group = Group,
            .label = LS_TR("Parameters", "Net"),
            .help = LS_TR("Parameters", "The model that is trained."),
            .type = Type::Choice,
            .choices = {{"logistic", LS_TR("Parameters", "Logistic regression"),
                            LS_TR("Parameters", "One linear layer: the simplest classifier.")},
                {"mlp", LS_TR("Parameters", "MLP"), LS_TR("Parameters", "Two linear layers with a ReLU between them.")},
                {"cnn", LS_TR("Parameters", "CNN"),
                    LS_TR("Parameters", "Two convolutions, pooling and two linear layers: slower, more accurate.")}},
            .standard = std::string("mlp")},
        {.name = "net.hidden",
            .group = Group,
            .label = LS_TR("Parameters", "Hidden units"),
            .help = LS_TR("Parameters", "Width of the MLP's hidden layer."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 65'536},
            .standard = std::int64_t{128},
            .appliesWhen = {{"net.name", {"mlp"}}}},
    };
}

} // namespace lockstep::experiment
