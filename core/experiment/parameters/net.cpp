#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view NetGroup = LS_TR("Parameters", "Net");

std::vector<Condition> whenGpt()
{
    return {{"net.name", {"gpt"}}};
}

Parameter netRow()
{
    return {.name = "net.name",
        .fills = &NetSettings::name,
        .group = NetGroup,
        .label = LS_TR("Parameters", "Net"),
        .help = LS_TR("Parameters", "The model to train."),
        .type = Type::Choice,
        .choices = {{"logistic", LS_TR("Parameters", "Logistic regression"),
                        LS_TR("Parameters", "A single linear layer: the simplest classifier.")},
            {"mlp", LS_TR("Parameters", "MLP"), LS_TR("Parameters", "Two linear layers with a ReLU between them.")},
            {"cnn", LS_TR("Parameters", "CNN"),
                LS_TR("Parameters",
                    "Two convolutional layers with pooling and two linear layers: slower but more accurate.")},
            {"lenet5", LS_TR("Parameters", "LeNet-5"),
                LS_TR("Parameters",
                    "Two convolutional layers with pooling and three linear layers: small and accurate.")},
            {"deep-mlp", LS_TR("Parameters", "Deep MLP"),
                LS_TR("Parameters", "Many equal linear layers with ReLU between them: easy to split by layers.")},
            {"gpt", LS_TR("Parameters", "GPT"),
                LS_TR("Parameters", "A small decoder-only transformer that predicts the next byte of a text.")}},
        .standard = std::string("mlp"),
        .mustAgree = true};
}

std::vector<Parameter> mlpRows()
{
    return {
        {.name = "net.hidden",
            .fills = &NetSettings::hidden,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Hidden units"),
            .help = LS_TR("Parameters", "Width of each hidden layer of the MLPs."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 65'536},
            .standard = std::int64_t{128},
            .appliesWhen = {{"net.name", {"mlp", "deep-mlp"}}},
            .mustAgree = true},
        {.name = "net.depth",
            .fills = &NetSettings::depth,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Linear layers"),
            .help = LS_TR("Parameters", "Number of linear layers in the deep MLP, including the last."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {2, 128},
            .standard = std::int64_t{8},
            .appliesWhen = {{"net.name", {"deep-mlp"}}},
            .mustAgree = true},
    };
}

std::vector<Parameter> gptRows()
{
    return {
        {.name = "net.width",
            .fills = &NetSettings::width,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Width"),
            .help = LS_TR("Parameters", "Embedding dimension of the GPT."),
            .type = Type::Integer,
            .range = {1, 4'096},
            .standard = std::int64_t{64},
            .appliesWhen = whenGpt(),
            .mustAgree = true},
        {.name = "net.heads",
            .fills = &NetSettings::heads,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Heads"),
            .help = LS_TR("Parameters", "Attention heads per block; each takes an equal part of the width."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 64},
            .standard = std::int64_t{4},
            .appliesWhen = whenGpt(),
            .mustAgree = true},
        {.name = "net.blocks",
            .fills = &NetSettings::blocks,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Blocks"),
            .help = LS_TR("Parameters", "Number of transformer blocks: attention followed by a small MLP."),
            .type = Type::Integer,
            .range = {1, 128},
            .standard = std::int64_t{4},
            .appliesWhen = whenGpt(),
            .mustAgree = true},
        {.name = "net.context",
            .fills = &NetSettings::context,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Context"),
            .help = LS_TR("Parameters",
                "Number of bytes that the GPT sees at once; the text is split into windows one byte longer."),
            .unit = LS_TR("Parameters", "bytes"),
            .type = Type::Integer,
            .range = {1, 4'096},
            .standard = std::int64_t{64},
            .appliesWhen = whenGpt(),
            .mustAgree = true},
        {.name = "net.tied",
            .fills = &NetSettings::isTied,
            .group = NetGroup,
            .label = LS_TR("Parameters", "Tied weights"),
            .help = LS_TR("Parameters",
                "The last layer shares the weights of the first: fewer parameters, and a link between both ends of a "
                "pipeline."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = whenGpt(),
            .mustAgree = true},
    };
}

} // namespace

std::vector<Parameter> netParameters()
{
    return joinRows({{netRow()}, mlpRows(), gptRows()});
}

} // namespace lockstep::experiment
