#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view TransportGroup = LS_TR("Parameters", "Ranks");
constexpr std::string_view AggregationGroup = LS_TR("Parameters", "Aggregation");
const std::vector<Condition> BetweenRanks = {strategyIsOneOf(strategies::ManyRanks)};
const std::vector<Condition> WithAlgorithm = {{"strategy.name", {"data", "local", "collectives"}}};
const std::vector<Condition> WhenData = {{"strategy.name", {"data"}}};
const std::vector<Condition> WhenReplicas = {strategyIsOneOf(strategies::Replicas)};
const std::vector<Condition> WhenTogether = {strategyIsOneOf(strategies::TrainingTogether)};

std::vector<Parameter> backendRows()
{
    return {
        {.name = "comm.backend",
            .fills = &CommSettings::backend,
            .group = TransportGroup,
            .label = LS_TR("Parameters", "Backend"),
            .help = LS_TR("Parameters", "The library that carries messages between ranks."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices
            = {{"auto", LS_TR("Parameters", "Automatic"),
                   LS_TR("Parameters", "The fastest backend that works here; the log says which one and why.")},
                {"shm", LS_TR("Parameters", "Shared memory"),
                    LS_TR("Parameters",
                        "Memory that all ranks on this machine can access, including that of a GPU they share: the "
                        "fastest on one machine.")},
                {"gloo", LS_TR("Parameters", "Gloo"),
                    LS_TR("Parameters", "PyTorch's CPU backend over TCP, as torch.distributed uses it.")},
                {"nccl", LS_TR("Parameters", "NCCL"),
                    LS_TR("Parameters",
                        "NVIDIA's library for communication between GPUs; every rank needs its own GPU.")},
                {"mpi", LS_TR("Parameters", "MPI"),
                    LS_TR("Parameters",
                        "Open MPI's mpirun starts the ranks, and they communicate through MPI, as on clusters.")},
                {"hierarchical", LS_TR("Parameters", "Hierarchical"),
                    LS_TR("Parameters",
                        "For ranks on several hosts: an all-reduce uses shared memory within each host and Gloo "
                        "between one rank per host. On one host, it is the same as shared memory.")}},
            .standard = std::string("auto"),
            .appliesWhen = BetweenRanks},
        {.name = "comm.nccl_shared_gpu",
            .fills = &CommSettings::ncclSharesGpu,
            .group = TransportGroup,
            .label = LS_TR("Parameters", "NCCL with several ranks per GPU"),
            .help = LS_TR("Parameters",
                "Lets ranks that share a GPU communicate through NCCL: an experimental feature of NCCL 2.30 and "
                "later, made for two ranks per GPU. Off: they use shared memory on the GPU."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = {strategyIsOneOf(strategies::ManyRanks), {"comm.backend", {"auto", "nccl"}}}},
    };
}

/// How long a call may take, and whether its arguments are compared.
std::vector<Parameter> callRows()
{
    return {
        {.name = "comm.timeout_s",
            .fills = &CommSettings::timeoutSeconds,
            .group = TransportGroup,
            .label = LS_TR("Parameters", "Timeout"),
            .help = LS_TR("Parameters",
                "A collective that waits this long for other ranks fails and names the missing ones. At the start the "
                "ranks wait as long for each other, but at least 20 s."),
            .unit = LS_TR("Parameters", "s"),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.1, 86'400},
            .standard = 30.0,
            .appliesWhen = BetweenRanks},
        {.name = "comm.interface",
            .fills = &CommSettings::interface,
            .group = TransportGroup,
            .label = LS_TR("Parameters", "Network interface"),
            .help = LS_TR("Parameters",
                "By name (eth0) or subnet (10.1.0.0/16), for ranks on several hosts; each host uses its own. Empty: "
                "GLOO_SOCKET_IFNAME or NCCL_SOCKET_IFNAME, else the interface through which rank 0's host is reached."),
            .type = Type::Text,
            .level = Level::Advanced,
            .standard = std::string(),
            .appliesWhen = BetweenRanks},
        {.name = "comm.check",
            .fills = &CommSettings::isChecked,
            .group = TransportGroup,
            .label = LS_TR("Parameters", "Check every call"),
            .help = LS_TR(
                "Parameters", "Compares sizes and data types between ranks at every call; shared memory always does."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = BetweenRanks},
    };
}

Parameter timingRow()
{
    return {.name = "measure.mode",
        .fills = &MeasureSettings::mode,
        .group = TransportGroup,
        .label = LS_TR("Parameters", "Timing"),
        .help = LS_TR("Parameters", "Whether to slow the ranks down for more detailed timings."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"speed", LS_TR("Parameters", "Speed"),
                        LS_TR("Parameters",
                            "Adds nothing to training. Time that a rank spends in a communication before the "
                            "last rank arrives counts as waiting.")},
            {"measure", LS_TR("Parameters", "Measure"),
                LS_TR("Parameters",
                    "In three out of four blocks of steps, a barrier before the communication separates waiting from "
                    "transferring, also on a GPU. The barrier costs time; the run reports how much, estimated from the "
                    "blocks without it.")}},
        .standard = std::string("speed"),
        .appliesWhen = WhenReplicas};
}

std::vector<Parameter> transportRows()
{
    return joinRows({backendRows(), callRows(), {timingRow()}});
}

Parameter algorithmRow()
{
    return {.name = "aggregation.algorithm",
        .fills = &AggregationSettings::algorithm,
        .group = AggregationGroup,
        .label = LS_TR("Parameters", "Algorithm"),
        .help = LS_TR("Parameters", "How the ranks combine their arrays into one."),
        .type = Type::Choice,
        .choices
        = {{"all_reduce", LS_TR("Parameters", "All-reduce"), LS_TR("Parameters", "The backend's own all-reduce.")},
            {"reduce_broadcast", LS_TR("Parameters", "Reduce + broadcast"),
                LS_TR("Parameters", "Rank 0 receives the sum and broadcasts it.")},
            {"gather_broadcast", LS_TR("Parameters", "Gather + broadcast"),
                LS_TR("Parameters", "Rank 0 gathers all arrays, sums them and broadcasts the result.")},
            {"all_gather", LS_TR("Parameters", "All-gather"),
                LS_TR("Parameters", "Every rank gathers all arrays and sums them itself.")},
            {"reduce_scatter_all_gather", LS_TR("Parameters", "Reduce-scatter + all-gather"),
                LS_TR("Parameters", "Each rank sums one part; then the ranks exchange the parts.")},
            {"ring", LS_TR("Parameters", "Ring"),
                LS_TR("Parameters", "Chunks travel around a ring twice: fewest bytes, most messages.")},
            {"tree", LS_TR("Parameters", "Tree"),
                LS_TR("Parameters", "Sums travel up a binomial tree and back down: few messages, whole arrays.")},
            {"halving_doubling", LS_TR("Parameters", "Halving-doubling"),
                LS_TR("Parameters", "Partners exchange halves recursively: few messages and few bytes.")},
            {"parameter_server", LS_TR("Parameters", "Parameter server"),
                LS_TR("Parameters", "All ranks send to rank 0 and wait for its answer.")},
            {"parameter_server_async", LS_TR("Parameters", "Parameter server, asynchronous"),
                LS_TR("Parameters", "Rank 0 applies each gradient on arrival; fast ranks do not wait for slow ones.")}},
        .standard = std::string("all_reduce"),
        .appliesWhen = WithAlgorithm};
}

std::vector<Parameter> ruleRows()
{
    return {
        {.name = "aggregation.rule",
            .fills = &AggregationSettings::rule,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Rule"),
            .help = LS_TR("Parameters", "How the ranks' arrays are combined, element by element."),
            .type = Type::Choice,
            .choices = {{"mean", LS_TR("Parameters", "Mean"), LS_TR("Parameters", "Every rank counts equally.")},
                {"weighted_mean", LS_TR("Parameters", "Weighted mean"),
                    LS_TR("Parameters", "Ranks count by their number of samples: exact for unequal shares, too.")},
                {"sum", LS_TR("Parameters", "Sum"),
                    LS_TR("Parameters", "The mean times the number of ranks: acts like a larger learning rate.")},
                {"median", LS_TR("Parameters", "Median"),
                    LS_TR("Parameters", "The middle value: ignores outliers. Needs all arrays in one place.")},
                {"trimmed_mean", LS_TR("Parameters", "Trimmed mean"),
                    LS_TR("Parameters",
                        "The mean without the largest and smallest values. Needs all arrays in one place.")}},
            .standard = std::string("mean"),
            .appliesWhen = WhenReplicas,
            .mustAgree = true},
        {.name = "aggregation.trim",
            .fills = &AggregationSettings::trim,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Trimmed fraction"),
            .help = LS_TR("Parameters", "Fraction of the ranks discarded at each end."),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.0, 0.5, false, true},
            .standard = 0.25,
            .appliesWhen = {strategyIsOneOf(strategies::Replicas), {"aggregation.rule", {"trimmed_mean"}}}},
    };
}

std::vector<Parameter> whatRows()
{
    return {
        {.name = "aggregation.what",
            .fills = &AggregationSettings::what,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "What is aggregated"),
            .help = LS_TR("Parameters", "Gradients in every step, or weights every few steps."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"gradients", LS_TR("Parameters", "Gradients"),
                            LS_TR("Parameters", "In every step: all ranks keep the same weights.")},
                {"weights", LS_TR("Parameters", "Weights"),
                    LS_TR("Parameters", "Ranks train independently and average their weights (local SGD).")}},
            .standard = std::string("gradients"),
            .appliesWhen = WhenData,
            .mustAgree = true},
        {.name = "aggregation.every",
            .fills = &AggregationSettings::every,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Average every"),
            .help = LS_TR("Parameters",
                "Steps that each rank trains independently before the ranks average; 0 means a whole epoch."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000},
            .standard = std::int64_t{10},
            .zero = LS_TR("ZeroTexts", "an epoch"),
            .appliesWhen = {{"strategy.name", {"data"}}, {"aggregation.what", {"weights"}}},
            .mustAgree = true},
    };
}

