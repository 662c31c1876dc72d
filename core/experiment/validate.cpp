#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/own_settings.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "experiment/text_windows.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::experiment {

namespace {

constexpr std::int64_t StandardDigits = 8000;

/// How many ranks a strategy takes; 0 in a spec means `standard`.
struct Ranks {
    Strategy strategy;
    std::int32_t fewest;
    std::int32_t standard;
    std::int32_t most;
};

constexpr std::array RanksOfStrategies{Ranks{Strategy::Single, 1, 1, 1}, Ranks{Strategy::Data, 1, 2, 64},
    Ranks{Strategy::Local, 1, 2, 64}, Ranks{Strategy::Pipeline, 1, 2, 64}, Ranks{Strategy::Zero, 1, 2, 64},
    Ranks{Strategy::Tensor, 1, 2, 64}, Ranks{Strategy::Grid, 1, 4, 64}, Ranks{Strategy::Collectives, 1, 2, 64},
    Ranks{Strategy::Own, 1, 1, 64}};

const Ranks* ranksOf(Strategy strategy)
{
    const auto found = std::find_if(RanksOfStrategies.begin(), RanksOfStrategies.end(),
        [strategy](const Ranks& each) { return each.strategy == strategy; });
    return found == RanksOfStrategies.end() ? nullptr : &*found;
}

/// The ranks of a strategy whose own parameters say how many there are.
struct Parts {
    std::int64_t ranks = 0;
    std::string_view mismatch; ///< why another number of ranks (%1) is refused, with `sizes` as %2, ...
    std::vector<std::string> sizes;
};

std::optional<Parts> partsOf(const RunSpec& run)
{
    const auto strategy = choice<Strategy>(run);
    if (strategy == Strategy::Pipeline) {
        const std::int64_t stages = run.integer("pipeline.stages");
        return Parts{stages,
            LS_TR("Refusals",
                "%1 does not fit strategy.name pipeline, which needs one rank for each of its %2 stages "
                "(pipeline.stages)"),
            {std::to_string(stages)}};
    }
    if (strategy == Strategy::Tensor) {
        const std::int64_t parts = run.integer("tensor.size");
        return Parts{parts,
            LS_TR("Refusals",
                "%1 does not fit strategy.name tensor, which needs one rank for each of the %2 parts of a layer "
                "(tensor.size)"),
            {std::to_string(parts)}};
    }
    if (strategy == Strategy::Grid) {
        const std::array sizes{run.integer("grid.data"), run.integer("grid.pipeline"), run.integer("grid.tensor")};
        const std::int64_t ranks = sizes[0] * sizes[1] * sizes[2];
        return Parts{ranks,
            LS_TR("Refusals",
                "%1 does not fit strategy.name grid, whose %2 x %3 x %4 (grid.data x grid.pipeline x grid.tensor) "
                "need %5 ranks"),
            {std::to_string(sizes[0]), std::to_string(sizes[1]), std::to_string(sizes[2]), std::to_string(ranks)}};
    }
    return std::nullopt;
}

/// 0 if only the files can tell.
std::int64_t knownTrainSamples(const RunSpec& run)
{
    const auto data = choice<DataSet>(run);
    if (const std::int64_t asked = run.integer("dataset.train_samples"); asked != 0) {
        return asked;
    }
    if (data == DataSet::Text && run.text("dataset.path").empty()) {
        return textWindows(BuiltInTextBytes, run.integer("net.context")).train;
    }
    return data == DataSet::Digits ? StandardDigits : 0;
}

Result<void> validateNet(const RunSpec& run)
{
    const bool readsText = is(run, NetName::Gpt);
    const bool isText = is(run, DataSet::Text);
    if (readsText && !isText) {
        return refusal("net.name",
            LS_TR("Refusals", "gpt reads text byte by byte, but %1 is a set of images; use dataset.name text"),
            {run.text("dataset.name")});
    }
    if (!readsText && isText) {
        return refusal(
            "net.name", LS_TR("Refusals", "%1 needs images; for dataset.name text use gpt"), {run.text("net.name")});
    }
    const std::int64_t width = run.integer("net.width");
    const std::int64_t heads = run.integer("net.heads");
    if (readsText && width % heads != 0) {
        return refusal("net.heads",
            LS_TR("Refusals", "%1 heads cannot share net.width %2 equally; their number must divide it"),
            {std::to_string(heads), std::to_string(width)});
    }
    return {};
}

Result<void> validatePartition(const RunSpec& run)
{
    if (is(run, DataSet::Text) && is(run, PartitionName::ByLabel, PartitionName::Dirichlet)) {
        return refusal("partition.name",
            LS_TR("Refusals",
                "%1 needs a label for each sample, and windows of text have none; use reshuffled, random-sampling, "
                "random, contiguous, strided or unequal"),
            {run.text("partition.name")});
    }
    return {};
}

Result<void> validateData(const RunSpec& run, std::int32_t ranks)
{
    if (is(run, DataSet::Idx) && run.text("dataset.path").empty()) {
        return refusal("dataset.path", LS_TR("Refusals", "an idx data set needs the folder with its four files"));
    }
    const std::int64_t known = knownTrainSamples(run);
    if (is(run, OptimizerName::Gd)) {
        return known != 0 && known < ranks
            ? refusal("dataset.train_samples", LS_TR("Refusals", "%1 samples leave some of %2 ranks without any"),
                {std::to_string(known), std::to_string(ranks)})
            : Result<void>();
    }
    LOCKSTEP_TRY(known != 0 ? checkBatch(run, known) : Result<void>());
    if (const std::int64_t batch = globalBatch(run); batch < ranks) {
        return refusal("train.batch",
            LS_TR("Refusals", "%1 leaves some of %2 ranks without a sample; it must be at least %2"),
            {std::to_string(batch), std::to_string(ranks)});
    }
    return {};
}

Result<void> validateRankList(const RunSpec& run, std::string_view name, std::int32_t ranks)
{
    for (const std::int64_t rank : run.integers(name)) {
        if (rank >= ranks) {
            return refusal(std::string(name), LS_TR("Refusals", "there is no rank %1; the ranks are 0 to %2"),
                {std::to_string(rank), std::to_string(ranks - 1)});
        }
    }
    return {};
}

/// The ranks of `lists` and that of the fault are ranks of the run.
Result<void> validateRanksNamed(const RunSpec& run, std::int32_t ranks, std::initializer_list<const char*> lists)
{
    for (const char* list : lists) {
        LOCKSTEP_TRY(validateRankList(run, list, ranks));
    }
    const std::int64_t rank = run.integer("fault.rank");
    if (run.integer("fault.skip_collective") > 0 && rank >= ranks) {
        return refusal("fault.rank", LS_TR("Refusals", "there is no rank %1; the ranks are 0 to %2"),
            {std::to_string(rank), std::to_string(ranks - 1)});
    }
    return {};
}

Result<void> validateAggregation(const RunSpec& run)
{
    const bool sharesWeights = trainsLocally(run) && !is(run, LocalMessage::Differences);
    const bool needsAll = is(run, Rule::Median, Rule::TrimmedMean);
    if (is(run, Algorithm::ParameterServerAsync)) {
        if (is(run, Strategy::Local)) {
            return refusal("aggregation.algorithm",
                LS_TR("Refusals",
                    "the ranks of strategy.name local synchronize together, but parameter_server_async lets no rank "
                    "wait for others; use parameter_server"));
        }
        if (sharesWeights) {
            return refusal("aggregation.what",
                LS_TR("Refusals", "an asynchronous parameter server aggregates gradients, not weights"));
        }
        if (needsAll) {
            return refusal("aggregation.rule",
                LS_TR("Refusals",
                    "%1 needs all gradients of a step at once, but an asynchronous parameter server sees one at a "
                    "time; use sum, mean or weighted_mean"),
                {run.text("aggregation.rule")});
        }
        if (is(run, OptimizerName::Gd)) {
            return refusal("optimizer.name",
                LS_TR("Refusals",
                    "gd needs the gradient of the whole set, but an asynchronous parameter server sees parts of it; "
                    "use sgd"));
        }
    }
    if (!is(run, GradientForm::Flat) && (sharesWeights || needsAll || !is(run, Algorithm::AllReduce))) {
        return refusal("comm.form",
            LS_TR("Refusals",
                "%1 sends gradients through the backend's own all-reduce; it needs aggregation.algorithm all_reduce, "
                "aggregation.what gradients and a rule of sum, mean or weighted_mean"),
            {run.text("comm.form")});
    }
    if (needsAll && !is(run, Algorithm::AllGather, Algorithm::GatherBroadcast, Algorithm::ParameterServer)) {
        return refusal("aggregation.rule",
            LS_TR("Refusals",
                "%1 needs all arrays in one place, but %2 sums them on the way; use all_gather, gather_broadcast or "
                "parameter_server"),
            {run.text("aggregation.rule"), run.text("aggregation.algorithm")});
    }
    if (sharesWeights && is(run, Rule::Sum)) {
        return refusal("aggregation.rule",
            LS_TR("Refusals",
                "the sum of the ranks' weights is not a useful net; for weights use mean, weighted_mean, median or "
                "trimmed_mean"));
    }
    return {};
}

Result<void> validateCheckpoints(const RunSpec& run)
{
    const bool isAsync = is(run, Strategy::Data) && is(run, Algorithm::ParameterServerAsync);
    const bool resumes = !run.text("checkpoint.from").empty();
    if (isAsync && (resumes || run.integer("checkpoint.every") > 0)) {
        return refusal(resumes ? "checkpoint.from" : "checkpoint.every",
            LS_TR("Refusals",
                "the ranks of an asynchronous parameter server are never at the same step; use parameter_server"));
    }
    const bool isPartitioned = is(run, Strategy::Data, Strategy::Local, Strategy::Zero);
    if (resumes && isPartitioned && run.boolean("verify")) {
        return refusal("checkpoint.from", LS_TR("Refusals", "a run that is verified must start at its first step"));
    }
    return {};
}

Result<void> validateModelParallel(const RunSpec& run)
{
    if (is(run, OptimizerName::Gd)) {
        return refusal("optimizer.name",
            LS_TR("Refusals",
                "gd needs the gradient of the whole set at once, but strategy.name %1 trains on batches; use sgd"),
            {run.text("strategy.name")});
    }
    if (is(run, Strategy::Tensor)) {
        return {};
    }
    const bool hasLinks = run.real("link.latency_us") > 0.0 || run.real("link.bandwidth_mbps") > 0.0;
    if (hasLinks && is(run, PipelineTransport::Rpc)) {
        return refusal("pipeline.transport",
            LS_TR("Refusals",
                "rpc uses LibTorch's own agent, which cannot emulate a link; use p2p, or leave link.latency_us and "
                "link.bandwidth_mbps at 0"));
    }
    const bool isGrid = is(run, Strategy::Grid);
    const std::int64_t microBatches = run.integer("pipeline.microbatches");
    const std::int64_t samples = run.integer("train.batch") / (isGrid ? run.integer("grid.data") : 1);
    if (microBatches > samples) {
        return refusal("pipeline.microbatches",
            isGrid ? LS_TR("Refusals", "%1 is more than the %2 samples of a batch that each copy of the net processes")
                   : LS_TR("Refusals", "%1 is more than the %2 samples of a batch"),
            {std::to_string(microBatches), std::to_string(samples)});
    }
    const auto parts = static_cast<std::size_t>(run.integer(isGrid ? "grid.pipeline" : "pipeline.stages")
        * (is(run, PipelineSchedule::Interleaved) ? run.integer("pipeline.virtual") : 1));
    const std::size_t cut = run.integers("pipeline.cut").size();
    if (cut != 0 && cut != parts) {
        return refusal("pipeline.cut", LS_TR("Refusals", "%1 numbers for %2 parts; give one for each"),
            {std::to_string(cut), std::to_string(parts)});
    }
    return {};
}

/// By layers where a rank has the whole net, by stages where the net is cut into stages.
Result<void> validateRecompute(const RunSpec& run)
{
    const auto chosen = choice<Recompute>(run);
    const bool isAsync = is(run, Strategy::Data) && is(run, Algorithm::ParameterServerAsync);
    const auto possible = isAsync                                                    ? Recompute::None
        : is(run, Strategy::Single, Strategy::Data, Strategy::Local, Strategy::Zero) ? Recompute::Layer
        : is(run, Strategy::Pipeline, Strategy::Grid)                                ? Recompute::Stage
                                                                                     : Recompute::None;
    if (chosen == Recompute::None || chosen == possible) {
        return {};
    }
    const std::string setting
        = isAsync ? "aggregation.algorithm parameter_server_async" : "strategy.name " + run.text("strategy.name");
    return possible == Recompute::None
        ? refusal("train.recompute", LS_TR("Refusals", "%1 is not available with %2; use none"),
            {run.text("train.recompute"), setting})
        : refusal("train.recompute", LS_TR("Refusals", "%1 is not available with %2; use none or %3"),
            {run.text("train.recompute"), setting, std::string(nameOf(possible))});
}

Result<void> validateZero(const RunSpec& run)
{
    if (is(run, OptimizerName::Gd)) {
        return refusal("optimizer.name",
            LS_TR("Refusals", "gd needs the gradient of the whole set at once, but ZeRO trains on batches; use sgd"));
    }
    if (!is(run, Offload::None) && is(run, OptimizerName::Sgd)) {
        return refusal("zero.offload",
            LS_TR("Refusals",
                "%1 moves the optimizer state, and sgd has none; use none, or adam, adamw, momentum or nesterov"),
            {run.text("zero.offload")});
    }
    if (is(run, Offload::Host) && run.text("device") == "cpu") {
        return refusal("zero.offload",
            LS_TR("Refusals",
                "host moves the optimizer state from a GPU to the host's memory, where ranks on the CPU have it "
                "already; use none or disk"));
    }
    return {};
}

/// sweep.groups and sweep.root.
Result<void> validateSweepRanks(const RunSpec& run, std::int32_t ranks)
{
    const std::int64_t groups = run.integer("sweep.groups");
    if (groups > 1 && (ranks % groups != 0 || ranks / groups < 2)) {
        return refusal("sweep.groups",
            LS_TR("Refusals", "%1 does not divide %2 ranks into equal groups of at least two"),
            {std::to_string(groups), std::to_string(ranks)});
    }
    const std::int64_t root = run.integer("sweep.root");
    const std::int64_t last = ranks / groups - 1;
    if (root > last
        && is(
            run, CollectiveName::Broadcast, CollectiveName::Reduce, CollectiveName::Gather, CollectiveName::Scatter)) {
        return refusal("sweep.root",
            groups > 1 ? LS_TR("Refusals", "there is no rank %1 in a group; its ranks are 0 to %2")
                       : LS_TR("Refusals", "there is no rank %1; the ranks are 0 to %2"),
            {std::to_string(root), std::to_string(last)});
    }
    return {};
}

/// sweep.buffers and sweep.async.
Result<void> validateSweepCalls(const RunSpec& run)
{
    if (is(run, SweepBuffers::Training) && !is(run, CollectiveName::AllReduce)) {
        return refusal("sweep.buffers",
            LS_TR("Refusals",
                "%1 allocates arrays as training does for all_reduce; for %2 use both, in_place or out_of_place"),
            {run.text("sweep.buffers"), run.text("collective.name")});
    }
    if (!run.boolean("sweep.async")) {
        return {};
    }
    if (is(run, CollectiveName::AllReduce) && !is(run, Algorithm::AllReduce)) {
        return refusal("sweep.async",
            LS_TR("Refusals",
                "%1 is made of messages that each rank sends one after the other; only the backend's own all-reduce "
                "(all_reduce) can be started asynchronously"),
            {run.text("aggregation.algorithm")});
    }
    if (is(run, CollectiveName::SendReceive) && !is(run, SweepBuffers::OutOfPlace)) {
        return refusal("sweep.async",
            LS_TR("Refusals",
                "an in-place send_recv cannot be started again before its result has been read; use sweep.buffers "
                "out_of_place"));
    }
    return {};
}

Result<void> validateSweep(const RunSpec& run)
{
    if (run.integer("sweep.min_bytes") > run.integer("sweep.max_bytes")) {
        return refusal("sweep.min_bytes", LS_TR("Refusals", "%1 is more than sweep.max_bytes, %2"),
            {std::to_string(run.integer("sweep.min_bytes")), std::to_string(run.integer("sweep.max_bytes"))});
    }
    const bool isBitwise = is(run, SweepReduction::BitAnd, SweepReduction::BitOr, SweepReduction::BitXor);
    if (isBitwise && !is(run, SweepType::Int32, SweepType::Int64, SweepType::Uint8)) {
        return refusal("sweep.reduction", LS_TR("Refusals", "%1 is not defined for %2; use int32, int64 or uint8"),
            {run.text("sweep.reduction"), run.text("sweep.type")});
    }
    if (is(run, Algorithm::ParameterServerAsync)) {
        return refusal("aggregation.algorithm",
            LS_TR("Refusals", "parameter_server_async is not a collective; use parameter_server"));
    }
    if (!is(run, Algorithm::AllReduce) && !is(run, CollectiveName::AllReduce)) {
        return refusal("aggregation.algorithm",
            LS_TR("Refusals", "%1 is an algorithm for all-reduce; %2 has only the backend's own (all_reduce)"),
            {run.text("aggregation.algorithm"), run.text("collective.name")});
    }
    LOCKSTEP_TRY_ASSIGN(const auto ranks, worldSizeOf(run));
    LOCKSTEP_TRY(validateSweepRanks(run, ranks));
    return validateSweepCalls(run);
}

} // namespace

