#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "experiment/rank_fault.h"
#include "experiment/spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::experiment {

namespace {

constexpr std::int64_t LeastCnnSide = 6;
constexpr std::int64_t LenetSide = 32;

Result<void> refuseOwnParameters(const RunSpec& run)
{
    for (const auto& [name, value] : run.settings) {
        if (isOwnParameter(name)) {
            return refusal(
                name, LS_TR("Refusals", "only your own program (strategy.name own, rank.program) has such parameters"));
        }
    }
    return {};
}

/// Nets of linear layers take images of any size, the others square ones.
Result<void> validateImages(const RunSpec& run)
{
    const DataFacts images = dataFactsOf(run);
    const bool isSquare = images.rows == images.columns;
    const bool fitsCnn = isSquare && images.rows >= LeastCnnSide;
    const bool fitsLenet = isSquare && images.rows <= LenetSide && images.rows % 2 == 0;
    const bool fits = is(run, NetName::Cnn) ? fitsCnn : is(run, NetName::Lenet5) ? fitsLenet : true;
    return fits
        ? Result<void>()
        : refusal("net.name",
            LS_TR("Refusals",
                "%1 does not take images of %2 x %3; cnn needs square ones from 6 x 6, lenet5 square ones of an "
                "even side up to 32; use mlp"),
            {verbatim(nameOf(run.settings->net.name)), images.rows, images.columns});
}

Result<void> validateNet(const RunSpec& run)
{
    const bool readsText = is(run, NetName::Gpt);
    const bool isText = is(run, DataSet::Text);
    if (readsText && !isText) {
        return refusal("net.name",
            LS_TR("Refusals", "gpt reads text byte by byte, but %1 is a set of images; use dataset.name text"),
            {verbatim(nameOf(run.settings->dataset.name))});
    }
    if (!readsText && isText) {
        return refusal("net.name", LS_TR("Refusals", "%1 needs images; for dataset.name text use gpt"),
            {verbatim(nameOf(run.settings->net.name))});
    }
    const std::int64_t width = run.settings->net.width;
    const std::int64_t heads = run.settings->net.heads;
    if (readsText && width % heads != 0) {
        return refusal("net.heads",
            LS_TR("Refusals", "%1 heads cannot share net.width %2 equally; their number must divide it"),
            {heads, width});
    }
    return readsText ? Result<void>() : validateImages(run);
}

Result<void> validatePartition(const RunSpec& run)
{
    if (is(run, DataSet::Text) && is(run, PartitionName::ByLabel, PartitionName::Dirichlet)) {
        return refusal("partition.name",
            LS_TR("Refusals",
                "%1 needs a label for each sample, and windows of text have none; use reshuffled, random-sampling, "
                "random, contiguous, strided or unequal"),
            {verbatim(nameOf(run.settings->partition.name))});
    }
    return {};
}

Result<void> validateData(const RunSpec& run, std::int32_t ranks)
{
    if (is(run, DataSet::Idx, DataSet::Npz, DataSet::Csv) && run.settings->dataset.path.empty()) {
        return refusal("dataset.path",
            is(run, DataSet::Idx) ? LS_TR("Refusals", "an idx data set needs the folder with its four files")
                                  : LS_TR("Refusals", "a data set of your own needs its file"));
    }
    const std::int64_t known = knownTrainSamples(run);
    if (is(run, OptimizerName::Gd)) {
        return known != 0 && known < ranks ? refusal("dataset.train_samples",
                   LS_TR("Refusals", "%1 samples leave some of %2 ranks without any"), {known, ranks})
                                           : Result<void>();
    }
    LOCKSTEP_TRY(known != 0 ? checkBatch(run, known) : Result<void>());
    if (const std::int64_t batch = globalBatch(run); batch < ranks) {
        return refusal("train.batch",
            LS_TR("Refusals", "%1 leaves some of %2 ranks without a sample; it must be at least %2"), {batch, ranks});
    }
    return {};
}

Result<void> validateRankList(const Member& parameter, const std::vector<std::int64_t>& named, std::int32_t ranks)
{
    for (const std::int64_t rank : named) {
        if (rank >= ranks) {
            return refusal(
                nameOf(parameter), LS_TR("Refusals", "there is no rank %1; the ranks are 0 to %2"), {rank, ranks - 1});
        }
    }
    return {};
}

/// The ranks with an emulated link and that of the fault are ranks of the run.
Result<void> validateRanksNamed(const RunSpec& run, std::int32_t ranks)
{
    LOCKSTEP_TRY(validateRankList(&LinkSettings::ranks, run.settings->link.ranks, ranks));
    const FaultSettings& fault = run.settings->fault;
    return fault.skippedCollective > 0 || hasRankFault(run)
        ? validateRankList(&FaultSettings::rank, {fault.rank}, ranks)
        : Result<void>();
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
                {verbatim(nameOf(run.settings->aggregation.rule))});
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
            {verbatim(nameOf(run.settings->comm.form))});
    }
    if (needsAll && !is(run, Algorithm::AllGather, Algorithm::GatherBroadcast, Algorithm::ParameterServer)) {
        return refusal("aggregation.rule",
            LS_TR("Refusals",
                "%1 needs all arrays in one place, but %2 sums them on the way; use all_gather, gather_broadcast or "
                "parameter_server"),
            {verbatim(nameOf(run.settings->aggregation.rule)), verbatim(nameOf(run.settings->aggregation.algorithm))});
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
    const bool resumes = !run.settings->checkpoint.from.empty();
    if (isAsync && (resumes || run.settings->checkpoint.every > 0)) {
        return refusal(resumes ? "checkpoint.from" : "checkpoint.every",
            LS_TR("Refusals",
                "the ranks of an asynchronous parameter server are never at the same step; use parameter_server"));
    }
    const bool isPartitioned = is(run, Strategy::Data, Strategy::Local, Strategy::Zero);
    if (resumes && isPartitioned && run.settings->verify.isOn) {
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
            {verbatim(nameOf(run.settings->rank.strategy))});
    }
    if (is(run, Strategy::Tensor)) {
        return {};
    }
    if (run.settings->link.isEmulated() && is(run, PipelineTransport::Rpc)) {
        return refusal("pipeline.transport",
            LS_TR("Refusals",
                "rpc uses LibTorch's own agent, which cannot emulate a link; use p2p, or leave link.latency_us and "
                "link.bandwidth_mbps at 0"));
    }
    const bool isGrid = is(run, Strategy::Grid);
    const std::int64_t microBatches = run.settings->pipeline.microBatches;
    const std::int64_t samples = run.settings->train.batch / (isGrid ? run.settings->grid.data : 1);
    if (microBatches > samples) {
        return refusal("pipeline.microbatches",
            isGrid ? LS_TR("Refusals", "%1 is more than the %2 samples of a batch that each copy of the net processes")
                   : LS_TR("Refusals", "%1 is more than the %2 samples of a batch"),
            {microBatches, samples});
    }
    const auto parts = static_cast<std::size_t>((isGrid ? run.settings->grid.pipeline : run.settings->pipeline.stages)
        * (is(run, PipelineSchedule::Interleaved) ? run.settings->pipeline.virtualStages : 1));
    const std::size_t cut = run.settings->pipeline.cut.size();
    if (cut != 0 && cut != parts) {
        return refusal("pipeline.cut", LS_TR("Refusals", "%1 numbers for %2 parts; give one for each"), {cut, parts});
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
    const Text setting = verbatim(isAsync ? "aggregation.algorithm parameter_server_async"
                                          : "strategy.name " + std::string(nameOf(run.settings->rank.strategy)));
    return possible == Recompute::None
        ? refusal("train.recompute", LS_TR("Refusals", "%1 is not available with %2; use none"),
            {verbatim(nameOf(run.settings->train.recompute)), setting})
        : refusal("train.recompute", LS_TR("Refusals", "%1 is not available with %2; use none or %3"),
            {verbatim(nameOf(run.settings->train.recompute)), setting, verbatim(nameOf(possible))});
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
            {verbatim(nameOf(run.settings->zero.offload))});
    }
    if (is(run, Offload::Host) && run.settings->rank.device == "cpu") {
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
    const std::int64_t groups = run.settings->sweep.groups;
    if (groups > 1 && (ranks % groups != 0 || ranks / groups < 2)) {
        return refusal("sweep.groups",
            LS_TR("Refusals", "%1 does not divide %2 ranks into equal groups of at least two"), {groups, ranks});
    }
    const std::int64_t root = run.settings->sweep.root;
    const std::int64_t last = ranks / groups - 1;
    if (root > last
        && is(
            run, CollectiveName::Broadcast, CollectiveName::Reduce, CollectiveName::Gather, CollectiveName::Scatter)) {
        return refusal("sweep.root",
            groups > 1 ? LS_TR("Refusals", "there is no rank %1 in a group; its ranks are 0 to %2")
                       : LS_TR("Refusals", "there is no rank %1; the ranks are 0 to %2"),
            {root, last});
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
            {verbatim(nameOf(run.settings->sweep.buffers)), verbatim(nameOf(run.settings->sweep.collective))});
    }
    if (!run.settings->sweep.isAsync) {
        return {};
    }
    if (is(run, CollectiveName::AllReduce) && !is(run, Algorithm::AllReduce)) {
        return refusal("sweep.async",
            LS_TR("Refusals",
                "%1 is made of messages that each rank sends one after the other; only the backend's own all-reduce "
                "(all_reduce) can be started asynchronously"),
            {verbatim(nameOf(run.settings->aggregation.algorithm))});
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
    if (run.settings->sweep.minBytes > run.settings->sweep.maxBytes) {
        return refusal("sweep.min_bytes", LS_TR("Refusals", "%1 is more than sweep.max_bytes, %2"),
            {run.settings->sweep.minBytes, run.settings->sweep.maxBytes});
    }
    const bool isBitwise = is(run, SweepReduction::BitAnd, SweepReduction::BitOr, SweepReduction::BitXor);
    if (isBitwise && !is(run, SweepType::Int32, SweepType::Int64, SweepType::Uint8)) {
        return refusal("sweep.reduction", LS_TR("Refusals", "%1 is not defined for %2; use int32, int64 or uint8"),
            {verbatim(nameOf(run.settings->sweep.reduction)), verbatim(nameOf(run.settings->sweep.type))});
    }
    if (is(run, Algorithm::ParameterServerAsync)) {
        return refusal("aggregation.algorithm",
            LS_TR("Refusals", "parameter_server_async is not a collective; use parameter_server"));
    }
    if (!is(run, Algorithm::AllReduce) && !is(run, CollectiveName::AllReduce)) {
        return refusal("aggregation.algorithm",
            LS_TR("Refusals", "%1 is an algorithm for all-reduce; %2 has only the backend's own (all_reduce)"),
            {verbatim(nameOf(run.settings->aggregation.algorithm)), verbatim(nameOf(run.settings->sweep.collective))});
    }
    LOCKSTEP_TRY_ASSIGN(const auto ranks, worldSizeOf(run));
    LOCKSTEP_TRY(validateSweepRanks(run, ranks));
    return validateSweepCalls(run);
}

} // namespace

