#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "experiment/text_windows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::experiment {

namespace {

constexpr std::int64_t StandardDigits = 8000;

/// How many ranks a strategy takes; 0 in a spec means `standard`.
struct Ranks {
    std::string_view strategy;
    std::int32_t fewest;
    std::int32_t standard;
    std::int32_t most;
};

constexpr std::array RanksOfStrategies{Ranks{"single", 1, 1, 1}, Ranks{"data", 1, 2, 64}, Ranks{"pipeline", 1, 2, 64},
    Ranks{"zero", 1, 2, 64}, Ranks{"tensor", 1, 2, 64}, Ranks{"grid", 1, 4, 64},
    Ranks{"collectives", 1, 2, 64}};

const Ranks* ranksOf(std::string_view strategy)
{
    const auto found = std::find_if(RanksOfStrategies.begin(), RanksOfStrategies.end(),
        [strategy](const Ranks& each) { return each.strategy == strategy; });
    return found == RanksOfStrategies.end() ? nullptr : &*found;
}

/// The ranks of a strategy whose own parameters say how many there are.
struct Parts {
    std::int64_t ranks = 0;
    std::string text; ///< "whose 2 stages (pipeline.stages) are a rank each"
};

std::optional<Parts> partsOf(const RunSpec& run)
{
    const std::string& strategy = run.text("strategy.name");
    if (strategy == "pipeline") {
        const std::int64_t stages = run.integer("pipeline.stages");
        return Parts{stages, "whose " + std::to_string(stages) + " stages (pipeline.stages) are a rank each"};
    }
    if (strategy == "tensor") {
        const std::int64_t parts = run.integer("tensor.size");
        return Parts{parts, "whose " + std::to_string(parts) + " parts of a layer (tensor.size) are a rank each"};
    }
    if (strategy == "grid") {
        const std::array sizes{run.integer("grid.data"), run.integer("grid.pipeline"), run.integer("grid.tensor")};
        const std::int64_t ranks = sizes[0] * sizes[1] * sizes[2];
        return Parts{ranks, "whose " + std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x "
                + std::to_string(sizes[2]) + " (grid.data x grid.pipeline x grid.tensor) are " + std::to_string(ranks)
                + " ranks"};
    }
    return std::nullopt;
}

/// 0 where only the files can tell.
std::int64_t knownTrainSamples(const RunSpec& run)
{
    const std::string& data = run.text("dataset.name");
    if (const std::int64_t asked = run.integer("dataset.train_samples"); asked != 0) {
        return asked;
    }
    if (data == "text" && run.text("dataset.path").empty()) {
        return textWindows(BuiltInTextBytes, run.integer("net.context")).train;
    }
    return data == "digits" ? StandardDigits : 0;
}

Result<void> validateNet(const RunSpec& run)
{
    const std::string& net = run.text("net.name");
    const std::string& data = run.text("dataset.name");
    const bool readsText = net == "gpt";
    if (readsText && data != "text") {
        return Error{"net.name: gpt reads text, byte by byte; " + data + " are images. Take dataset.name text"};
    }
    if (!readsText && data == "text") {
        return Error{"net.name: " + net + " takes images of 28 x 28; for dataset.name text take gpt"};
    }
    const std::int64_t width = run.integer("net.width");
    const std::int64_t heads = run.integer("net.heads");
    if (readsText && width % heads != 0) {
        return Error{"net.heads: " + std::to_string(heads) + " heads cannot take equal parts of net.width "
            + std::to_string(width) + "; they must divide it"};
    }
    return {};
}

Result<void> validatePartition(const RunSpec& run)
{
    const std::string& partition = run.text("partition.name");
    if (run.text("dataset.name") == "text" && (partition == "by-label" || partition == "dirichlet")) {
        return Error{"partition.name: " + partition
            + " goes by the label of each sample, and a window of text has none of its own; take reshuffled, "
              "random-sampling, random, contiguous, strided or unequal"};
    }
    return {};
}

Result<void> validateData(const RunSpec& run, std::int32_t ranks)
{
    if (run.text("dataset.name") == "idx" && run.text("dataset.path").empty()) {
        return Error{"dataset.path: an idx data set needs the folder of its four files"};
    }
    const std::int64_t known = knownTrainSamples(run);
    const std::string ranksText = std::to_string(ranks) + " ranks";
    if (run.text("optimizer.name") == "gd") {
        return known != 0 && known < ranks
            ? Error{"dataset.train_samples: " + std::to_string(known) + " leave some of " + ranksText + " without any"}
            : Result<void>();
    }
    if (auto enough = known != 0 ? checkBatch(run, known) : Result<void>(); !enough) {
        return enough;
    }
    if (const std::int64_t batch = globalBatch(run); batch < ranks) {
        return Error{"train.batch: " + std::to_string(batch) + " leaves some of " + ranksText
            + " without a sample; it must be at least " + std::to_string(ranks)};
    }
    return {};
}

Result<void> validateRankList(const RunSpec& run, std::string_view name, std::int32_t ranks)
{
    for (const std::int64_t rank : run.integers(name)) {
        if (rank >= ranks) {
            return Error{std::string(name) + ": there is no rank " + std::to_string(rank) + "; the ranks are 0 to "
                + std::to_string(ranks - 1)};
        }
    }
    return {};
}

Result<void> validateAggregation(const RunSpec& run)
{
    const std::string& algorithm = run.text("aggregation.algorithm");
    const std::string& rule = run.text("aggregation.rule");
    const bool sharesWeights = run.text("aggregation.what") == "weights";
    const bool needsAll = rule == "median" || rule == "trimmed_mean";
    if (algorithm == "parameter_server_async") {
        if (run.boolean("verify")) {
            return Error{"verify: an asynchronous parameter server applies gradients in the order in which they come, "
                         "which no other process can repeat; use parameter_server"};
        }
        if (sharesWeights) {
            return Error{"aggregation.what: an asynchronous parameter server takes gradients, not weights"};
        }
        if (needsAll) {
            return Error{"aggregation.rule: " + rule
                + " needs all gradients of a step at once, an asynchronous parameter server sees one at a time; it "
                  "takes sum, mean, weighted_mean"};
        }
        if (run.text("optimizer.name") == "gd") {
            return Error{"optimizer.name: gd takes the gradient of the whole set, an asynchronous parameter server sees "
                         "parts of it; take sgd"};
        }
    }
    if (run.text("comm.form") != "flat" && (sharesWeights || needsAll || algorithm != "all_reduce")) {
        return Error{"comm.form: " + run.text("comm.form")
            + " sends gradients through the backend's own all-reduce; it takes aggregation.algorithm all_reduce, "
              "aggregation.what gradients and the rules sum, mean, weighted_mean"};
    }
    constexpr std::array Gathering{"all_gather", "gather_broadcast", "parameter_server"};
    if (needsAll && std::find(Gathering.begin(), Gathering.end(), algorithm) == Gathering.end()) {
        return Error{"aggregation.rule: " + rule + " needs all arrays in one place, " + algorithm
            + " adds them up on the way; take all_gather, gather_broadcast or parameter_server"};
    }
    if (sharesWeights && rule == "sum") {
        return Error{"aggregation.rule: the sum of the ranks' weights is no net; weights take mean, weighted_mean, "
                     "median, trimmed_mean"};
    }
    return {};
}

Result<void> validateCheckpoints(const RunSpec& run)
{
    const bool isAsync = run.text("strategy.name") == "data"
        && run.text("aggregation.algorithm") == "parameter_server_async";
    const bool goesOn = !run.text("checkpoint.from").empty();
    if (isAsync && (goesOn || run.integer("checkpoint.every") > 0)) {
        return Error{std::string(goesOn ? "checkpoint.from" : "checkpoint.every")
            + ": the ranks of an asynchronous parameter server never stand at the same step; use parameter_server"};
    }
    const bool isDealt = run.text("strategy.name") == "data" || run.text("strategy.name") == "zero";
    if (goesOn && isDealt && run.boolean("verify")) {
        return Error{"checkpoint.from: a run that is verified begins at its first step"};
    }
    return {};
}

Result<void> validateModelParallel(const RunSpec& run)
{
    const std::string& strategy = run.text("strategy.name");
    if (run.text("optimizer.name") == "gd") {
        return Error{"optimizer.name: gd takes the gradient of the whole set at once, strategy.name " + strategy
            + " goes by batches; take sgd"};
    }
    if (strategy == "tensor") {
        return {};
    }
    const bool hasLinks = run.real("link.latency_us") > 0.0 || run.real("link.bandwidth_mbps") > 0.0;
    if (hasLinks && run.text("pipeline.transport") == "rpc") {
        return Error{"pipeline.transport: rpc goes through LibTorch's own agent, on which no link can be emulated; take "
                     "p2p, or leave link.latency_us and link.bandwidth_mbps at 0"};
    }
    const bool isGrid = strategy == "grid";
    const std::int64_t microBatches = run.integer("pipeline.microbatches");
    const std::int64_t samples = run.integer("train.batch") / (isGrid ? run.integer("grid.data") : 1);
    if (microBatches > samples) {
        return Error{"pipeline.microbatches: " + std::to_string(microBatches) + " are more than the "
            + std::to_string(samples) + " samples of a batch" + (isGrid ? " that each copy of the net takes" : "")};
    }
    const auto parts = static_cast<std::size_t>(run.integer(isGrid ? "grid.pipeline" : "pipeline.stages")
        * (run.text("pipeline.schedule") == "interleaved" ? run.integer("pipeline.virtual") : 1));
    const std::size_t cut = run.integers("pipeline.cut").size();
    if (cut != 0 && cut != parts) {
        return Error{"pipeline.cut: " + std::to_string(cut) + " numbers for " + std::to_string(parts)
            + " parts; it takes one for each"};
    }
    return {};
}

Result<void> validateZero(const RunSpec& run)
{
    if (run.text("optimizer.name") == "gd") {
        return Error{"optimizer.name: gd takes the gradient of the whole set at once, ZeRO goes by batches; take sgd"};
    }
    return {};
}

Result<void> validateSweep(const RunSpec& run)
{
    if (run.integer("sweep.min_bytes") > run.integer("sweep.max_bytes")) {
        return Error{"sweep.min_bytes: " + std::to_string(run.integer("sweep.min_bytes")) + " is more than sweep.max_bytes, "
            + std::to_string(run.integer("sweep.max_bytes"))};
    }
    const std::string& reduction = run.text("sweep.reduction");
    const std::string& type = run.text("sweep.type");
    const bool isBitwise = reduction == "band" || reduction == "bor" || reduction == "bxor";
    if (isBitwise && type.find("int") == std::string::npos) {
        return Error{"sweep.reduction: " + reduction + " is not defined for " + type + "; it takes int32, int64, uint8"};
    }
    if (run.text("aggregation.algorithm") == "parameter_server_async") {
        return Error{"aggregation.algorithm: parameter_server_async is no collective; take parameter_server"};
    }
    if (run.text("aggregation.algorithm") != "all_reduce" && run.text("collective.name") != "all_reduce") {
        return Error{"aggregation.algorithm: " + run.text("aggregation.algorithm") + " makes an all-reduce; "
            + run.text("collective.name") + " has only the backend's own (all_reduce)"};
    }
    return {};
}

} // namespace