Result<std::int32_t> worldSizeOf(const RunSpec& run)
{
    const std::string& strategy = run.text("strategy.name");
    const Ranks* ranks = ranksOf(choice<Strategy>(run));
    if (ranks == nullptr) {
        return Error{"strategy.name: " + strategy + " is not known"};
    }
    const std::int64_t asked = run.integer("world_size");
    if (const auto parts = partsOf(run)) {
        if (parts->ranks > ranks->most) {
            return refusal("grid.data",
                LS_TR("Refusals", "%1 ranks are too many (grid.data x grid.pipeline x grid.tensor); use at most %2"),
                {std::to_string(parts->ranks), std::to_string(ranks->most)});
        }
        if (asked == 0 || asked == parts->ranks) {
            return static_cast<std::int32_t>(parts->ranks);
        }
        std::vector<std::string> arguments{std::to_string(asked)};
        arguments.insert(arguments.end(), parts->sizes.begin(), parts->sizes.end());
        return refusal("world_size", parts->mismatch, std::move(arguments));
    }
    if (asked == 0) {
        return ranks->standard;
    }
    if (asked < ranks->fewest || asked > ranks->most) {
        return refusal("world_size",
            ranks->fewest == ranks->most ? LS_TR("Refusals", "%1 does not fit strategy.name %2, which needs %3")
                                         : LS_TR("Refusals", "%1 does not fit strategy.name %2, which takes %3 to %4"),
            {std::to_string(asked), strategy, std::to_string(ranks->fewest), std::to_string(ranks->most)});
    }
    return static_cast<std::int32_t>(asked);
}