Result<void> checkBatch(const RunSpec& run, std::int64_t trainSamples)
{
    const std::int64_t asked = run.settings->train.batch;
    const std::int64_t batch = globalBatch(run);
    if (is(run, OptimizerName::Gd) || batch <= trainSamples) {
        return {};
    }
    return refusal("train.batch",
        batch > asked ? LS_TR("Refusals", "%1 per rank, %2 together, is more than the %3 training samples")
                      : LS_TR("Refusals", "%1 is more than the %3 training samples"),
        {asked, batch, trainSamples});
}

Result<void> validate(const RunSpec& run)
{
    LOCKSTEP_TRY_ASSIGN(const auto ranks, worldSizeOf(run));
    const auto strategy = choice<Strategy>(run);
    if (strategy == Strategy::Collectives) {
        LOCKSTEP_TRY(refuseOwnParameters(run));
        LOCKSTEP_TRY(validateRanksNamed(run, ranks));
        return validateSweep(run);
    }
    if (strategy == Strategy::Own) {
        LOCKSTEP_TRY(programWords(run.settings->rank.program));
        return {};
    }
    LOCKSTEP_TRY(refuseOwnParameters(run));
    LOCKSTEP_TRY(validateCheckpoints(run));
    LOCKSTEP_TRY(validateNet(run));
    LOCKSTEP_TRY(validateRecompute(run));
    const std::int32_t batchParts = is(run, Strategy::Data, Strategy::Local, Strategy::Zero) ? ranks
        : strategy == Strategy::Grid ? static_cast<std::int32_t>(run.settings->grid.data)
                                     : 1;
    if (auto data = validateData(run, batchParts); !data || strategy == Strategy::Single) {
        return data;
    }
    LOCKSTEP_TRY(validateRankList(&StragglerSettings::ranks, run.settings->straggler.ranks, ranks));
    LOCKSTEP_TRY(validateRanksNamed(run, ranks));
    if (is(run, Strategy::Pipeline, Strategy::Tensor, Strategy::Grid)) {
        return validateModelParallel(run);
    }
    LOCKSTEP_TRY(validatePartition(run));
    return strategy == Strategy::Zero ? validateZero(run) : validateAggregation(run);
}

} // namespace lockstep::experiment
