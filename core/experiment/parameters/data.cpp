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
            .fills = &DatasetSettings::name,
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
                {"cifar100", LS_TR("Parameters", "CIFAR-100"),
                    LS_TR("Parameters",
                        "Colour photographs of 100 classes, 3 x 32 x 32, in the binary version of the files.")},
                {"idx", LS_TR("Parameters", "IDX folder"),
                    LS_TR("Parameters",
                        "Your own images and labels in the MNIST file format, with any labels: Fashion-MNIST, KMNIST, "
                        "EMNIST, QMNIST.")},
                {"npz", LS_TR("Parameters", "NumPy file (.npz)"),
                    LS_TR("Parameters",
                        "Arrays x_train, y_train, x_test and y_test as Keras saves MNIST; pixels from 0 to 255.")},
                {"csv", LS_TR("Parameters", "CSV file"),
                    LS_TR("Parameters",
                        "A line label,pixel0,... for each square image. Without a labelled test file beside it, the "
                        "last sixth tests.")},
                {"text", LS_TR("Parameters", "Text"),
                    LS_TR("Parameters",
                        "Two plays by Shakespeare (built in) or your own text file, read byte by byte.")}},
            .standard = std::string("digits"),
            .mustAgree = true},
        {.name = "dataset.path",
            .fills = &DatasetSettings::path,
            .group = DataGroup,
            .label = LS_TR("Parameters", "Folder or file"),
            .help = LS_TR("Parameters",
                "Folder with the four IDX files (plain or .gz) or the .bin files of CIFAR, or an .npz, CSV or text "
                "file. Of several IDX sets in one folder, choose the training images of one. Empty uses the downloaded "
                "MNIST, the CIFAR files beside it, or the built-in text."),
            .type = Type::Path,
            .standard = std::string(),
            .appliesWhen = {{"dataset.name", {"mnist", "cifar10", "cifar100", "idx", "npz", "csv", "text"}}},
            .isFileWhen = {{"dataset.name", {"npz", "csv", "text"}}}},
        {.name = "dataset.labels",
            .fills = &DatasetSettings::labels,
            .group = DataGroup,
            .label = LS_TR("Parameters", "Labels"),
            .help = LS_TR("Parameters", "Which of the two labels of each image the net learns."),
            .type = Type::Choice,
            .choices = {{"fine", LS_TR("Parameters", "Fine (100)"), LS_TR("Parameters", "Its class: maple, oak.")},
                {"coarse", LS_TR("Parameters", "Coarse (20)"), LS_TR("Parameters", "Its superclass: trees.")}},
            .standard = std::string("fine"),
            .appliesWhen = {{"dataset.name", {"cifar100"}}},
            .mustAgree = true},
    };
}

/// Which of them are used.
std::vector<Parameter> sampleRows()
{
    return {
        {.name = "dataset.train_samples",
            .fills = &DatasetSettings::trainSamples,
            .group = DataGroup,
            .label = LS_TR("Parameters", "Training samples"),
            .help = LS_TR("Parameters", "Number of training samples; 0 uses all of them (8,000 digits)."),
            .unit = LS_TR("Parameters", "samples"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 10'000'000},
            .standard = std::int64_t{0},
            .zero = LS_TR("ZeroTexts", "all"),
            .mustAgree = true},
        {.name = "dataset.test_samples",
            .fills = &DatasetSettings::testSamples,
            .group = DataGroup,
            .label = LS_TR("Parameters", "Test samples"),
            .help = LS_TR("Parameters", "Number of test samples; 0 uses all of them (2,000 digits)."),
            .unit = LS_TR("Parameters", "samples"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 10'000'000},
            .standard = std::int64_t{0},
            .zero = LS_TR("ZeroTexts", "all")},
        {.name = "dataset.seed",
            .fills = &DatasetSettings::seed,
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
