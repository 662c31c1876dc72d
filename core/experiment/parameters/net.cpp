#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

std::vector<Condition> whenGpt()
{
    return {{"net.name", {"gpt"}}};
}

} // namespace

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
                    LS_TR("Parameters", "Two convolutions, pooling and two linear layers: slower, more accurate.")},
                {"lenet5", LS_TR("Parameters", "LeNet-5"),
                    LS_TR("Parameters", "Two convolutions with pooling, three linear layers: small and accurate.")},
                {"deep-mlp", LS_TR("Parameters", "Deep MLP"),
                    LS_TR("Parameters", "Many equal linear layers with ReLUs between them: easy to cut by layers.")},
                {"gpt", LS_TR("Parameters", "GPT"),
                    LS_TR("Parameters", "A small decoder-only transformer that predicts each next byte of a text.")}},
            .standard = std::string("mlp")},
        {.name = "net.hidden",
            .group = Group,
            .label = LS_TR("Parameters", "Hidden units"),
            .help = LS_TR("Parameters", "Width of each hidden layer of the MLPs."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 65'536},
            .standard = std::int64_t{128},
            .appliesWhen = {{"net.name", {"mlp", "deep-mlp"}}}},
        {.name = "net.depth",
            .group = Group,
            .label = LS_TR("Parameters", "Linear layers"),
            .help = LS_TR("Parameters", "How many linear layers the deep MLP has, the last one included."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {2, 128},
            .standard = std::int64_t{8},
            .appliesWhen = {{"net.name", {"deep-mlp"}}}},
        {.name = "net.width",
            .group = Group,
            .label = LS_TR("Parameters", "Width"),
            .help = LS_TR("Parameters", "How many numbers stand for each byte inside the GPT."),
            .type = Type::Integer,
            .range = {1, 4'096},
            .standard = std::int64_t{64},
            .appliesWhen = whenGpt()},
        {.name = "net.heads",
            .group = Group,
            .label = LS_TR("Parameters", "Heads"),
            .help = LS_TR("Parameters", "Attention heads of each block; each takes an equal part of the width."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 64},
            .standard = std::int64_t{4},
            .appliesWhen = whenGpt()},
        {.name = "net.blocks",
            .group = Group,
            .label = LS_TR("Parameters", "Blocks"),
            .help = LS_TR("Parameters", "How many times attention and a small MLP follow each other."),
            .type = Type::Integer,
            .range = {1, 128},
            .standard = std::int64_t{4},
            .appliesWhen = whenGpt()},
        {.name = "net.context",
            .group = Group,
            .label = LS_TR("Parameters", "Context"),
            .help = LS_TR("Parameters", "How many bytes the GPT sees at once; the text is cut into windows of one more."),
            .unit = LS_TR("Parameters", "bytes"),
            .type = Type::Integer,
            .range = {1, 4'096},
            .standard = std::int64_t{64},
            .appliesWhen = whenGpt()},
        {.name = "net.tied",
            .group = Group,
            .label = LS_TR("Parameters", "Tied weights"),
            .help = LS_TR("Parameters",
                "The last layer uses the weights of the first: fewer of them, and a link between the ends of a pipeline."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = whenGpt()},
    };
}

} // namespace lockstep::experiment
