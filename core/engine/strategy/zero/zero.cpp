#include "engine/strategy/zero/zero.h"

#include "engine/model/gradient.h"
#include "engine/model/loss.h"
#include "engine/strategy/zero/shard_exchange.h"
#include "plan/activations.h"
#include "plan/evaluation_size.h"
#include "plan/steps.h"

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lockstep::engine {

namespace {

using Pass = UnitExchange::Pass;
using plan::ZeroStage;

} // namespace

Zero::Zero(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : RankStrategy(std::move(group))
    , m_job(context.job)
    , m_shards(*context.job.shards)
    , m_stage(plan::zeroStage(context.run))
    , m_prefetches(m_stage == ZeroStage::Parameters && context.run.settings->zero.prefetches)
    , m_isRecomputed(plan::recomputedUnits(context.run))
    , m_microBatches(context.run.settings->train.accumulate)
    , m_clip(context.run.settings->optimizer.clip)
    // Under stage 1 forward and backward hold no communication.
    , m_replica(context.run, rank(), context.job, context.recorder, ReplicaGradient::Graphs::Allowed)
    , m_exchange(m_shards, context.job.net, ranks(), m_stage,
          m_prefetches ? UnitExchange::Prefetch::Yes : UnitExchange::Prefetch::No)
{ }

Zero::~Zero() = default;

Result<void> Zero::begin()
{
    // Ranks on the CPU take turns for nothing: there a thread gathers while this one computes.
    return isStage(ZeroStage::Parameters) && m_job.device.is_cuda() ? m_exchange.shareWeights() : Result<void>();
}

torch::Tensor Zero::run(std::size_t unit, const torch::Tensor& input)
{
    const plan::Slice& layers = m_shards.units[unit].layers;
    const auto first = static_cast<std::size_t>(layers.first);
    const auto count = static_cast<std::size_t>(layers.count);
    return m_isRecomputed[unit] ? m_job.net.forwardRecomputed(input, first, count)
                                : m_job.net.forward(input, first, count);
}

Result<void> Zero::need(std::size_t unit, std::optional<std::size_t> next, StepClock& clock)
{
    if (!m_exchange.isHere(unit)) {
        clock.begin(Phase::Communicate);
    }
    return m_exchange.need(unit, next);
}

Result<torch::Tensor> Zero::gradient(const StepInput& input, StepClock& clock)
{
    const Batch& batch = input.batch;
    const double share = static_cast<double>(batch.size()) / static_cast<double>(input.wholeBatch);
    if (isStage(ZeroStage::OptimizerState)) {
        return m_replica.compute(batch, share, clock);
    }
    // Every rank runs as many micro-batches, even if its own are empty: their sums are collective.
    const std::int64_t size = plan::microBatchSize(batch.size(), m_microBatches);
    torch::Tensor sum = torch::zeros({}, torch::kDouble);
    for (std::int64_t number = 0; number < m_microBatches; ++number) {
        const std::int64_t first = std::min(number * size, batch.size());
        const std::int64_t count = std::min(size, batch.size() - first);
        const Batch part{batch.inputs.narrow(0, first, count), batch.labels.narrow(0, first, count)};
        const double partOfLoss = count > 0 ? static_cast<double>(count) / static_cast<double>(batch.size()) : 0.0;
        LOCKSTEP_TRY_ASSIGN(const torch::Tensor loss,
            gradientOfMicroBatch(part, share * partOfLoss,
                {number == 0 ? UnitExchange::Sum::Replaces : UnitExchange::Sum::Adds, number + 1 == m_microBatches,
                    input},
                clock));
        sum = m_microBatches == 1 ? loss : sum + loss.to(torch::kDouble) * partOfLoss;
    }
    return sum;
}

Result<torch::Tensor> Zero::gradientOfMicroBatch(
    const Batch& batch, double scale, const MicroBatch& place, StepClock& clock)
{
    m_held.clear();
    LOCKSTEP_TRY(forward(batch, clock));
    torch::Tensor loss;
    if (batch.size() > 0) {
        loss = crossEntropy(m_held.back().output, batch.labels);
        m_held.back().output = loss;
    }
    LOCKSTEP_TRY(backward(loss, m_job.scaler ? scale * m_job.scaler->scale() : scale, place, clock));
    return loss.defined() ? loss.detach() : torch::zeros({}, torch::kDouble);
}

Result<void> Zero::forward(const Batch& batch, StepClock& clock)
{
    for (std::size_t unit = 0; unit < units(); ++unit) {
        const auto next = unit + 1 < units() ? std::optional(unit + 1) : std::nullopt;
        LOCKSTEP_TRY(need(unit, next, clock));
        clock.begin(Phase::Forward);
        if (batch.size() > 0) {
            // Each unit has a separate graph, so that backward stops between them.
            const torch::Tensor input = unit == 0 ? batch.inputs : m_held.back().output.detach().requires_grad_(true);
            m_held.push_back({input, run(unit, input)});
        }
        m_exchange.release(unit, Pass::Forward);
    }
    return {};
}

Result<void> Zero::backward(const torch::Tensor& loss, double scale, const MicroBatch& place, StepClock& clock)
{
    torch::Tensor gradient;
    for (std::size_t unit = units(); unit-- > 0;) {
        const auto next = unit > 0 ? std::optional(unit - 1) : std::nullopt;
        LOCKSTEP_TRY(need(unit, next, clock));
        clock.begin(Phase::Backward);
        // A weight shared by the last unit and the first sums both gradients before it is sent to the other ranks.
        for (const std::size_t each : {unit, std::size_t{0}}) {
            const bool isWritten = each == unit || (unit + 1 == units() && m_shards.units[each].isShared);
            LOCKSTEP_TRY(isWritten ? m_exchange.openGradients(each) : Result<void>());
        }
        if (!loss.defined()) {
            m_exchange.zeroGradients(unit);
        } else {
            const auto [input, output] = std::move(m_held.back());
            m_held.pop_back();
            if (unit + 1 == units()) {
                engine::backward(loss, scale);
            } else {
                torch::autograd::backward({output}, {gradient});
            }
            gradient = input.grad();
        }
        m_exchange.release(unit, Pass::Backward);
        clock.endPass();
        if (unit == 0 && place.isLast) {
            place.step.afterLastBackward();
        }
        m_exchange.reduce(unit, place.sum);
    }
    clock.begin(Phase::Communicate);
    return m_exchange.finish();
}

Result<void> Zero::update([[maybe_unused]] std::int64_t step, double learningRate, StepClock& clock)
{
    if (isStage(ZeroStage::OptimizerState)) {
        clock.begin(Phase::Communicate);
        LOCKSTEP_TRY(reduceToShards(ranks(), m_job.parameters.gradients(), m_shards));
    }
    clock.begin(Phase::Optimize);
    LOCKSTEP_TRY(applyGradient(m_job, m_shards.gradients, m_clip, learningRate, *this));
    if (!isStage(ZeroStage::Parameters)) {
        clock.begin(Phase::Communicate);
    }
    return afterRestore();
}

/// This rank has its parts; where it keeps all weights between two steps, it gathers the rest.
Result<void> Zero::afterRestore()
{
    switch (m_stage) {
    case ZeroStage::OptimizerState:
        return gatherFromShards(ranks(), m_job.parameters.weights(), m_shards);
    case ZeroStage::Gradients:
        return m_exchange.gatherAll();
    case ZeroStage::Parameters:
        m_exchange.weightsChanged();
        break;
    case ZeroStage::None:
        break;
    }
    return {};
}

Result<TestScore> Zero::evaluate(const LabelledInputs& set)
{
    const torch::NoGradGuard noGrad;
    const LabelledInputs mine = shareOf(set, m_shards.rank, m_shards.ranks);
    TestSums sums;
    if (isStage(ZeroStage::Parameters)) {
        LOCKSTEP_TRY_ASSIGN(sums, evaluateByUnits(mine, (set.size() + m_shards.ranks - 1) / m_shards.ranks));
        LOCKSTEP_TRY(synchronize());
    } else {
        sums = engine::evaluate(m_job.net, mine);
    }
    static_cast<void>(m_exchange.takeHiddenNs());
    return scoreOfAll(sums.numbers());
}

/// `most`: the most samples of any rank; all gather as often as that one.
Result<TestSums> Zero::evaluateByUnits(const LabelledInputs& mine, std::int64_t most)
{
    TestSums sums;
    const std::int64_t atOnce = m_job.net.evaluatedAtOnce();
    for (std::int64_t begin = 0; begin < most; begin += plan::PiecesPerGather * atOnce) {
        const std::int64_t end = std::min(begin + plan::PiecesPerGather * atOnce, mine.size());
        std::vector<torch::Tensor> values; // of the pieces, after the units so far
        for (std::int64_t first = begin; first < end; first += atOnce) {
            values.push_back(mine.inputs.narrow(0, first, std::min(atOnce, end - first)));
        }
        for (std::size_t unit = 0; unit < units(); ++unit) {
            const auto next = unit + 1 < units() ? std::optional(unit + 1) : std::nullopt;
            LOCKSTEP_TRY(m_exchange.need(unit, next));
            for (torch::Tensor& value : values) {
                value = run(unit, value);
            }
            // No earlier unit shares its weights.
            if (!m_shards.units[unit].isShared) {
                m_exchange.release(unit, Pass::Backward);
            }
        }
        if (m_shards.units.front().isShared) {
            m_exchange.release(0, Pass::Backward);
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t first = begin + static_cast<std::int64_t>(i) * atOnce;
            sums.add(values[i], mine.labels.narrow(0, first, values[i].size(0)));
        }
    }
    return sums;
}

Result<torch::Tensor> Zero::wholeWeights()
{
    const torch::NoGradGuard noGrad;
    const std::vector<NamedTensor>& parameters = m_job.net.parameters();
    const FlatLayout layout = layoutOf(parameters);
    if (m_stage == ZeroStage::OptimizerState) {
        return m_job.parameters.weights().narrow(0, 0, layout.size);
    }
    torch::Tensor all = torch::zeros({layout.size}, m_shards.weights.front().options());
    std::size_t number = 0;
    for (std::size_t unit = 0; unit < units(); ++unit) {
        LOCKSTEP_TRY(m_exchange.need(unit, std::nullopt));
        for (const torch::Tensor& parameter : m_shards.units[unit].parameters) {
            const auto [first, count] = layout.ranges[number++];
            all.narrow(0, first, count).copy_(parameter.flatten());
        }
        m_exchange.release(unit, Pass::Backward);
    }
    return all;
}

void Zero::count(StepRow& row)
{
    row.hiddenNs = m_exchange.takeHiddenNs();
    row.bytesByKind.emplace();
    (*row.bytesByKind)[static_cast<std::size_t>(TrafficKind::Weights)]
        = static_cast<std::int64_t>(ranks().takeBytesSent(comm::Collective::AllGather)) + m_exchange.takeBytesCopied();
    (*row.bytesByKind)[static_cast<std::size_t>(TrafficKind::Gradients)]
        = static_cast<std::int64_t>(ranks().takeBytesSent());
}

Text Zero::description() const
{
    constexpr std::array Kept{LS_TR("Messages", "ZeRO-1: optimizer state in %1 parts"),
        LS_TR("Messages", "ZeRO-2: optimizer state and gradients in %1 parts"),
        LS_TR("Messages", "ZeRO-3: optimizer state, gradients and parameters in %1 parts")};
    const Text parts(Kept[static_cast<std::size_t>(m_stage) - 1], {m_shards.ranks});
    return overLinks({LS_TR("Messages", "%1, over %2"),
        {m_prefetches ? Text(LS_TR("Messages", "%1, the next layer's prefetched"), {parts}) : parts,
            group().backendReason}});
}

} // namespace lockstep::engine
