#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view DataGroup = LS_TR("Parameters", "Data");

/// Where the samples come from.
std::vector<Parameter> sourceRows()
{
    return {
        {.name = "dataset.name",
            .group = DataGroup,
            .label = LS_TR("Parameters", "Data set"),
            .help = LS_TR("Parameters", "The data set to train on. Digits are generated and need no download."),
            .type = Type::Choice,
            .choices = {{"digits", LS_TR("Parameters", "Digits (built in)"),
                            LS_TR("Parameters", "Generated images of handwritten-style digits, 28 x 28.")},
                {"mnist", LS_TR("Parameters", "MNIST"),
                    LS_TR("Parameters", "Handwritten digits, 28 x 28; downloaded once.")},
                {"cifar10", LS_TR("Parameters", "CIFAR-10"),
                    LS_TR("Parameters",
                        "Colour photographs of ten classes, 3 x 32 x 32, in the binary version of the files.")},
                {"idx", LS_TR("Parameters", "IDX folder"),
                    LS_TR("Parameters", "Your own images and labels in the MNIST file format.")},
                {"text", LS_TR("Parameters", "Text"),
                    LS_TR("Parameters",
                        "Two plays by Shakespeare (built in) or your own text file, read byte by byte.")}},
            .standard = std::string("digits"),
            .mustAgree = true},
        {.name = "dataset.path",
            .group = DataGroup,
            .label = LS_TR("Parameters", "Folder or file"),
            .help = LS_TR("Parameters",
                "Folder with the four IDX files (plain or .gz) or the six .bin files of CIFAR-10, or a text file. "
                "Empty "
                "uses the downloaded MNIST, the CIFAR-10 beside it, or the built-in text."),
            .type = Type::Path,
            .standard = std::string(),
            .appliesWhen = {{"dataset.name", {"mnist", "cifar10", "idx", "text"}}},
            .isFileWhen = {{"dataset.name", {"text"}}}},
    };
}

/// Which of them are used.
std::vector<Parameter> sampleRows()
{
    return {
        {.name = "dataset.train_samples",
            .group = DataGroup,
            .label = LS_TR("Parameters", "Training samples"),
            .help = LS_TR("Parameters", "Number of training samples; 0 uses all of them (8,000 digits)."),
            .unit = LS_TR("Parameters", "samples"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 10'000'000},
            .standard = std::int64_t{0},
            .mustAgree = true},
        {.name = "dataset.test_samples",
            .group = DataGroup,
            .label = LS_TR("Parameters", "Test samples"),
            .help = LS_TR("Parameters", "Number of test samples; 0 uses all of them (2,000 digits)."),
            .unit = LS_TR("Parameters", "samples"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 10'000'000},
            .standard = std::int64_t{0}},
        {.name = "dataset.seed",
            .group = DataGroup,
            .label = LS_TR("Parameters", "Data seed"),
            .help = LS_TR("Parameters", "Seed of the digit generator: another seed gives other digits."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 2'147'483'647},
            .standard = std::int64_t{1},
            .appliesWhen = {{"dataset.name", {"digits"}}},
            .mustAgree = true},
    };
}

} // namespace

std::vector<Parameter> dataParameters()
{
    return joinRows({sourceRows(), sampleRows()});
}

} // namespace lockstep::experiment
