#include "engine/strategy/zero/zero.h"

#include "engine/strategy/zero/shard_exchange.h"
#include "engine/model/gradient.h"
#include "engine/model/loss.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lockstep::engine {

namespace {

using Pass = UnitExchange::Pass;
using plan::ZeroStage;

/// Each unit's weights are gathered once for so many samples.
constexpr std::int64_t EvaluatedAGathering = 4 * EvaluatedAtOnce;

} // namespace

Zero::Zero(const experiment::RunSpec& run, RankGroup& group, Job& job)
    : m_group(group)
    , m_job(job)
    , m_shards(*job.shards)
    , m_stage(plan::zeroStage(run))
    , m_prefetches(m_stage == ZeroStage::Parameters && run.boolean("zero.prefetch"))
    , m_clip(run.real("optimizer.clip"))
    , m_exchange(m_shards, job.net, *group.communicator, m_stage,
          m_prefetches ? UnitExchange::Prefetch::Yes : UnitExchange::Prefetch::No)
{ }

Zero::~Zero() = default;

torch::Tensor Zero::run(std::size_t unit, const torch::Tensor& input)
{
    const plan::Slice& layers = m_shards.units[unit].layers;
    return m_job.net.forward(input, static_cast<std::size_t>(layers.first), static_cast<std::size_t>(layers.count));
}

Result<void> Zero::need(std::size_t unit, std::optional<std::size_t> next, StepClock& clock)
{
    if (!m_exchange.isHere(unit)) {
        clock.begin(Phase::Communicate);
    }
    return m_exchange.need(unit, next);
}

Result<torch::Tensor> Zero::gradient(const Batch& batch, std::int64_t wholeBatch, StepClock& clock)
{
    const double scale = static_cast<double>(batch.size()) / static_cast<double>(wholeBatch);
    const torch::Tensor nothing = torch::zeros({}, torch::kDouble);
    if (m_stage == ZeroStage::OptimizerState) {
        if (batch.size() == 0) {
            m_job.parameters.zeroGradients();
            return nothing;
        }
        clock.begin(Phase::Backward); // the gradient is cleared because backward adds to it
        m_job.parameters.clearGradients();
        return addGradient(m_job.net, batch, clock, scale);
    }
    m_held.clear();
    if (auto done = forward(batch, clock); !done) {
        return done.error();
    }
    torch::Tensor loss;
    if (batch.size() > 0) {
        loss = crossEntropy(m_held.back().output, batch.labels);
        m_held.back().output = loss;
    }
    if (auto done = backward(loss, scale, clock); !done) {
        return done.error();
    }
    return loss.defined() ? loss.detach() : nothing;
}

Result<void> Zero::forward(const Batch& batch, StepClock& clock)
{
    for (std::size_t unit = 0; unit < units(); ++unit) {
        const auto next = unit + 1 < units() ? std::optional(unit + 1) : std::nullopt;
        if (auto here = need(unit, next, clock); !here) {
            return here;
        }
        clock.begin(Phase::Forward);
        if (batch.size() > 0) {
            // Each unit has a graph of its own, so that backward stops between them.
            const torch::Tensor input = unit == 0 ? batch.images : m_held.back().output.detach().requires_grad_(true);
            m_held.push_back({input, run(unit, input)});
        }
        m_exchange.release(unit, Pass::Forward);
    }
    return {};
}

