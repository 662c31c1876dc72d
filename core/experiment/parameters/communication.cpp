#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>
#include <iterator>

namespace lockstep::experiment {

namespace {

const std::vector<Condition> BetweenRanks = {strategyIsOneOf(strategies::ManyRanks)};
const std::vector<Condition> WithAlgorithm = {{"strategy.name", {"data", "collectives"}}};
const std::vector<Condition> WhenSplit = {strategyIsOneOf(strategies::TrainingTogether)};
const std::vector<Condition> WhenData = {{"strategy.name", {"data"}}};

std::vector<Parameter> transportRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Ranks");
    return {
        {.name = "comm.backend",
            .group = Group,
            .label = LS_TR("Parameters", "Backend"),
            .help = LS_TR("Parameters", "What carries the messages between the ranks."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"auto", LS_TR("Parameters", "Automatic"),
                            LS_TR("Parameters", "The fastest that works here; the log says which and why.")},
                {"shm", LS_TR("Parameters", "Shared memory"),
                    LS_TR("Parameters",
                        "Memory that all ranks of this machine see, also that of a GPU they share: the fastest on one machine.")},
                {"gloo", LS_TR("Parameters", "Gloo"),
                    LS_TR("Parameters", "PyTorch's CPU backend over TCP, as torch.distributed uses it.")},
                {"nccl", LS_TR("Parameters", "NCCL"),
                    LS_TR("Parameters", "NVIDIA's library: from GPU to GPU; every rank needs a GPU to itself.")},
                {"mpi", LS_TR("Parameters", "MPI"),
                    LS_TR("Parameters",
                        "The ranks are started by Open MPI's mpirun and speak through it, as on large computers.")}},
            .standard = std::string("auto"),
            .appliesWhen = BetweenRanks},
        {.name = "comm.nccl_shared_gpu",
            .group = Group,
            .label = LS_TR("Parameters", "NCCL with several ranks on a GPU"),
            .help = LS_TR("Parameters",
                "Lets NCCL carry the messages of ranks that share a GPU: an experiment of NCCL 2.30 and later, made for two "
                "ranks on each. Off: they use shared memory of the GPU."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = {strategyIsOneOf(strategies::ManyRanks), {"comm.backend", {"auto", "nccl"}}}},
        {.name = "comm.timeout_s",
            .group = Group,
            .label = LS_TR("Parameters", "Time limit"),
            .help = LS_TR("Parameters", "After so long without the other ranks a collective fails and says who is missing."),
            .unit = LS_TR("Parameters", "s"),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.1, 86'400},
            .standard = 30.0,
            .appliesWhen = BetweenRanks},
        {.name = "comm.check",
            .group = Group,
            .label = LS_TR("Parameters", "Check every call"),
            .help = LS_TR("Parameters",
                "Compares sizes and types between the ranks at every call; shared memory always does."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = BetweenRanks},
        {.name = "measure.mode",
            .group = Group,
            .label = LS_TR("Parameters", "Timing"),
            .help = LS_TR("Parameters", "Whether the ranks are slowed down so that their times say more."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"speed", LS_TR("Parameters", "Speed"),
                            LS_TR("Parameters",
                                "Nothing is added to the training. What a rank spends in a communication before the last rank has come counts as waiting.")},
                {"measure", LS_TR("Parameters", "Measure"),
                    LS_TR("Parameters",
                        "A barrier before each communication tells waiting from transferring, also on a GPU. It costs time: how "
                        "much is told at the end, from blocks of steps that go without.")}},
            .standard = std::string("speed"),
            .appliesWhen = {{"strategy.name", {"data"}}}},
    };
}

Parameter algorithmRow(std::string_view group)
{
    return {.name = "aggregation.algorithm",
        .group = group,
        .label = LS_TR("Parameters", "Algorithm"),
        .help = LS_TR("Parameters", "How the ranks make one array out of theirs."),
        .type = Type::Choice,
        .choices
        = {{"all_reduce", LS_TR("Parameters", "All-reduce"), LS_TR("Parameters", "The backend's own all-reduce.")},
            {"reduce_broadcast", LS_TR("Parameters", "Reduce + broadcast"),
                LS_TR("Parameters", "Rank 0 gets the sum and hands it out.")},
            {"gather_broadcast", LS_TR("Parameters", "Gather + broadcast"),
                LS_TR("Parameters", "Rank 0 gets every array, adds them up and hands the sum out.")},
            {"all_gather", LS_TR("Parameters", "All-gather"),
                LS_TR("Parameters", "Every rank gets every array and adds them up by itself.")},
            {"reduce_scatter_all_gather", LS_TR("Parameters", "Reduce-scatter + all-gather"),
                LS_TR("Parameters", "Each rank adds up one part; then the parts are exchanged.")},
            {"ring", LS_TR("Parameters", "Ring"),
                LS_TR("Parameters", "Chunks go round a ring twice: the fewest bytes, the most messages.")},
            {"tree", LS_TR("Parameters", "Tree"),
                LS_TR("Parameters", "Sums go up a binomial tree and come down again: few messages, whole arrays.")},
            {"halving_doubling", LS_TR("Parameters", "Halving-doubling"),
                LS_TR("Parameters", "Partners exchange halves of halves: few messages and few bytes.")},
            {"parameter_server", LS_TR("Parameters", "Parameter server"),
                LS_TR("Parameters", "Everyone sends to rank 0 and waits for its answer.")},
            {"parameter_server_async", LS_TR("Parameters", "Parameter server, asynchronous"),
                LS_TR("Parameters", "Rank 0 applies each gradient as it comes; nobody waits for the slow ones.")}},
        .standard = std::string("all_reduce"),
        .appliesWhen = WithAlgorithm};
}

std::vector<Parameter> aggregationRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Aggregation");
    return {
        algorithmRow(Group),
        {.name = "aggregation.rule",
            .group = Group,
            .label = LS_TR("Parameters", "Rule"),
            .help = LS_TR("Parameters", "What becomes of the ranks' arrays, number by number."),
            .type = Type::Choice,
            .choices = {{"mean", LS_TR("Parameters", "Mean"), LS_TR("Parameters", "Every rank counts the same.")},
                {"weighted_mean", LS_TR("Parameters", "Weighted mean"),
                    LS_TR("Parameters", "Ranks count by their number of samples: exact also for unequal shares.")},
                {"sum", LS_TR("Parameters", "Sum"),
                    LS_TR("Parameters", "As large as the ranks are many: a mean with a larger learning rate.")},
                {"median", LS_TR("Parameters", "Median"),
                    LS_TR("Parameters", "The middle value: outliers have no say. Needs all arrays in one place.")},
                {"trimmed_mean", LS_TR("Parameters", "Trimmed mean"),
                    LS_TR("Parameters", "The mean without the largest and smallest values. Needs all arrays in one place.")}},
            .standard = std::string("mean"),
            .appliesWhen = WhenData},
        {.name = "aggregation.trim",
            .group = Group,
            .label = LS_TR("Parameters", "Trimmed share"),
            .help = LS_TR("Parameters", "Share of the ranks left out at each end."),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.0, 0.5, false, true},
            .standard = 0.25,
            .appliesWhen = {{"strategy.name", {"data"}}, {"aggregation.rule", {"trimmed_mean"}}}},
        {.name = "aggregation.what",
            .group = Group,
            .label = LS_TR("Parameters", "What is shared"),
            .help = LS_TR("Parameters", "Gradients after every step, or the weights now and then."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"gradients", LS_TR("Parameters", "Gradients"),
                            LS_TR("Parameters", "Every step: all ranks keep the same weights.")},
                {"weights", LS_TR("Parameters", "Weights"),
                    LS_TR("Parameters", "Ranks train on their own and average their weights (local SGD).")}},
            .standard = std::string("gradients"),
            .appliesWhen = WhenData},
        {.name = "aggregation.every",
            .group = Group,
            .label = LS_TR("Parameters", "Average every"),
            .help = LS_TR("Parameters", "Steps that the ranks train on their own before they average; 0 for a whole epoch."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000},
            .standard = std::int64_t{10},
            .appliesWhen = {{"strategy.name", {"data"}}, {"aggregation.what", {"weights"}}}},
        {.name = "aggregation.staleness",
            .group = Group,
            .label = LS_TR("Parameters", "Staleness"),
            .help = LS_TR("Parameters", "Steps that the fastest rank may be ahead of the slowest."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000},
            .standard = std::int64_t{4},
            .appliesWhen
            = {{"strategy.name", {"data"}}, {"aggregation.algorithm", {"parameter_server_async"}}}},
    };
}

