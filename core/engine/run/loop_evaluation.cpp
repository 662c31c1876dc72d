// The training loop's looks at the test set.
#include "engine/run/loop.h"

#include "base/clock.h"
#include "engine/memory/memory_account.h"
#include "engine/model/evaluation.h"

#include <torch/torch.h>

#include <array>
#include <cstdio>

namespace lockstep::engine {

namespace {

std::string percent(double fraction)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.2f %%", fraction * 100.0);
    return buffer.data();
}

} // namespace

bool TrainingLoop::isEvaluationDue() const
{
    const std::int64_t perEpoch = m_job.plan.stepsPerEpoch;
    const bool isEpochEnd = m_step % perEpoch == 0 && m_step / perEpoch % m_evaluateEvery == 0;
    return m_job.data.test.size() > 0 && (isEpochEnd || m_step == m_job.plan.totalSteps);
}

Result<TestScore> TrainingLoop::testScore()
{
    const LabelledImages& test = m_job.data.test;
    if (m_around.modelParallel != nullptr) {
        return m_around.modelParallel->evaluate(test);
    }
    if (m_around.ranks == nullptr) {
        return evaluate(m_job.net, test);
    }
    torch::Tensor& weights = m_job.parameters.weights();
    torch::Tensor own;
    if (m_around.server != nullptr) {
        // The server's weights of this moment: no rank waits for another here.
        own = weights.clone();
        m_around.server->copyWeights(weights);
        const TestScore score = evaluate(m_job.net, test);
        weights.copy_(own);
        return score;
    }
    // Every rank takes its part, with the same weights.
    if (m_around.ranks->hasLocalWeights()) {
        own = weights.clone();
        auto averaged = m_around.ranks->average(weights);
        averaged = averaged ? m_around.group->communicator->finish() : averaged;
        if (!averaged) {
            return averaged.error();
        }
    }
    const plan::Slice part = m_around.ranks->sliceOf(test.size());
    const LabelledImages mine{
        test.images.narrow(0, part.first, part.count), test.labels.narrow(0, part.first, part.count)};
    const TestScore score = evaluate(m_job.net, mine);
    if (own.defined()) {
        weights.copy_(own);
    }
    const auto count = static_cast<double>(part.count);
    std::array<double, 2> sums{score.accuracy * count, score.loss * count};
    if (auto added = m_around.group->addUp(sums); !added) {
        return added.error();
    }
    m_around.ranks->group().communicator->takeBytesSent();
    const auto all = static_cast<double>(test.size());
    return TestScore{sums[0] / all, sums[1] / all};
}

Result<void> TrainingLoop::evaluateTestSet()
{
    if (m_around.server != nullptr) {
        if (m_step == m_job.plan.totalSteps) {
            if (auto finished = finishWithOthers(); !finished) {
                return finished;
            }
        }
        if (m_around.context.rank.number != 0) {
            return {};
        }
    }
    if (auto told = settle(0); !told) {
        return told;
    }
    const MemoryScope scope(MemoryKind::Activations);
    const std::int64_t start = monotonicNs();
    const auto score = testScore();
    if (!score) {
        return score.error();
    }
    const std::int64_t end = monotonicNs();
    m_around.recorder.span(m_step, Phase::Evaluate, start, end - start);
    if (m_around.context.rank.number != 0) {
        return {}; // one rank tells for all
    }
    m_around.recorder.evaluation({.step = m_step,
        .samples = m_samples,
        .endNs = end,
        .durationNs = end - start,
        .accuracy = score->accuracy,
        .loss = score->loss});
    m_around.recorder.log(wire::LogLevel::Info,
        "step " + std::to_string(m_step) + ": test accuracy " + percent(score->accuracy) + " of "
            + std::to_string(m_job.data.test.size())
            + (m_job.data.test.hasOneLabelEach() ? " images" : " windows"));
    return {};
}

} // namespace lockstep::engine