Parameter stalenessRow()
{
    return {.name = "aggregation.staleness",
        .fills = &AggregationSettings::staleness,
        .group = AggregationGroup,
        .label = LS_TR("Parameters", "Staleness"),
        .help = LS_TR("Parameters", "How many steps the fastest rank may be ahead of the slowest."),
        .unit = LS_TR("Parameters", "steps"),
        .type = Type::Integer,
        .level = Level::Advanced,
        .range = {0, 1'000'000},
        .standard = std::int64_t{4},
        .appliesWhen = {{"strategy.name", {"data"}}, {"aggregation.algorithm", {"parameter_server_async"}}}};
}

std::vector<Parameter> aggregationRows()
{
    return joinRows({{algorithmRow()}, ruleRows(), whatRows(), {stalenessRow()}});
}

Parameter ranksRow(std::string_view name, Member fills, std::string_view group, std::string_view label,
    std::string_view help, std::vector<Condition> conditions)
{
    return {.name = name,
        .fills = fills,
        .group = group,
        .label = label,
        .help = help,
        .type = Type::IntegerList,
        .level = Level::Advanced,
        .range = {0, 1023},
        .standard = std::vector<std::int64_t>(),
        .appliesWhen = std::move(conditions)};
}

Parameter amountRow(std::string_view name, Member fills, std::string_view group, std::string_view label,
    std::string_view help, std::string_view unit, Range range, double standard, std::vector<Condition> conditions,
    std::string_view zero = {})
{
    return {.name = name,
        .fills = fills,
        .group = group,
        .label = label,
        .help = help,
        .unit = unit,
        .type = Type::Real,
        .level = Level::Advanced,
        .range = range,
        .standard = standard,
        .zero = zero,
        .appliesWhen = std::move(conditions)};
}