Parameter ranksRow(std::string_view name, std::string_view group, std::string_view label, std::string_view help,
    std::vector<Condition> conditions)
{
    return {.name = name,
        .group = group,
        .label = label,
        .help = help,
        .type = Type::IntegerList,
        .level = Level::Advanced,
        .range = {0, 1023},
        .standard = std::vector<std::int64_t>(),
        .appliesWhen = std::move(conditions)};
}

Parameter amountRow(std::string_view name, std::string_view group, std::string_view label, std::string_view help,
    std::string_view unit, Range range, double standard, std::vector<Condition> conditions)
{
    return {.name = name,
        .group = group,
        .label = label,
        .help = help,
        .unit = unit,
        .type = Type::Real,
        .level = Level::Advanced,
        .range = range,
        .standard = standard,
        .appliesWhen = std::move(conditions)};
}

std::vector<Parameter> bottleneckRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Bottleneck");
    return {
        ranksRow("straggler.ranks", Group, LS_TR("Parameters", "Slow ranks"),
            LS_TR("Parameters", "Ranks whose arithmetic is slowed down, such as 1,3; empty for all."), WhenData),
        amountRow("straggler.delay_ms", Group, LS_TR("Parameters", "Extra time a step"),
            LS_TR("Parameters", "The slow ranks sleep so long in every step."), LS_TR("Parameters", "ms"), {0, 60'000}, 0.0,
            WhenData),
        amountRow("straggler.factor", Group, LS_TR("Parameters", "Slowness"),
            LS_TR("Parameters", "The slow ranks' arithmetic takes so many times as long; 1 leaves it as it is."), "×",
            {1, 1000}, 1.0, WhenData),
        ranksRow("link.ranks", Group, LS_TR("Parameters", "Ranks with a slow link"),
            LS_TR("Parameters", "Ranks whose messages are slowed down, such as 0,2; empty for all."), BetweenRanks),
        amountRow("link.latency_us", Group, LS_TR("Parameters", "Link latency"),
            LS_TR("Parameters", "Extra time for every message; with a link set, collectives are composed of messages."),
            LS_TR("Parameters", "µs"), {0, 10'000'000}, 0.0, BetweenRanks),
        amountRow("link.bandwidth_mbps", Group, LS_TR("Parameters", "Link bandwidth"),
            LS_TR("Parameters", "Bits that a link carries a second; 0 sets no limit."), LS_TR("Parameters", "Mbit/s"),
            {0, 10'000'000}, 0.0, BetweenRanks),
    };
}

