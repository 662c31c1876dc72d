#include "plan/memory.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "plan/activations.h"
#include "plan/evaluation_size.h"
#include "plan/grid.h"
#include "plan/local_sgd.h"
#include "plan/net.h"
#include "plan/pipeline/parts.h"
#include "plan/zero.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::plan {

namespace {

constexpr std::int64_t LabelBytes = 8;
constexpr std::int64_t WholeBatchChunk = 256; ///< samples of gd's batch that the engine goes through at once

bool isText(const experiment::RunSpec& run)
{
    return is(run, experiment::DataSet::Text);
}

/// Of one sample with its labels: an image is bytes; of a text both are 64-bit numbers, one for each byte.
std::int64_t sampleBytes(const experiment::RunSpec& run)
{
    const std::int64_t elements = sampleElements(run);
    return isText(run) ? 2 * LabelBytes * elements : elements + LabelBytes;
}

/// The data set and the buffer of a batch.
std::int64_t dataBytes(const experiment::RunSpec& run, std::int64_t batch)
{
    return (knownTrainSamples(run) + knownTestSamples(run) + batch) * sampleBytes(run);
}

std::int64_t wholeBatch(const experiment::RunSpec& run)
{
    const std::int64_t samples = knownTrainSamples(run);
    const std::int64_t asked = is(run, experiment::OptimizerName::Gd) ? samples : experiment::globalBatch(run);
    return samples > 0 ? std::min(asked, samples) : asked;
}

/// Of the test set, or the part of the training set; 0 if unknown.
std::int64_t evaluatedSamples(const experiment::RunSpec& run)
{
    const std::int64_t samples = knownTestSamples(run);
    return samples > 0 ? std::max(samples, evaluatedTrainSamples(knownTrainSamples(run))) : 0;
}

/// Ranks that evaluate a part of the samples each.
std::int64_t evaluatingRanks(const experiment::RunSpec& run)
{
    if (is(run, experiment::Strategy::Grid)) {
        return gridShape(run).data;
    }
    const bool isShared = is(run, experiment::Strategy::Data, experiment::Strategy::Local)
        && !is(run, experiment::Algorithm::ParameterServerAsync);
    return isShared ? experiment::worldSizeOf(run).value() : 1;
}

std::int64_t evaluatedAtOnce(const experiment::RunSpec& run)
{
    const std::int64_t samples = evaluatedSamples(run);
    const std::int64_t ranks = evaluatingRanks(run);
    const std::int64_t most = mostEvaluatedAtOnce(run);
    return samples > 0 ? std::min((samples + ranks - 1) / ranks, most) : most;
}

struct Whole {
    std::int64_t parameters = 0;
    std::int64_t activations = 0; ///< bytes at their most within a step
    std::int64_t evaluated = 0; ///< bytes at their most while evaluating
    std::int64_t batch = 0; ///< samples that the rank gathers
};

/// A net on one rank that processes its batch in `pieces`, one after the other, recomputed in these segments.
Whole wholeNet(const experiment::RunSpec& run, std::int64_t batch, std::int64_t pieces, std::span<const Slice> segments)
{
    const std::vector<NetUnit> units = netUnits(run);
    const Part part = partOf(units, scaledElements(run), true, true);
    const bool isWholeSet = is(run, experiment::OptimizerName::Gd); // in file order: nothing is gathered
    const std::int64_t chunk = isWholeSet ? std::min(batch, WholeBatchChunk) : microBatchSize(batch, pieces);
    return {parametersOf(units), chunk * activationsOf(units, scaledElements(run), segments) * numberBytes(run),
        evaluatedAtOnce(run) * part.evaluated * numberBytes(run), isWholeSet ? 0 : batch};
}

/// The net of a check against one process, which recomputes nothing.
Whole checkedNet(const experiment::RunSpec& run, std::int64_t batch, std::int64_t pieces)
{
    const Slice all{0, static_cast<std::int64_t>(netUnits(run).size())};
    return wholeNet(run, batch, pieces, {&all, 1});
}

/// The batch of the single process that `verify` compares with, and its copy in another order of sums.
std::int64_t checkedBatchBytes(const experiment::RunSpec& run, std::int64_t batch)
{
    return (is(run, experiment::WeightType::Float64) ? 1 : 2) * batch * sampleBytes(run);
}

MemoryPlan planOf(const experiment::RunSpec& run, const Whole& whole, const MemoryBytes& states)
{
    MemoryPlan plan{states, 0};
    of(plan.bytes, MemoryKind::Activations) = whole.activations;
    of(plan.bytes, MemoryKind::Data) = dataBytes(run, whole.batch);
    plan.highest = sumOf(plan.bytes) + std::max<std::int64_t>(0, whole.evaluated - whole.activations);
    return plan;
}

MemoryBytes fullStates(const experiment::RunSpec& run, std::int64_t parameters)
{
    return stateBytes(parameters, numberBytes(run), optimizerNumbers(run.settings->optimizer.name), ZeroStage::None, 1);
}

/// Ranks of one machine use shared memory by default.
bool canShareMemory(const experiment::RunSpec& run)
{
    return is(run, experiment::Backend::Auto, experiment::Backend::Shm) && !run.settings->link.isEmulated();
}

MemoryPlan ofSingle(const experiment::RunSpec& run, int)
{
    const Whole whole = wholeNet(run, wholeBatch(run), run.settings->train.accumulate, segmentsOf(run));
    return planOf(run, whole, fullStates(run, whole.parameters));
}

MemoryPlan ofData(const experiment::RunSpec& run, int rank)
{
    const int ranks = experiment::worldSizeOf(run).value();
    const std::int64_t all = wholeBatch(run);
    const Whole whole = wholeNet(run, (all + ranks - 1) / ranks, run.settings->train.accumulate, segmentsOf(run));
    MemoryPlan plan = planOf(run, whole, fullStates(run, whole.parameters));
    const std::int64_t weights = of(plan.bytes, MemoryKind::Parameters);
    const std::int64_t outer = outerStep(run).arrays() * weights;
    of(plan.bytes, MemoryKind::Optimizer) += outer;
    plan.highest += outer;
    const auto algorithm = experiment::choice<experiment::Algorithm>(run);
    const bool isSum = is(run, experiment::Rule::Sum, experiment::Rule::Mean, experiment::Rule::WeightedMean);
    const bool sharesGradients = !experiment::trainsLocally(run);
    if (algorithm == experiment::Algorithm::AllReduce && sharesGradients && is(run, experiment::GradientForm::Flat)
        && canShareMemory(run) && isSum) {
        // The ranks' sum, in two alternating buffers.
        of(plan.bytes, MemoryKind::Other) += 2 * weights;
        plan.highest += 2 * weights;
    }
    if (algorithm == experiment::Algorithm::ParameterServerAsync && rank == 0) {
        // The server's own weights and moments, and an array for each worker that it is talking to.
        const std::int64_t moments = of(plan.bytes, MemoryKind::Optimizer);
        of(plan.bytes, MemoryKind::Parameters) += weights;
        of(plan.bytes, MemoryKind::Optimizer) += moments;
        of(plan.bytes, MemoryKind::Other) += (ranks - 1) * weights;
        plan.highest += weights + moments + (ranks - 1) * weights;
    }
    if (!sharesGradients || algorithm == experiment::Algorithm::ParameterServerAsync) {
        plan.highest += weights; // saved while the mean is evaluated
    }
    if (run.settings->verify.isOn && rank == 0) {
        const Whole one = checkedNet(run, all, 1);
        const std::int64_t nets = sharesGradients ? 1 : ranks;
        const bool isUnion = sharesGradients && isSum;
        const std::int64_t combined = isUnion ? 0 : (ranks + 1) * weights; // a copy of each rank's, and the result
        plan.highest = std::max(plan.highest,
            sumOf(plan.bytes) - whole.activations + nets * sumOf(fullStates(run, whole.parameters)) + combined + outer
                + one.activations + checkedBatchBytes(run, all));
    }
    return plan;
}

/// A unit as one of `parts` ranks that share it has it.
NetUnit sharedUnit(const NetUnit& whole, int part, int parts)
{
    if (parts == 1) {
        return whole;
    }
    const auto share = [parts](std::int64_t elements) { return (elements + parts - 1) / parts; };
    NetUnit unit = whole;
    unit.parameters = parametersOf(whole, part, parts);
    const std::int64_t output = whole.outputElements();
    if (whole.split == UnitSplit::Heads) {
        const std::int64_t sums = 4 * output; // every part has both normed sums, the first residual and the output
        unit.keptElements = sums + share(whole.keptElements - sums);
        unit.widestElements = std::max(output, share(whole.widestElements));
        unit.passingElements = output + share(whole.passingElements - output);
    } else if (isOutputSplit(whole)) {
        unit.keptElements = share(whole.keptElements);
        unit.widestElements = share(whole.widestElements);
        unit.channels = share(whole.channels);
        unit.passingElements = std::max(share(whole.passingElements), unit.workingElements());
        unit.outputShape = outputShapeOf(whole, part, parts);
    } else if (whole.window > 0) {
        unit.window = share(whole.window);
        unit.passingElements = std::max(2 * whole.widestElements, unit.workingElements());
    }
    return unit;
}

/// Of a rank with some of the net's units, or with parts of them: its work and what it sends to other stages.
struct Stage {
    std::int64_t parameters = 0;
    std::vector<Part> parts;
    std::int64_t written = 0; ///< elements per sample that it writes to shared memory
};

Stage stageOf(const experiment::RunSpec& run, int rank, const std::vector<NetUnit>& units)
{
    const GridShape shape = gridShape(run);
    const GridPlace place = placeOf(rank, shape);
    const auto cut = pipelineParts(run);
    Stage stage;
    std::size_t unit = 0;
    std::int64_t input = scaledElements(run);
    for (std::size_t number = 0; cut && number < cut->size(); ++number) {
        const std::size_t begin = unit;
        std::int64_t layers = 0;
        while (layers < (*cut)[number].layers.count) {
            layers += units[unit++].layers;
        }
        std::vector<NetUnit> own;
        for (std::size_t i = begin; i < unit; ++i) {
            own.push_back(sharedUnit(units[i], place.part, shape.tensor));
        }
        if (static_cast<int>(number) % shape.pipeline == place.stage) {
            const bool isFirst = number == 0;
            const bool isLast = number + 1 == cut->size();
            stage.parameters += parametersOf(own);
            if (isLast && !isFirst && is(run, experiment::NetName::Gpt) && run.settings->net.isTied) {
                stage.parameters += 256 * run.settings->net.width / shape.tensor; // its copy of the embedding
            }
            const bool isRecomputed = is(run, experiment::Recompute::Stage);
            const auto make = isRecomputed ? recomputedPart : partOf;
            Part part = make(own, input, isFirst, isLast);
            // The gradient that it receives is in shared memory; a recomputed output takes as much.
            if (!isLast && !isRecomputed && canShareMemory(run)) {
                part.backward -= own.back().outputElements();
            }
            stage.parts.push_back(part);
            stage.written += (isFirst ? 0 : input) + (isLast ? 0 : own.back().outputElements());
        }
        input = own.back().outputElements();
    }
    return stage;
}

/// Simulates the schedule: the most that is held.
std::int64_t mostHeld(const experiment::RunSpec& run, int rank, const std::vector<Part>& parts)
{
    std::int64_t held = 0;
    std::int64_t most = 0;
    for (const PipelineAction& action : scheduleKind(nameOf(run.settings->pipeline.schedule))
                                            ->actions(placeOf(rank, gridShape(run)).stage, pipelineShape(run))) {
        const Part& part = parts[static_cast<std::size_t>(action.chunk)];
        if (action.kind == PipelineAction::Kind::Forward) {
            held += part.held;
            most = std::max(most, held);
        } else if (action.kind == PipelineAction::Kind::Backward) {
            most = std::max(most, held + part.backward);
            held -= part.held;
        }
    }
    return most;
}

/// Pipelines, tensor parallelism and grids of both with data parallelism.
MemoryPlan ofGrid(const experiment::RunSpec& run, int rank)
{
    const Stage stage = stageOf(run, rank, netUnits(run));
    const std::int64_t copies = gridShape(run).data;
    const std::int64_t all = wholeBatch(run);
    const std::int64_t batch = (all + copies - 1) / copies;
    const std::int64_t microBatches = pipelineShape(run).microBatches;
    const std::int64_t size = microBatchSize(batch, microBatches);
    Whole whole{stage.parameters, size * mostHeld(run, rank, stage.parts) * numberBytes(run), 0, batch};
    for (const Part& part : stage.parts) {
        whole.activations += canShareMemory(run) ? 0 : size * part.underWay * numberBytes(run);
        whole.evaluated = std::max(whole.evaluated, evaluatedAtOnce(run) * part.evaluated * numberBytes(run));
    }
    const bool isDivided = copiesShareState(run);
    const MemoryBytes states = isDivided
        ? stateBytes(stage.parameters, numberBytes(run), optimizerNumbers(run.settings->optimizer.name),
            ZeroStage::OptimizerState, static_cast<int>(copies))
        : fullStates(run, stage.parameters);
    MemoryPlan plan = planOf(run, whole, states);
    if (canShareMemory(run)) {
        std::int64_t written = microBatches * size * stage.written * numberBytes(run);
        written += copies > 1 && !isDivided ? 2 * of(plan.bytes, MemoryKind::Gradients) : 0; // the copies' sums
        of(plan.bytes, MemoryKind::Other) += written;
        plan.highest += written;
    }
    if (run.settings->verify.isOn && rank == 0) {
        const Whole one = checkedNet(run, all, copies == 1 ? microBatches : 1); // as in the check
        plan.highest = std::max(plan.highest,
            sumOf(plan.bytes) - whole.activations + sumOf(fullStates(run, one.parameters)) + one.activations
                + checkedBatchBytes(run, all));
    }
    return plan;
}

/// Peak bytes beyond what is kept while a rank runs the net unit by unit (stages 2 and 3).
struct ByUnits {
    std::int64_t activations = 0;
    std::int64_t all = 0; ///< with temporary weights and gradients
};

/// During a unit's backward memory holds its gradients and those of the next unit, which are being reduced, with the
/// rank's part of each sum if several micro-batches add to it; under stage 3 its weights and those of the previous
/// unit, which are being gathered; what forward has kept so far, the gradient of its output and, twice, of its input. A
/// unit that shares a weight with the last one stays.
ByUnits mostByUnits(const experiment::RunSpec& run, std::int64_t samples, ZeroStage stage, int ranks)
{
    const std::vector<NetUnit> units = netUnits(run);
    const std::int64_t weights = stage == ZeroStage::Parameters ? 1 : 0;
    const bool isTied = is(run, experiment::NetName::Gpt) && run.settings->net.isTied;
    const auto parameters = [&](std::size_t unit) { return unit < units.size() ? units[unit].parameters : 0; };
    ByUnits most;
    const std::vector<bool> isRecomputed = recomputedUnits(run);
    std::int64_t before = 0;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        const std::int64_t input = unit == 0 ? scaledElements(run) : 0;
        const std::int64_t kept = before + input + units[unit].keptElements;
        before += isRecomputed[unit] ? units[unit].outputElements() : input + units[unit].keptElements;
        const std::int64_t received = unit > 0 ? units[unit - 1].outputElements() : 0;
        const std::int64_t passing = std::max(2 * units[unit].widestElements + units[unit].outputElements(),
            units[unit].workingElements() - units[unit].channels * units[unit].positions);
        const std::int64_t activations = samples * (kept + passing + received) * numberBytes(run);
        const std::int64_t shared = isTied && unit > 1 ? parameters(0) : 0;
        const std::int64_t there = parameters(unit) + (unit > 0 ? parameters(unit - 1) : 0) + shared;
        const std::int64_t sums = parameters(unit) + parameters(unit + 1) + shared;
        const std::int64_t sent = sums + (run.settings->train.accumulate > 1 ? (sums + ranks - 1) / ranks : 0);
        most.activations = std::max(most.activations, activations);
        most.all = std::max(most.all, activations + (weights * there + sent) * numberBytes(run));
    }
    return most;
}