Result<std::int32_t> worldSizeOf(const RunSpec& run)
{
    const std::string& strategy = run.text("strategy.name");
    const Ranks* ranks = ranksOf(strategy);
    if (ranks == nullptr) {
        return Error{"strategy.name: " + strategy + " is not known"};
    }
    const std::int64_t asked = run.integer("world_size");
    if (const auto parts = partsOf(run)) {
        if (parts->ranks > ranks->most) {
            return Error{"grid.data: " + std::to_string(parts->ranks)
                + " ranks are too many (grid.data x grid.pipeline x grid.tensor); it can be at most "
                + std::to_string(ranks->most)};
        }
        return asked == 0 || asked == parts->ranks
            ? Result<std::int32_t>(static_cast<std::int32_t>(parts->ranks))
            : Error{"world_size: " + std::to_string(asked) + " does not fit strategy.name " + strategy + ", "
                  + parts->text};
    }
    if (asked == 0) {
        return ranks->standard;
    }
    if (asked < ranks->fewest || asked > ranks->most) {
        const std::string needs = ranks->fewest == ranks->most
            ? "which needs " + std::to_string(ranks->fewest)
            : "which takes " + std::to_string(ranks->fewest) + " to " + std::to_string(ranks->most);
        return Error{"world_size: " + std::to_string(asked) + " does not fit strategy.name " + strategy + ", " + needs};
    }
    return static_cast<std::int32_t>(asked);
}

