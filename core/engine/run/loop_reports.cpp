// How the training loop tells of its steps: at once on the CPU, on a device when it has come so far.
#include "engine/run/loop.h"

#include "base/clock.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

namespace lockstep::engine {

namespace {

/// Of waiting for a device: how long to ask it all the time, then how long to sleep in between, and how often to see whether the
/// other ranks still live.
constexpr std::int64_t SpinNs = 50'000;
constexpr std::int64_t SleepNs = 20'000;
constexpr std::int64_t LookAroundEveryNs = 50'000'000;

} // namespace

StepRow TrainingLoop::rowOfStep(double learningRate)
{
    StepRow row{.step = m_step, .samples = m_samples, .batch = m_batchSize, .learningRate = learningRate};
    if (m_around.ranks != nullptr) {
        row.hiddenNs = m_around.ranks->takeHiddenNs();
        row.bytesSent = static_cast<std::int64_t>(m_around.ranks->group().communicator->takeBytesSent());
    }
    if (m_around.modelParallel != nullptr) {
        row.hiddenNs = m_around.modelParallel->takeHiddenNs();
        row.bytesByKind = m_around.modelParallel->takeBytesSent();
        row.bytesSent = std::accumulate(row.bytesByKind->begin(), row.bytesByKind->end(), std::int64_t{0});
    }
    if (m_around.server != nullptr) {
        row.bytesSent += m_around.server->takeBytesSent();
        row.phaseNs[static_cast<std::size_t>(Phase::Wait)] += m_heldNs;
        row.phaseNs[static_cast<std::size_t>(Phase::Communicate)] -= m_heldNs;
    }
    if (m_marks != nullptr) {
        row.hiddenNs = 0; // those are the host's times: on a device everything comes one after the other
    }
    return row;
}

Result<void> TrainingLoop::tell(PendingStep& pending)
{
    StepRow& row = pending.row;
    const StepTimes times = m_clock.timesOf(pending.clock);
    row.loss = pending.loss.item<double>();
    row.arrivalNs = times.arrivalNs;
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        row.phaseNs[phase] += times.phaseNs[phase];
    }
    for (const StepTimes::Span& span : times.spans) {
        // Where the ranks meet, the collector makes two of it: waiting and transferring.
        if (span.phase != Phase::Communicate || row.arrivalNs == 0) {
            m_around.recorder.span(row.step, span.phase, span.startNs, span.durationNs, span.microBatch);
        }
    }
    // On the CPU what lies between two steps (rows, log lines, control) counts as well; a pause or an evaluation does not.
    row.endNs = m_marks != nullptr ? times.endNs : monotonicNs();
    row.wallNs = std::max<std::int64_t>(0, row.endNs - (pending.startsAnew ? times.startNs : m_previousEndNs));
    m_previousEndNs = row.endNs;
    m_around.recorder.step(row);
    m_memory.endStep(
        row.step, row.step == m_job.plan.totalSteps ? MemoryReport::Step::Last : MemoryReport::Step::OneOfMany);
    if (row.step <= m_keptSteps) {
        m_keptLosses.push_back(row.loss * static_cast<double>(row.batch));
        m_keptLosses.push_back(static_cast<double>(row.batch));
    }
    if (m_measureCost && !pending.startsAnew) {
        m_measureCost->add(row.step, row.wallNs);
    }
    m_logSums.add(row);
    if (row.step % m_logEvery == 0 || row.step == m_job.plan.totalSteps) {
        m_around.recorder.log(wire::LogLevel::Info, m_logSums.take(row, m_job.plan.totalSteps));
    }
    return std::isfinite(row.loss) ? Result<void>() : Result<void>(brokenBy(row.loss, row.step));
}

Result<void> TrainingLoop::settle(std::size_t mostPending)
{
    while (!m_pending.empty()) {
        PendingStep& oldest = m_pending.front();
        if (m_marks != nullptr && m_pending.size() <= mostPending && !m_marks->isReached(oldest.clock.last)) {
            return {};
        }
        if (auto reached = waitFor(oldest.clock.last); !reached) {
            m_pending.clear(); // they will never be done
            return reached;
        }
        auto told = tell(oldest);
        m_pending.pop_front();
        if (!told) {
            m_pending.clear(); // what follows a broken step is broken
            return told;
        }
    }
    return {};
}

Result<void> TrainingLoop::waitFor(DeviceMarks::Mark mark)
{
    if (m_marks == nullptr) {
        return {};
    }
    const std::int64_t start = monotonicNs();
    std::int64_t looked = start;
    for (std::int64_t now = start; !m_marks->isReached(mark); now = monotonicNs()) {
        if (now - looked > LookAroundEveryNs && m_around.group != nullptr) {
            looked = now;
            if (auto alive = m_around.group->communicator->checkPeers(); !alive) {
                return alive;
            }
            if (now - start > m_timeoutNs) {
                return Error{"the device has not finished the step within comm.timeout_s, "
                    + std::to_string(m_timeoutNs / 1'000'000'000) + " s: it waits for another rank"};
            }
        }
        if (now - start > SpinNs) {
            comm::sleepUntilNs(now + SleepNs);
        }
    }
    return {};
}

Result<void> TrainingLoop::waitForDevice()
{
    return m_marks != nullptr ? waitFor(m_marks->mark()) : Result<void>();
}

wire::Goodbye TrainingLoop::failedBy(const Error& error)
{
    if (!m_isBroken) {
        if (const auto told = settle(0); !told && m_isBroken) {
            return failedBy(told.error()); // that was the cause
        }
    }
    return {wire::Outcome::Failed, m_step,
        "rank " + std::to_string(m_around.context.rank.number) + ": " + error.message
            + (m_isBroken ? "" : ", at step " + std::to_string(m_step + 1))};
}

Error TrainingLoop::brokenBy(double loss, std::int64_t step)
{
    m_isBroken = true;
    m_step = step;
    const auto text = [](double rate) {
        std::array<char, 32> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%.4g", rate);
        return std::string(buffer.data());
    };
    const double asked = m_run.real("optimizer.lr");
    const double rate = learningRateAt(m_run, step, m_job.plan);
    return {std::string("loss became ") + (std::isnan(loss) ? "NaN" : "infinite") + " at step " + std::to_string(step)
        + " (optimizer.lr " + text(asked) + (rate == asked ? "" : ", in this step " + text(rate)) + ")"};
}

} // namespace lockstep::engine