Result<void> Zero::backward(const torch::Tensor& loss, double scale, StepClock& clock)
{
    torch::Tensor gradient;
    for (std::size_t unit = units(); unit-- > 0;) {
        const auto next = unit > 0 ? std::optional(unit - 1) : std::nullopt;
        if (auto here = need(unit, next, clock); !here) {
            return here;
        }
        clock.begin(Phase::Backward);
        // What the last unit shares with the first has the sum of both gradients before it goes to the other ranks.
        for (const std::size_t each : {unit, std::size_t{0}}) {
            const bool isWritten = each == unit || (unit + 1 == units() && m_shards.units[each].isShared);
            if (auto opened = isWritten ? m_exchange.openGradients(each) : Result<void>(); !opened) {
                return opened;
            }
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
        m_exchange.reduce(unit);
    }
    clock.begin(Phase::Communicate);
    return m_exchange.finish();
}

Result<void> Zero::update(double learningRate, StepClock& clock)
{
    if (m_stage == ZeroStage::OptimizerState) {
        clock.begin(Phase::Communicate);
        if (auto reduced = reduceToShards(*m_group.communicator, m_job.parameters.gradients(), m_shards); !reduced) {
            return reduced;
        }
    }
    clock.begin(Phase::Optimize);
    if (auto clipped = m_clip > 0.0 ? clip() : Result<void>(); !clipped) {
        return clipped;
    }
    m_job.optimizer->step(m_shards.gradients, learningRate);
    if (m_stage == ZeroStage::Parameters) {
        return {};
    }
    clock.begin(Phase::Communicate);
    return afterRestore();
}

/// As clipGradients, by the norm over all parts.
Result<void> Zero::clip()
{
    // Before a number is read: what waits for a rank that has died would be waited for without end.
    if (auto done = m_group.communicator->finish(); !done) {
        return done;
    }
    const double norm = normOf(m_shards.gradients);
    std::array<double, 1> squares{norm * norm};
    if (auto added = m_group.addUp(squares); !added) {
        return added;
    }
    clipByNorm(m_shards.gradients, std::sqrt(squares[0]), m_clip);
    return {};
}

/// The parts are there; who has all weights between two steps gets the rest from the others.
Result<void> Zero::afterRestore()
{
    switch (m_stage) {
    case ZeroStage::OptimizerState:
        return gatherFromShards(*m_group.communicator, m_job.parameters.weights(), m_shards);
    case ZeroStage::Gradients:
        return m_exchange.gatherAll();
    case ZeroStage::Parameters:
    case ZeroStage::None:
        break;
    }
    return {};
}

Result<TestScore> Zero::evaluate(const LabelledImages& test)
{
    const torch::NoGradGuard noGrad;
    const plan::Slice part = plan::sliceOf(test.size(), m_shards.rank, m_shards.ranks);
    const LabelledImages mine{
        test.images.narrow(0, part.first, part.count), test.labels.narrow(0, part.first, part.count)};
    TestScore score;
    if (m_stage == ZeroStage::Parameters) {
        const auto sums = evaluateByUnits(mine, (test.size() + m_shards.ranks - 1) / m_shards.ranks);
        if (!sums) {
            return sums.error();
        }
        if (auto done = m_group.communicator->finish(); !done) {
            return done.error();
        }
        score = sums->score();
    } else {
        score = engine::evaluate(m_job.net, mine);
    }
    const auto count = static_cast<double>(part.count);
    std::array<double, 2> sums{score.accuracy * count, score.loss * count};
    if (auto added = m_group.addUp(sums); !added) {
        return added.error();
    }
    static_cast<void>(takeBytesSent());
    static_cast<void>(takeHiddenNs());
    const auto all = static_cast<double>(test.size());
    return TestScore{sums[0] / all, sums[1] / all};
}

/// `most`: samples that any rank has; each gathers as often as that one.
Result<TestSums> Zero::evaluateByUnits(const LabelledImages& mine, std::int64_t most)
{
    TestSums sums;
    for (std::int64_t begin = 0; begin < most; begin += EvaluatedAGathering) {
        const std::int64_t end = std::min(begin + EvaluatedAGathering, mine.size());
        std::vector<torch::Tensor> values; // of the pieces, after the units so far
        for (std::int64_t first = begin; first < end; first += EvaluatedAtOnce) {
            values.push_back(mine.images.narrow(0, first, std::min(EvaluatedAtOnce, end - first)));
        }
        for (std::size_t unit = 0; unit < units(); ++unit) {
            const auto next = unit + 1 < units() ? std::optional(unit + 1) : std::nullopt;
            if (auto here = m_exchange.need(unit, next); !here) {
                return here.error();
            }
            for (torch::Tensor& value : values) {
                value = run(unit, value);
            }
            // Nothing shares its weights with a unit before it.
            if (!m_shards.units[unit].isShared) {
                m_exchange.release(unit, Pass::Backward);
            }
        }
        if (m_shards.units.front().isShared) {
            m_exchange.release(0, Pass::Backward);
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t first = begin + static_cast<std::int64_t>(i) * EvaluatedAtOnce;
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
        if (auto here = m_exchange.need(unit, std::nullopt); !here) {
            return here.error();
        }
        for (const torch::Tensor& parameter : m_shards.units[unit].parameters) {
            const auto [first, count] = layout.ranges[number++];
            all.narrow(0, first, count).copy_(parameter.flatten());
        }
        m_exchange.release(unit, Pass::Backward);
    }
    return all;
}

Traffic Zero::takeBytesSent()
{
    Traffic traffic{};
    traffic[static_cast<std::size_t>(TrafficKind::Weights)]
        = static_cast<std::int64_t>(m_group.communicator->takeBytesSent(comm::Collective::AllGather));
    traffic[static_cast<std::size_t>(TrafficKind::Gradients)]
        = static_cast<std::int64_t>(m_group.communicator->takeBytesSent());
    return traffic;
}

std::int64_t Zero::takeHiddenNs()
{
    return m_exchange.takeHiddenNs();
}

std::string Zero::description() const
{
    constexpr std::array Kept{
        "optimizer state", "optimizer state and gradients", "optimizer state, gradients and parameters"};
    return "ZeRO-" + std::to_string(static_cast<int>(m_stage)) + ": " + Kept[static_cast<std::size_t>(m_stage) - 1]
        + " in " + std::to_string(m_shards.ranks) + " parts" + (m_prefetches ? ", the next layer's prefetched" : "")
        + ", over " + m_group.backendReason
        + (m_group.communicator->hasLinks() ? ", built from messages over an emulated link" : "");
}

Result<std::unique_ptr<ModelParallel>> makeZero(const experiment::RunSpec& run, RankGroup& group, Job& job)
{
    return std::unique_ptr<ModelParallel>(std::make_unique<Zero>(run, group, job));
}

} // namespace lockstep::engine