std::vector<Parameter> stragglerRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Stragglers");
    return {
        ranksRow("straggler.ranks", &StragglerSettings::ranks, Group, LS_TR("Parameters", "Stragglers"),
            LS_TR("Parameters", "Ranks whose computation is slowed down, such as 1,3; empty means all."), WhenTogether),
        amountRow("straggler.delay_ms", &StragglerSettings::delayMs, Group, LS_TR("Parameters", "Extra time per step"),
            LS_TR("Parameters", "How long the stragglers sleep in every step."), LS_TR("Parameters", "ms"), {0, 60'000},
            0.0, WhenTogether),
        amountRow("straggler.factor", &StragglerSettings::factor, Group, LS_TR("Parameters", "Slowdown factor"),
            LS_TR("Parameters", "The stragglers' computation takes this many times as long; 1 leaves it unchanged."),
            "×", {1, 1000}, 1.0, WhenTogether),
        ranksRow("link.ranks", &LinkSettings::ranks, Group, LS_TR("Parameters", "Ranks with a slow link"),
            LS_TR("Parameters", "Ranks whose messages are slowed down, such as 0,2; empty means all."), BetweenRanks),
        amountRow("link.latency_us", &LinkSettings::latencyUs, Group, LS_TR("Parameters", "Link latency"),
            LS_TR("Parameters",
                "Extra time per message; with an emulated link, collectives are built from point-to-point messages."),
            LS_TR("Parameters", "µs"), {0, 10'000'000}, 0.0, BetweenRanks, LS_TR("ZeroTexts", "no limit")),
        amountRow("link.bandwidth_mbps", &LinkSettings::bandwidthMbps, Group, LS_TR("Parameters", "Link bandwidth"),
            LS_TR("Parameters", "How much a link carries per second; 0 means no limit."), LS_TR("Parameters", "Mbit/s"),
            {0, 10'000'000}, 0.0, BetweenRanks, LS_TR("ZeroTexts", "no limit")),
    };
}

