#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view Group = LS_TR("Parameters", "Training");

Parameter integerRow(std::string_view name, std::string_view label, std::string_view help, std::string_view unit,
    Range range, std::int64_t standard, Level level)
{
    return {.name = name,
        .group = Group,
        .label = label,
        .help = help,
        .unit = unit,
        .type = Type::Integer,
        .level = level,
        .range = range,
        .standard = standard};
}

/// What makes a step faster at the price of precision or of a fixed shape.
void addSpeedRows(std::vector<Parameter>& rows)
{
    rows.push_back({.name = "train.precision",
        .group = Group,
        .label = LS_TR("Parameters", "Mixed precision"),
        .help = LS_TR("Parameters",
            "Whether matrix products and convolutions are computed with fewer bits; weights, sums and losses stay float32. "
            "Products of float32 are never rounded to TF32."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"float32", LS_TR("Parameters", "Off"), LS_TR("Parameters", "All is computed in float32.")},
            {"bfloat16", LS_TR("Parameters", "bfloat16"),
                LS_TR("Parameters", "The range of float32 with fewer digits: nothing needs to be scaled.")},
            {"float16", LS_TR("Parameters", "float16"),
                LS_TR("Parameters",
                    "More digits, less range. So that small gradients do not vanish, the loss is multiplied by 65536; by half "
                    "of it after a step that overflows and is left out, by twice as much after 2000 good ones.")}},
        .standard = std::string("float32"),
        .appliesWhen = {{"train.dtype", {"float32"}}}});
    rows.push_back({.name = "train.channels_last",
        .group = Group,
        .label = LS_TR("Parameters", "Channels last"),
        .help = LS_TR("Parameters",
            "Keeps the channels of a pixel side by side: faster convolutions on GPUs. Losses differ in the last digits."),
        .type = Type::Boolean,
        .level = Level::Advanced,
        .standard = false,
        .appliesWhen = {{"net.name", {"cnn", "lenet5"}}}});
    rows.push_back({.name = "train.graphs",
        .group = Group,
        .label = LS_TR("Parameters", "CUDA graphs"),
        .help = LS_TR("Parameters",
            "On a GPU the kernels of a step are recorded once and then started together: steps of small nets take a fraction "
            "of the time. Without effect on the CPU."),
        .type = Type::Boolean,
        .level = Level::Advanced,
        .standard = true,
        .appliesWhen = {{"strategy.name", {"single", "data"}}}});
}

} // namespace

std::vector<Parameter> trainingParameters()
{
    std::vector<Parameter> rows;
    rows.push_back(integerRow("train.epochs", LS_TR("Parameters", "Epochs"),
        LS_TR("Parameters", "How often the whole training set is gone through."), LS_TR("Parameters", "epochs"),
        {1, 100'000}, 5, Level::Basic));
    rows.back().appliesWhen = {{"train.steps", {"0"}}};
    rows.push_back(integerRow("train.batch", LS_TR("Parameters", "Batch"),
        LS_TR("Parameters", "Samples in one step, of all ranks together or of each."), LS_TR("Parameters", "samples"),
        {1, 1'000'000}, 64, Level::Basic));
    rows.back().appliesWhen = {{"optimizer.name", {"sgd", "momentum", "nesterov", "adam", "adamw"}}};
    rows.push_back({.name = "train.batch_of",
        .group = Group,
        .label = LS_TR("Parameters", "Batch is of"),
        .help = LS_TR("Parameters", "Whether the batch is shared by the ranks or every rank has one of its own."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"all", LS_TR("Parameters", "All ranks"),
                        LS_TR("Parameters", "The same batch however many ranks share it: strong scaling.")},
            {"rank", LS_TR("Parameters", "Each rank"),
                LS_TR("Parameters", "The batch of a step grows with the number of ranks: weak scaling.")}},
        .standard = std::string("all"),
        .appliesWhen = {{"strategy.name", {"data", "zero"}}, rows.back().appliesWhen.front()}});
    rows.push_back(integerRow("train.steps", LS_TR("Parameters", "Steps"),
        LS_TR("Parameters", "Ends the run after so many steps; 0 goes by epochs."), LS_TR("Parameters", "steps"),
        {0, 1'000'000'000}, 0, Level::Advanced));
    rows.push_back(integerRow("train.accumulate", LS_TR("Parameters", "Micro-batches"),
        LS_TR("Parameters", "Each batch is gone through in so many parts whose gradients add up: less memory."), "",
        {1, 1'000'000}, 1, Level::Advanced));
    rows.back().appliesWhen = {{"optimizer.name", {"sgd", "momentum", "nesterov", "adam", "adamw"}},
        {"strategy.name", {"single", "data"}}};
    rows.push_back(integerRow("train.seed", LS_TR("Parameters", "Seed"),
        LS_TR("Parameters", "Equal seeds give equal weights, batches and losses."), "", {0, 2'147'483'647}, 1,
        Level::Advanced));
    rows.push_back({.name = "train.dtype",
        .group = Group,
        .label = LS_TR("Parameters", "Precision"),
        .help = LS_TR("Parameters", "The numbers that the net computes with."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices
        = {{"float32", LS_TR("Parameters", "float32"), LS_TR("Parameters", "Single precision: the usual one.")},
            {"float64", LS_TR("Parameters", "float64"),
                LS_TR("Parameters", "Double precision: slower, for exact comparisons.")}},
        .standard = std::string("float32")});
    addSpeedRows(rows);
    rows.push_back(integerRow("train.evaluate_every", LS_TR("Parameters", "Evaluate every"),
        LS_TR("Parameters", "Epochs between two measurements of the test accuracy; the last step is always measured."),
        LS_TR("Parameters", "epochs"), {1, 100'000}, 1, Level::Advanced));
    rows.push_back({.name = "train.target_accuracy",
        .group = Group,
        .label = LS_TR("Parameters", "Target accuracy"),
        .help = LS_TR("Parameters",
            "The test accuracy whose time is compared between numbers of ranks; 0: a point below the single process's."),
        .type = Type::Real,
        .level = Level::Advanced,
        .range = {0.0, 1.0},
        .standard = 0.0});
    rows.push_back(integerRow("log.every", LS_TR("Parameters", "Log every"),
        LS_TR("Parameters", "Steps between two lines in the log."), LS_TR("Parameters", "steps"), {1, 1'000'000'000},
        100, Level::Advanced));
    return rows;
}

} // namespace lockstep::experiment