/// Under stage 3 several pieces of a set go through the net unit by unit, so that weights are gathered less
/// often: each one's activation, one in a layer, the weights of two neighbours, and those that the last unit shares.
std::int64_t evaluatedByUnits(const experiment::RunSpec& run, int ranks)
{
    const std::vector<NetUnit> units = netUnits(run);
    const std::int64_t samples = evaluatedSamples(run);
    const std::int64_t most = mostEvaluatedAtOnce(run);
    const std::int64_t gathered = PiecesPerGather * most;
    const std::int64_t mine = samples > 0 ? (samples + ranks - 1) / ranks : gathered;
    const std::int64_t piece = std::min(mine, most);
    const std::int64_t others = std::min(mine, gathered) - piece;
    const bool isTied = is(run, experiment::NetName::Gpt) && run.settings->net.isTied;
    std::int64_t elements = 0;
    std::int64_t before = 0; // the set itself is data
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        const std::int64_t output = units[unit].outputElements();
        const std::int64_t input = unit == 0 ? scaledElements(run) : before;
        const std::int64_t next = unit + 1 < units.size() ? units[unit + 1].parameters : 0;
        const std::int64_t shared = isTied && unit > 0 ? units.front().parameters : 0;
        elements = std::max(elements,
            piece * (input + units[unit].passingElements) + others * std::max(before, output) + units[unit].parameters
                + next + shared);
        before = output;
    }
    return elements * numberBytes(run);
}

