#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view TrainingGroup = LS_TR("Parameters", "Training");

Parameter integerRow(std::string_view name, Member fills, std::string_view label, std::string_view help,
    std::string_view unit, Range range, std::int64_t standard, Level level)
{
    return {.name = name,
        .fills = fills,
        .group = TrainingGroup,
        .label = label,
        .help = help,
        .unit = unit,
        .type = Type::Integer,
        .level = level,
        .range = range,
        .standard = standard};
}

/// How much is trained, and how many samples a step has.
std::vector<Parameter> batchRows()
{
    std::vector<Parameter> rows;
    rows.push_back(integerRow("train.epochs", &TrainSettings::epochs, LS_TR("Parameters", "Epochs"),
        LS_TR("Parameters", "Number of passes over the training set."), LS_TR("Parameters", "epochs"), {1, 100'000}, 5,
        Level::Basic));
    rows.back().appliesWhen = {{"train.steps", {"0"}}};
    rows.push_back(integerRow("train.batch", &TrainSettings::batch, LS_TR("Parameters", "Batch size"),
        LS_TR("Parameters", "Samples per step: of all ranks together, or of each rank."),
        LS_TR("Parameters", "samples"), {1, 1'000'000}, 64, Level::Basic));
    rows.back().appliesWhen = {{"optimizer.name", {"sgd", "momentum", "nesterov", "adam", "adamw"}}};
    rows.back().mustAgree = true;
    rows.push_back({.name = "train.batch_of",
        .fills = &TrainSettings::batchOf,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "Batch size of"),
        .help = LS_TR("Parameters", "Whether all ranks share one batch or each rank has its own."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"all", LS_TR("Parameters", "All ranks"),
                        LS_TR("Parameters", "The ranks share one batch, however many they are: strong scaling.")},
            {"rank", LS_TR("Parameters", "Each rank"),
                LS_TR("Parameters", "The batch of a step grows with the number of ranks: weak scaling.")}},
        .standard = std::string("all"),
        .appliesWhen = {strategyIsOneOf(strategies::PartitionedSamples), rows.back().appliesWhen.front()},
        .mustAgree = true});
    return rows;
}

/// The number of steps, the micro-batches of a step and the seed.
std::vector<Parameter> stepRows()
{
    std::vector<Parameter> rows;
    rows.push_back(integerRow("train.steps", &TrainSettings::steps, LS_TR("Parameters", "Steps"),
        LS_TR("Parameters", "Stop after this many steps; 0 uses epochs."), LS_TR("Parameters", "steps"),
        {0, 1'000'000'000}, 0, Level::Advanced));
    rows.back().zero = LS_TR("ZeroTexts", "by epochs");
    rows.push_back(integerRow("train.accumulate", &TrainSettings::accumulate, LS_TR("Parameters", "Micro-batches"),
        LS_TR("Parameters", "Splits each batch into this many parts and accumulates their gradients: less memory."), "",
        {1, 1'000'000}, 1, Level::Advanced));
    rows.back().appliesWhen = {{"optimizer.name", {"sgd", "momentum", "nesterov", "adam", "adamw"}},
        {"strategy.name", {"single", "data", "local", "zero", "tensor"}}};
    rows.push_back(integerRow("train.seed", &TrainSettings::seed, LS_TR("Parameters", "Seed"),
        LS_TR("Parameters", "Equal seeds give equal weights, batches and losses."), "", {0, 2'147'483'647}, 1,
        Level::Advanced));
    rows.back().mustAgree = true;
    return rows;
}

/// The data type of weights and of products.
std::vector<Parameter> precisionRows()
{
    std::vector<Parameter> rows;
    rows.push_back({.name = "train.dtype",
        .fills = &TrainSettings::dtype,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "Data type"),
        .help = LS_TR("Parameters", "The data type that the net computes with."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices
        = {{"float32", LS_TR("Parameters", "float32"), LS_TR("Parameters", "Single precision, the usual choice.")},
            {"float64", LS_TR("Parameters", "float64"),
                LS_TR("Parameters", "Double precision: slower, for exact comparisons.")}},
        .standard = std::string("float32"),
        .mustAgree = true});
    rows.push_back({.name = "train.precision",
        .fills = &TrainSettings::precision,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "Mixed precision"),
        .help = LS_TR("Parameters",
            "Whether matrix products and convolutions use lower precision; weights, sums and losses stay float32. "
            "float32 products are never rounded to TF32."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"float32", LS_TR("Parameters", "Off"), LS_TR("Parameters", "Everything is computed in float32.")},
            {"bfloat16", LS_TR("Parameters", "bfloat16"),
                LS_TR("Parameters", "The range of float32 with less precision: needs no loss scaling.")},
            {"float16", LS_TR("Parameters", "float16"),
                LS_TR("Parameters",
                    "More precision, less range. The loss is scaled by 65536 so that small gradients do not vanish; "
                    "a step that overflows is skipped and halves the scale, 2000 good steps double it.")}},
        .standard = std::string("float32"),
        .appliesWhen = {{"train.dtype", {"float32"}}}});
    return rows;
}

/// What is kept between forward and backward.
std::vector<Parameter> recomputeRows()
{
    return {{.name = "train.recompute",
        .fills = &TrainSettings::recompute,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "Activation recomputation"),
        .help = LS_TR("Parameters",
            "Which activations are computed again in backward instead of kept from forward: less memory, up to one "
            "more forward pass per step, the same losses."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"none", LS_TR("Parameters", "None"), LS_TR("Parameters", "All activations are kept.")},
            {"layer", LS_TR("Parameters", "By layers"),
                LS_TR("Parameters",
                    "Keeps only the inputs of segments of layers; the number of segments is the one that needs the "
                    "least memory. ZeRO-2 and ZeRO-3 keep each layer's input, which saves memory only in gpt, cnn and "
                    "lenet5.")},
            {"stage", LS_TR("Parameters", "By stages"),
                LS_TR("Parameters", "Keeps each pipeline stage's input per micro-batch, as GPipe does.")}},
        .standard = std::string("none")}};
}