bool hasReplicas(const RunSpec& run)
{
    return is(run, Strategy::Data, Strategy::Local);
}

bool trainsLocally(const RunSpec& run)
{
    return is(run, Strategy::Local) || (is(run, Strategy::Data) && is(run, Aggregated::Weights));
}

bool isBatchOfEachRank(const RunSpec& run)
{
    return is(run, Strategy::Data, Strategy::Local, Strategy::Zero) && is(run, BatchOf::Rank)
        && !is(run, OptimizerName::Gd);
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
    if (is(run, OptimizerName::Gd) || batch <= trainSamples) {
        return {};
    }
    return refusal("train.batch",
        batch > asked ? LS_TR("Refusals", "%1 per rank, %2 together, is more than the %3 training samples")
                      : LS_TR("Refusals", "%1 is more than the %3 training samples"),
        {std::to_string(asked), std::to_string(batch), std::to_string(trainSamples)});
}

Result<void> validate(const RunSpec& run)
{
    LOCKSTEP_TRY_ASSIGN(const auto ranks, worldSizeOf(run));
    const auto strategy = choice<Strategy>(run);
    if (strategy == Strategy::Collectives) {
        LOCKSTEP_TRY(refuseOwnParameters(run));
        LOCKSTEP_TRY(validateRanksNamed(run, ranks, {"link.ranks"}));
        return validateSweep(run);
    }
    if (strategy == Strategy::Own) {
        const auto words = programWords(run.text("rank.program"));
        return words ? Result<void>() : Result<void>(words.error());
    }
    LOCKSTEP_TRY(refuseOwnParameters(run));
    LOCKSTEP_TRY(validateCheckpoints(run));
    LOCKSTEP_TRY(validateNet(run));
    LOCKSTEP_TRY(validateRecompute(run));
    const std::int32_t batchParts = is(run, Strategy::Data, Strategy::Local, Strategy::Zero) ? ranks
        : strategy == Strategy::Grid ? static_cast<std::int32_t>(run.integer("grid.data"))
                                     : 1;
    if (auto data = validateData(run, batchParts); !data || strategy == Strategy::Single) {
        return data;
    }
    LOCKSTEP_TRY(validateRanksNamed(run, ranks, {"straggler.ranks", "link.ranks"}));
    if (partsOf(run)) {
        return validateModelParallel(run);
    }
    LOCKSTEP_TRY(validatePartition(run));
    return strategy == Strategy::Zero ? validateZero(run) : validateAggregation(run);
}

} // namespace lockstep::experiment