/// Peak memory for `bytes` of optimizer state on disk while the weights are updated.
std::int64_t mostOffloadedState(const experiment::RunSpec& run, std::int64_t bytes)
{
    return std::min(bytes,
        OffloadChunksInMemory * OffloadChunkElements * optimizerNumbers(run.settings->optimizer.name)
            * numberBytes(run));
}

MemoryPlan ofZero(const experiment::RunSpec& run, int rank)
{
    const int ranks = experiment::worldSizeOf(run).value();
    const ZeroStage stage = zeroStage(run);
    const std::int64_t all = wholeBatch(run);
    const std::int64_t samples = (all + ranks - 1) / ranks;
    const std::int64_t pieces = run.settings->train.accumulate;
    const Whole whole = wholeNet(run, samples, pieces, segmentsOf(run));
    MemoryBytes states
        = stateBytes(whole.parameters, numberBytes(run), optimizerNumbers(run.settings->optimizer.name), stage, ranks);
    const bool isOnDisk = offloadOf(run) == experiment::Offload::Disk;
    const std::int64_t offloaded = isOnDisk ? std::exchange(of(states, MemoryKind::Optimizer), 0) : 0;
    MemoryPlan plan = planOf(run, whole, states);
    const std::int64_t kept = sumOf(plan.bytes) - whole.activations;
    if (stage >= ZeroStage::Gradients) {
        const ByUnits most = mostByUnits(run, microBatchSize(samples, pieces), stage, ranks);
        of(plan.bytes, MemoryKind::Activations) = most.activations;
        plan.highest = kept
            + std::max(most.all, stage == ZeroStage::Parameters ? evaluatedByUnits(run, ranks) : whole.evaluated);
    }
    plan.highest = std::max(plan.highest, kept + mostOffloadedState(run, offloaded));
    if (stage == ZeroStage::Gradients) {
        // At the start the net is built unit by unit, and then copied to one buffer.
        plan.highest
            = std::max(plan.highest, of(plan.bytes, MemoryKind::Data) + 2 * of(plan.bytes, MemoryKind::Parameters));
    }
    if (run.settings->verify.isOn && rank == 0) {
        const Whole one = checkedNet(run, all, 1);
        plan.highest = std::max(plan.highest,
            kept + sumOf(fullStates(run, one.parameters)) + one.activations + checkedBatchBytes(run, all));
    }
    return plan;
}

