#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view RanksGroup = LS_TR("Parameters", "Ranks");

Parameter strategyRow()
{
    return {.name = "strategy.name",
        .fills = &RankSettings::strategy,
        .group = RanksGroup,
        .label = LS_TR("Parameters", "Strategy"),
        .help = LS_TR("Parameters", "What is split across the ranks."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"single", LS_TR("Parameters", "Single process"),
                        LS_TR("Parameters", "Nothing is split: one rank does all the work.")},
            {"data", LS_TR("Parameters", "Data parallel"),
                LS_TR("Parameters", "Every rank holds the whole net and processes part of each batch.")},
            {"local", LS_TR("Parameters", "Local SGD"),
                LS_TR(
                    "Parameters", "Every rank trains its own copy of the net; every few steps the ranks synchronize.")},
            {"pipeline", LS_TR("Parameters", "Pipeline"),
                LS_TR("Parameters", "Every rank holds some of the layers; micro-batches pass from rank to rank.")},
            {"tensor", LS_TR("Parameters", "Tensor parallel"),
                LS_TR("Parameters", "Every rank holds part of each layer; the ranks exchange partial sums.")},
            {"grid", LS_TR("Parameters", "Grid: data x pipeline x tensor"),
                LS_TR("Parameters", "Copies of a net that is split by layers and within layers.")},
            {"zero", LS_TR("Parameters", "ZeRO (sharded data parallel)"),
                LS_TR("Parameters", "Data parallel in which each rank keeps only its part of the model states.")},
            {"collectives", LS_TR("Parameters", "Collectives only (no training)"),
                LS_TR("Parameters", "The ranks measure how long communication takes.")},
            {"own", LS_TR("Parameters", "Own program"),
                LS_TR("Parameters", "The ranks are processes of your own program (rank.program).")}},
        .standard = std::string("single"),
        .mustAgree = true};
}

/// How many ranks, and where they compute.
std::vector<Parameter> deviceRows()
{
    return {
        {.name = "world_size",
            .fills = &RankSettings::worldSize,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Ranks"),
            .help = LS_TR("Parameters",
                "Number of processes; 0 uses as many as the strategy needs, or as lockstep-rank is started with "
                "(--local, WORLD_SIZE). Your own program is started once for each rank; with 0 it is started once and "
                "makes its ranks itself."),
            .unit = LS_TR("Parameters", "ranks"),
            .type = Type::Integer,
            .range = {0, 64},
            .standard = std::int64_t{0},
            .zero = LS_TR("ZeroTexts", "auto"),
            .appliesWhen = {{"strategy.name", {"data", "local", "zero", "grid", "collectives", "own"}}}},
        {.name = "device",
            .fills = &RankSettings::device,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Device"),
            .help = LS_TR("Parameters",
                "auto uses GPUs if there are any and lockstep-rank supports them, else the CPU; cpu uses the CPU; "
                "cuda:0, cuda:1, ... put all ranks on that GPU."),
            .type = Type::Text,
            .level = Level::Advanced,
            .standard = std::string("auto"),
            .appliesWhen = {strategyIsOneOf(strategies::OfLockstepRank)}},
        {.name = "device.gpus",
            .fills = &RankSettings::gpus,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "GPUs of the ranks"),
            .help = LS_TR("Parameters",
                "GPU numbers that the ranks take in turn, such as 0,0,1 for two ranks on the first GPU and one on "
                "the second; empty uses all GPUs in turn."),
            .type = Type::IntegerList,
            .level = Level::Advanced,
            .range = {0, 63},
            .standard = std::vector<std::int64_t>(),
            .appliesWhen = {{"device", {"auto"}}, strategyIsOneOf(strategies::OfLockstepRank)}},
    };
}

/// How several ranks use one GPU.
Parameter mpsRow()
{
    return {.name = "device.mps",
        .fills = &RankSettings::mps,
        .group = RanksGroup,
        .label = LS_TR("Parameters", "MPS"),
        .help = LS_TR("Parameters",
            "NVIDIA's Multi-Process Service runs kernels of several ranks on one GPU at the same time; without it "
            "the ranks take turns."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"auto", LS_TR("Parameters", "Where possible"),
                        LS_TR("Parameters",
                            "Runs whose ranks share a GPU use the MPS that runs, or start one and stop it at the "
                            "end.")},
            {"on", LS_TR("Parameters", "Required"), LS_TR("Parameters", "The run is refused where MPS cannot run.")},
            {"off", LS_TR("Parameters", "Off"),
                LS_TR("Parameters", "Ranks on one GPU take turns, even where MPS runs.")}},
        .standard = std::string("auto"),
        .appliesWhen = {strategyIsOneOf(strategies::OfLockstepRank)}};
}

/// What is started in place of lockstep-rank.
std::vector<Parameter> programRows()
{
    return {
        {.name = "rank.program",
            .fills = &RankSettings::program,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Program"),
            .help = LS_TR("Parameters",
                "The command to run, such as python3 train.py, python3 -m package.train, torchrun train.py or "
                "./train.sh; quotes group words into one argument, and no shell is used. Its own parameters are named "
                "own.NAME."),
            .type = Type::Text,
            .standard = std::string(),
            .appliesWhen = {{"strategy.name", {"own"}}}},
        {.name = "rank.watch",
            .fills = &RankSettings::watch,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Watch"),
            .help = LS_TR("Parameters", "How the workbench sees what a Python program does."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"auto", LS_TR("Parameters", "PyTorch's calls"),
                            LS_TR("Parameters",
                                "An unchanged PyTorch script is watched: its steps, losses and communication are "
                                "shown.")},
                {"off", LS_TR("Parameters", "Off"),
                    LS_TR("Parameters", "Only what the script reports through lockstep.py is shown.")}},
            .standard = std::string("auto"),
            .appliesWhen = {{"strategy.name", {"own"}}}},
    };
}

/// What each rank may use.
std::vector<Parameter> resourceRows()
{
    return {
        {.name = "rank.threads",
            .fills = &RankSettings::threads,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Threads per rank"),
            .help = LS_TR("Parameters", "CPU threads that each rank computes with."),
            .unit = LS_TR("Parameters", "threads"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 1024},
            .standard = std::int64_t{1}},
        {.name = "rank.memory_mb",
            .fills = &RankSettings::memoryMb,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Memory limit per rank"),
            .help = LS_TR("Parameters",
                "Maximum memory for a rank's tensors and its shared memory: weights, gradients, optimizer state, "
                "activations, data set, buffers; memory that libraries allocate themselves is not counted. On a GPU it "
                "limits GPU memory, and the run ends after the step that exceeds it. 0 means no limit."),
            .unit = LS_TR("Parameters", "MB"),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0, 1e6},
            .standard = 0.0,
            .zero = LS_TR("ZeroTexts", "no limit"),
            .appliesWhen = {strategyIsOneOf(strategies::Training)}},
        {.name = "rank.bind",
            .fills = &RankSettings::isBound,
            .group = RanksGroup,
            .label = LS_TR("Parameters", "Bind to cores"),
            .help = LS_TR("Parameters",
                "Gives each rank as many cores as it has threads, its own where there are enough: steadier timings. "
                "A rank on a GPU gets an equal share of the cores."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = true,
            .appliesWhen = {strategyIsOneOf(strategies::OfLockstepRank)}},
    };
}

} // namespace

std::vector<Parameter> rankParameters()
{
    return joinRows({{strategyRow()}, deviceRows(), {mpsRow()}, programRows(), resourceRows()});
}

} // namespace lockstep::experiment