/// Settings that make a step faster and leave its result the same up to rounding.
std::vector<Parameter> speedRows()
{
    std::vector<Parameter> rows;
    rows.push_back({.name = "train.channels_last",
        .fills = &TrainSettings::isChannelsLast,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "Channels last"),
        .help = LS_TR("Parameters",
            "Stores the channels of each pixel together: faster convolutions on GPUs. Losses differ in the last "
            "digits."),
        .type = Type::Boolean,
        .level = Level::Advanced,
        .standard = false,
        .appliesWhen = {{"net.name", {"cnn", "lenet5"}}}});
    rows.push_back({.name = "train.graphs",
        .fills = &TrainSettings::usesGraphs,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "CUDA graphs"),
        .help = LS_TR("Parameters",
            "On a GPU, records the kernels of a step once and launches them together: steps of small nets take a "
            "fraction of the time. No effect on the CPU."),
        .type = Type::Boolean,
        .level = Level::Advanced,
        .standard = true,
        .appliesWhen = {{"strategy.name", {"single", "data", "local", "pipeline", "grid"}}}});
    return rows;
}

/// What is measured while the net trains.
std::vector<Parameter> evaluationRows()
{
    std::vector<Parameter> rows;
    rows.push_back(integerRow("train.evaluate_every", &TrainSettings::evaluateEvery,
        LS_TR("Parameters", "Evaluate every"),
        LS_TR("Parameters",
            "Epochs between two evaluations on the test set and the first 10,000 training samples; the last step is "
            "always evaluated."),
        LS_TR("Parameters", "epochs"), {1, 100'000}, 1, Level::Advanced));
    rows.push_back({.name = "train.target_accuracy",
        .fills = &TrainSettings::targetAccuracy,
        .group = TrainingGroup,
        .label = LS_TR("Parameters", "Target accuracy"),
        .help = LS_TR("Parameters",
            "The times to reach this test accuracy are compared across numbers of ranks; 0 means one percentage point "
            "below the single process."),
        .type = Type::Real,
        .level = Level::Advanced,
        .range = {0.0, 1.0},
        .standard = 0.0,
        .zero = LS_TR("ZeroTexts", "auto")});
    rows.push_back(integerRow("log.every", &TrainSettings::logEvery, LS_TR("Parameters", "Log every"),
        LS_TR("Parameters", "Steps between two log lines."), LS_TR("Parameters", "steps"), {1, 1'000'000'000}, 100,
        Level::Advanced));
    return rows;
}

/// How the times of an experiment's runs are compared.
std::vector<Parameter> comparisonRows()
{
    return {{.name = "measure.interleave",
                .fills = &MeasureSettings::isInterleaved,
                .group = TrainingGroup,
                .label = LS_TR("Parameters", "Take turns"),
                .help = LS_TR("Parameters",
                    "Starts all runs of a comparison together and alternates between them in random order, a block of "
                    "steps at a time (in sweeps: the calls of one size), so that other load on the machine affects "
                    "runs on as many ranks alike."),
                .type = Type::Boolean,
                .level = Level::Advanced,
                .standard = true},
        {.name = "measure.limit_s",
            .fills = &MeasureSettings::limitSeconds,
            .group = TrainingGroup,
            .label = LS_TR("Parameters", "Measure at most"),
            .help = LS_TR("Parameters",
                "Maximum total time that the runs of a comparison are measured after their last steps; measuring ends "
                "once each difference in time is known to 5 %. Recorded and saved results do not change."),
            .unit = LS_TR("Parameters", "s"),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.0, 86'400.0},
            .standard = 10.0,
            .appliesWhen = {{"measure.interleave", {"true"}}}}};
}

} // namespace

std::vector<Parameter> trainingParameters()
{
    return joinRows(
        {batchRows(), stepRows(), precisionRows(), recomputeRows(), speedRows(), evaluationRows(), comparisonRows()});
}

} // namespace lockstep::experiment