/// What a rank does wrong on purpose.
std::vector<Parameter> faultRows()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Faults");
    const std::vector<Condition> ofSamples{strategyIsOneOf(strategies::Replicas)};
    return {
        {.name = "fault.rank",
            .fills = &FaultSettings::rank,
            .group = Group,
            .label = LS_TR("Parameters", "Faulty rank"),
            .help = LS_TR("Parameters", "The rank that does what the other fault parameters say."),
            .unit = {},
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 63},
            .standard = std::int64_t{0},
            .appliesWhen = BetweenRanks},
        {.name = "fault.skip_collective",
            .fills = &FaultSettings::skippedCollective,
            .group = Group,
            .label = LS_TR("Parameters", "Skipped collective"),
            .help = LS_TR("Parameters",
                "The faulty rank does not enter its n-th collective or message, counted over all its groups from the "
                "start of the run, and the others wait until comm.timeout_s; 0 skips none."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000'000},
            .standard = std::int64_t{0},
            .appliesWhen = BetweenRanks},
        amountRow("fault.gradient_scale", &FaultSettings::gradientScale, Group,
            LS_TR("Parameters", "Wrong gradient scale"),
            LS_TR("Parameters", "The faulty rank multiplies its gradient by this before the aggregation; 1 is right."),
            "×", {0, 1000}, 1.0, ofSamples),
        amountRow("fault.unequal_batches", &FaultSettings::batchShare, Group, LS_TR("Parameters", "Share of the batch"),
            LS_TR("Parameters",
                "The faulty rank trains on this share of each of its batches, and its mean gradient counts as much as "
                "the others'; 1 is right."),
            {}, {0.01, 1}, 1.0, ofSamples),
    };
}

std::vector<Parameter> formRows()
{
    const std::vector<Condition> whenBuckets = {{"strategy.name", {"data"}}, {"comm.form", {"buckets"}}};
    return {
        {.name = "comm.form",
            .fills = &CommSettings::form,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Gradient grouping"),
            .help = LS_TR("Parameters", "How many messages carry the gradients of a step, and when they are sent."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"flat", LS_TR("Parameters", "Single array"),
                            LS_TR("Parameters", "All gradients in one message, after backward.")},
                {"tensors", LS_TR("Parameters", "Per tensor"),
                    LS_TR("Parameters", "One collective per parameter tensor, after backward: the simplest way.")},
                {"buckets", LS_TR("Parameters", "Buckets"),
                    LS_TR("Parameters",
                        "Several parameters per message, sent while backward is running, as in PyTorch's DDP.")}},
            .standard = std::string("flat"),
            .appliesWhen = {{"strategy.name", {"data"}}, {"aggregation.what", {"gradients"}},
                {"aggregation.algorithm", {"all_reduce"}}}},
        {.name = "comm.bucket_kb",
            .fills = &CommSettings::bucketKb,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Bucket size"),
            .help = LS_TR("Parameters", "A bucket is sent once it holds this much."),
            .unit = LS_TR("Parameters", "kB"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 1'000'000},
            .standard = std::int64_t{1000},
            .appliesWhen = whenBuckets},
        {.name = "comm.first_bucket_kb",
            .fills = &CommSettings::firstBucketKb,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "First bucket size"),
            .help = LS_TR("Parameters", "A smaller first bucket lets communication start early."),
            .unit = LS_TR("Parameters", "kB"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {1, 1'000'000},
            .standard = std::int64_t{4},
            .appliesWhen = whenBuckets},
    };
}

/// Not for a server that applies gradients in order of arrival.
std::vector<Condition> whenRepeatable()
{
    Condition algorithms{"aggregation.algorithm", {}};
    for (const Choice& choice : algorithmRow().choices) {
        if (choice.name != "parameter_server_async") {
            algorithms.values.push_back(choice.name);
        }
    }
    return {strategyIsOneOf(strategies::TrainingTogether), algorithms};
}

std::vector<Parameter> verifyRows()
{
    return {
        {.name = "verify",
            .fills = &VerifySettings::isOn,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Verify"),
            .help = LS_TR("Parameters",
                "After training, one process repeats the same plan without communication, and the losses are compared. "
                "In float32 it also repeats the plan with three other summation orders, to show how far rounding alone "
                "makes losses diverge. The order in which an asynchronous parameter server receives gradients cannot "
                "be reproduced."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = whenRepeatable()},
        {.name = "verify.steps",
            .fills = &VerifySettings::steps,
            .group = AggregationGroup,
            .label = LS_TR("Parameters", "Steps to verify"),
            .help = LS_TR("Parameters",
                "Rounding errors grow from step to step, so only the first steps are compared; 0 compares all."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000'000},
            .standard = std::int64_t{50},
            .zero = LS_TR("ZeroTexts", "all"),
            .appliesWhen = {strategyIsOneOf(strategies::TrainingTogether), {"verify", {"true"}}}},
    };
}

} // namespace

std::vector<Parameter> communicationParameters()
{
    return joinRows({transportRows(), aggregationRows(), formRows(), verifyRows(), stragglerRows(), faultRows()});
}

} // namespace lockstep::experiment