/// One value of `strategy.name`.
struct StrategyRow {
    experiment::Strategy strategy;
    MemoryPlan (*plan)(const experiment::RunSpec& run, int rank);
};

constexpr std::array Strategies{StrategyRow{experiment::Strategy::Single, ofSingle},
    StrategyRow{experiment::Strategy::Data, ofData}, StrategyRow{experiment::Strategy::Local, ofData},
    StrategyRow{experiment::Strategy::Zero, ofZero}, StrategyRow{experiment::Strategy::Pipeline, ofGrid},
    StrategyRow{experiment::Strategy::Tensor, ofGrid}, StrategyRow{experiment::Strategy::Grid, ofGrid}};

const StrategyRow* rowOf(const experiment::RunSpec& run)
{
    const auto found = std::find_if(
        Strategies.begin(), Strategies.end(), [&](const StrategyRow& row) { return is(run, row.strategy); });
    return found == Strategies.end() ? nullptr : &*found;
}

std::string megabytes(double bytes)
{
    return bytes < 1e9 ? fmt::format("{:.3g}", bytes / 1e6) : fmt::format("{:.0f}", bytes / 1e6);
}

} // namespace

std::int64_t numberBytes(const experiment::RunSpec& run)
{
    return is(run, experiment::WeightType::Float64) ? 8 : 4;
}