std::vector<Parameter> formRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Aggregation");
    const std::vector<Condition> whenBuckets = {{"strategy.name", {"data"}}, {"comm.form", {"buckets"}}};
    return {
        {.name = "comm.form",
            .group = Group,
            .label = LS_TR("Parameters", "Form"),
            .help = LS_TR("Parameters", "In how many pieces the gradients of a step are sent, and when."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"flat", LS_TR("Parameters", "One array"),
                            LS_TR("Parameters", "All gradients together, after backward.")},
                {"tensors", LS_TR("Parameters", "Tensor by tensor"),
                    LS_TR("Parameters", "One collective for each parameter, after backward: the plain way.")},
                {"buckets", LS_TR("Parameters", "Buckets"),
                    LS_TR("Parameters", "Several parameters together, sent while backward goes on: as PyTorch's DDP.")}},
            .standard = std::string("flat"),
            .appliesWhen = {{"strategy.name", {"data"}}, {"aggregation.what", {"gradients"}},
                {"aggregation.algorithm", {"all_reduce"}}}},
        {.name = "comm.bucket_kb",
            .group = Group,
            .label = LS_TR("Parameters", "Bucket"),
            .help = LS_TR("Parameters", "A bucket is sent once it holds so much."),
            .unit = LS_TR("Parameters", "kB"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 1'000'000},
            .standard = std::int64_t{1000},
            .appliesWhen = whenBuckets},
        {.name = "comm.first_bucket_kb",
            .group = Group,
            .label = LS_TR("Parameters", "First bucket"),
            .help = LS_TR("Parameters", "The first is smaller, so that something is under way early."),
            .unit = LS_TR("Parameters", "kB"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 1'000'000},
            .standard = std::int64_t{4},
            .appliesWhen = whenBuckets},
    };
}

std::vector<Parameter> verifyRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Aggregation");
    return {
        {.name = "verify",
            .group = Group,
            .label = LS_TR("Parameters", "Verify"),
            .help = LS_TR("Parameters",
                "Afterwards one process carries out the same plan without communication; the losses are compared."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = WhenSplit},
        {.name = "verify.steps",
            .group = Group,
            .label = LS_TR("Parameters", "Steps to verify"),
            .help = LS_TR("Parameters",
                "Rounding grows from step to step, so the first ones are compared; 0 compares all."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000'000},
            .standard = std::int64_t{50},
            .appliesWhen = {strategyIsOneOf(strategies::TrainingTogether), {"verify", {"true"}}}},
    };
}

} // namespace

std::vector<Parameter> communicationParameters()
{
    std::vector<Parameter> rows;
    for (auto group : {transportRows, aggregationRows, formRows, verifyRows, bottleneckRows}) {
        auto more = group();
        rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return rows;
}

} // namespace lockstep::experiment
