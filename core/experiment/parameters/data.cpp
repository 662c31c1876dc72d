#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

std::vector<Parameter> dataParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Data");
    return {
        {.name = "dataset.name",
            .group = Group,
            .label = LS_TR("Parameters", "Data set"),
            .help = LS_TR("Parameters", "What the net learns from. Digits are generated, so they need no download."),
            .type = Type::Choice,
            .choices = {{"digits", LS_TR("Parameters", "Digits (built in)"),
                            LS_TR("Parameters", "Generated pictures of handwritten-looking digits, 28 x 28.")},
                {"mnist", LS_TR("Parameters", "MNIST"),
                    LS_TR("Parameters", "Real handwritten digits, 28 x 28, downloaded once.")},
                {"idx", LS_TR("Parameters", "IDX folder"),
                    LS_TR("Parameters", "Your own images and labels in MNIST's file format.")},
                {"text", LS_TR("Parameters", "Text"),
                    LS_TR("Parameters", "Two plays of Shakespeare (built in) or a text file of your own, byte by byte.")}},
            .standard = std::string("digits")},
        {.name = "dataset.path",
            .group = Group,
            .label = LS_TR("Parameters", "Folder or file"),
            .help = LS_TR("Parameters",
                "Folder with the four IDX files, plain or .gz, or the text file. Empty for MNIST: where the download "
                "puts it; empty for text: the one built in."),
            .type = Type::Path,
            .standard = std::string(),
            .appliesWhen = {{"dataset.name", {"mnist", "idx", "text"}}},
            .isFileWhen = {{"dataset.name", {"text"}}}},
        {.name = "dataset.train_samples",
            .group = Group,
            .label = LS_TR("Parameters", "Training samples"),
            .help = LS_TR("Parameters", "How many samples to train on; 0 takes all there are (8,000 digits)."),
            .unit = LS_TR("Parameters", "samples"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 10'000'000},
            .standard = std::int64_t{0}},
        {.name = "dataset.test_samples",
            .group = Group,
            .label = LS_TR("Parameters", "Test samples"),
            .help
            = LS_TR("Parameters", "How many samples to measure accuracy on; 0 takes all there are (2,000 digits)."),
            .unit = LS_TR("Parameters", "samples"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 10'000'000},
            .standard = std::int64_t{0}},
        {.name = "dataset.seed",
            .group = Group,
            .label = LS_TR("Parameters", "Data seed"),
            .help = LS_TR("Parameters", "Another seed draws other digits of the same kind."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 2'147'483'647},
            .standard = std::int64_t{1},
            .appliesWhen = {{"dataset.name", {"digits"}}}},
    };
}

} // namespace lockstep::experiment