MemoryPlan memoryOf(const experiment::RunSpec& run, int rank)
{
    const StrategyRow* row = rowOf(run);
    return row == nullptr ? MemoryPlan{} : row->plan(run, rank);
}

std::int64_t memoryLimitOf(const experiment::RunSpec& run)
{
    return static_cast<std::int64_t>(run.settings->rank.memoryMb * 1e6);
}

Result<void> checkMemory(const experiment::RunSpec& run)
{
    const auto allowed = static_cast<double>(memoryLimitOf(run));
    const auto ranks = experiment::worldSizeOf(run);
    if (allowed <= 0.0 || !ranks) {
        return {};
    }
    int largest = 0;
    MemoryPlan plan;
    for (int rank = 0; rank < *ranks; ++rank) {
        if (const MemoryPlan each = memoryOf(run, rank); each.highest > plan.highest) {
            plan = each;
            largest = rank;
        }
    }
    if (static_cast<double>(plan.highest) <= allowed) {
        return {};
    }
    std::string kinds;
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        if (plan.bytes[kind] > 0) {
            kinds += (kinds.empty() ? "" : ", ") + std::string(MemoryKindNames[kind]) + " "
                + megabytes(static_cast<double>(plan.bytes[kind]));
        }
    }
    return refusal(nameOf(&experiment::RankSettings::memoryMb),
        LS_TR("Refusals",
            "rank %1 needs %2 MB (%3), but only %4 MB are allowed; split the net into more stages "
            "(strategy.name=pipeline), shard it (strategy.name=zero, zero.stage=3), or raise rank.memory_mb"),
        {largest, verbatim(megabytes(static_cast<double>(plan.highest))), verbatim(kinds),
            verbatim(megabytes(allowed))});
}

} // namespace lockstep::plan