bool isBatchOfEachRank(const RunSpec& run)
{
    const std::string& strategy = run.text("strategy.name");
    return (strategy == "data" || strategy == "zero") && run.text("train.batch_of") == "rank"
        && run.text("optimizer.name") != "gd";
}

std::int64_t globalBatch(const RunSpec& run)
{
    const std::int64_t batch = run.integer("train.batch");
    const auto ranks = isBatchOfEachRank(run) ? worldSizeOf(run) : Result<std::int32_t>(1);
    return ranks ? batch * *ranks : batch;
}

Result<void> checkBatch(const RunSpec& run, std::int64_t trainSamples)
{
    const std::int64_t asked = run.integer("train.batch");
    const std::int64_t batch = globalBatch(run);
    if (run.text("optimizer.name") == "gd" || batch <= trainSamples) {
        return {};
    }
    return Error{"train.batch: " + std::to_string(asked)
        + (batch > asked ? " of each rank, " + std::to_string(batch) + " together," : "") + " is more than the "
        + std::to_string(trainSamples) + " training samples"};
}

Result<void> validate(const RunSpec& run)
{
    const auto ranks = worldSizeOf(run);
    if (!ranks) {
        return ranks.error();
    }
    const std::string& strategy = run.text("strategy.name");
    if (strategy == "collectives") {
        const auto links = validateRankList(run, "link.ranks", *ranks);
        return links ? validateSweep(run) : links;
    }
    if (auto kept = validateCheckpoints(run); !kept) {
        return kept;
    }
    if (auto net = validateNet(run); !net) {
        return net;
    }
    const std::int32_t batchParts = strategy == "data" || strategy == "zero" ? *ranks
        : strategy == "grid" ? static_cast<std::int32_t>(run.integer("grid.data"))
                             : 1;
    if (auto data = validateData(run, batchParts); !data || strategy == "single") {
        return data;
    }
    if (partsOf(run)) {
        const auto links = validateRankList(run, "link.ranks", *ranks);
        return links ? validateModelParallel(run) : links;
    }
    if (strategy == "zero") {
        if (auto links = validateRankList(run, "link.ranks", *ranks); !links) {
            return links;
        }
        const auto partition = validatePartition(run);
        return partition ? validateZero(run) : partition;
    }
    for (const char* list : {"straggler.ranks", "link.ranks"}) {
        if (auto valid = validateRankList(run, list, *ranks); !valid) {
            return valid;
        }
    }
    if (auto partition = validatePartition(run); !partition) {
        return partition;
    }
    return validateAggregation(run);
}

} // namespace lockstep::experiment
