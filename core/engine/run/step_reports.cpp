#include "engine/run/step_reports.h"

#include "base/clock.h"
#include "engine/comm/link/link.h"
#include "plan/memory.h"

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace lockstep::engine {

namespace {

/// How many steps a device may lag: enough that it never waits for the next one, few enough that charts and commands
/// are not late.
constexpr std::size_t MostPending = 2;
/// While waiting for a device: how long to poll without a pause, how long to sleep between polls, how often to check
/// the other ranks.
constexpr std::int64_t SpinNs = 50'000;
constexpr std::int64_t SleepNs = 20'000;
constexpr std::int64_t CheckPeersEveryNs = 50'000'000;

/// The number is valid once the device's work so far is done.
torch::Tensor copyToHostLater(const torch::Tensor& number)
{
    if (number.device().is_cpu()) {
        return number.clone();
    }
    torch::Tensor copy
        = torch::empty({}, number.options().device(torch::kCPU).pinned_memory(true).requires_grad(false));
    // A kernel stores it: where processes take turns on a GPU, a copy to the host gives the turn away.
    torch::Tensor onDevice = torch::from_blob(copy.data_ptr(), {}, number.options().requires_grad(false));
    at::mul_out(onDevice, number, at::scalar_tensor(1.0, number.options().device(torch::kCPU).requires_grad(false)));
    return copy;
}

/// What a job keeps on its device for the whole run.
LastingOnDevice lastingOf(const experiment::RunSpec& run, Job& job)
{
    LastingOnDevice lasting{.device = job.device, .limitBytes = plan::memoryLimitOf(run)};
    const auto add = [&](MemoryKind kind, const torch::Tensor& tensor) {
        if (!tensor.defined() || tensor.device().is_cpu()) {
            return;
        }
        const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
        of(lasting.bytes, kind) += bytes;
        // Memory that the ranks share does not come from LibTorch's allocator.
        lasting.foreignBytes += tensor.storage().allocator() == nullptr ? bytes : 0;
    };
    add(MemoryKind::Parameters, job.parameters.weights());
    add(MemoryKind::Gradients, job.parameters.gradients());
    if (!job.optimizer->keepsStateElsewhere()) {
        for (const torch::Tensor& state : job.optimizer->state()) {
            add(MemoryKind::Optimizer, state);
        }
    }
    for (const LabelledInputs& part : {job.data.train, job.data.test}) {
        add(MemoryKind::Data, part.inputs);
        add(MemoryKind::Data, part.labels);
    }
    return lasting;
}

std::int64_t stepsToVerify(const experiment::RunSpec& run)
{
    if (!run.settings->verify.isOn) {
        return 0;
    }
    const std::int64_t steps = run.settings->verify.steps;
    return steps == 0 ? std::numeric_limits<std::int64_t>::max() : steps;
}

} // namespace

StepReports::StepReports(const experiment::RunSpec& run, const RankContext& context, Job& job, Strategy& strategy,
    Recorder& recorder, std::unique_ptr<DeviceMarks> marks)
    : m_run(run)
    , m_context(context)
    , m_job(job)
    , m_strategy(strategy)
    , m_recorder(recorder)
    , m_marks(std::move(marks))
    , m_clock(m_marks.get())
    , m_memory(recorder, plan::memoryOf(run, context.rank.number), lastingOf(run, job))
    , m_logEvery(run.settings->train.logEvery)
    , m_timeoutNs(static_cast<std::int64_t>(run.settings->comm.timeoutSeconds * 1e9))
    , m_measureCost(strategy.isMeasured() ? std::optional<MeasureCost>(MeasureCost{}) : std::nullopt)
    , m_keptSteps(stepsToVerify(run))
{ }

void StepReports::beginStep()
{
    m_clock.start();
    m_clock.begin(Phase::Data);
    m_memory.beginStep();
}

void StepReports::endStep(StepRow row, const torch::Tensor& loss)
{
    torch::Tensor onHost = m_marks != nullptr ? copyToHostLater(loss) : loss;
    m_clock.stop();
    m_pending.push_back({std::move(row), m_clock.take(), std::move(onHost), std::exchange(m_isAfterPause, false)});
}

Result<void> StepReports::reportDone()
{
    return flush(m_marks != nullptr ? MostPending : 0);
}

Result<void> StepReports::flush(std::size_t mostPending)
{
    while (!m_pending.empty()) {
        Pending& oldest = m_pending.front();
        if (m_marks != nullptr && m_pending.size() <= mostPending && !m_marks->isReached(oldest.clock.last)) {
            return {};
        }
        if (auto reached = waitFor(oldest.clock.last); !reached) {
            m_pending.clear(); // they will never be done
            return reached;
        }
        auto reported = report(oldest);
        m_pending.pop_front();
        if (!reported) {
            m_pending.clear(); // steps after a broken one are broken
            return reported;
        }
    }
    return {};
}

Result<void> StepReports::finish()
{
    auto flushed = flush();
    if (m_measureCost && m_context.rank.number == 0) {
        m_recorder.log(wire::LogLevel::Info, m_measureCost->report());
    }
    return flushed;
}

Result<void> StepReports::report(Pending& pending)
{
    StepRow& row = pending.row;
    const StepTimes times = m_clock.timesOf(pending.clock);
    row.loss = pending.loss.item<double>();
    row.arrivalNs = times.arrivalNs;
    row.unattributedNs = times.unattributedNs;
    row.betweenHostsNs = times.betweenHostsNs;
    if (m_marks != nullptr) {
        row.hiddenNs = times.hiddenNs; // what the strategy has counted is the host's time
    }
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        row.phaseNs[phase] += times.phaseNs[phase];
    }
    for (const StepTimes::Span& span : times.spans) {
        // Where the ranks meet, the collector splits it into waiting and transferring.
        if (span.phase != Phase::Communicate || row.arrivalNs == 0) {
            m_recorder.span(row.step, span.phase, span.startNs, span.durationNs, span.microBatch);
        }
    }
    // On the CPU the time between two steps (rows, log lines, control) counts as well; a pause or an evaluation does
    // not.
    row.endNs = m_marks != nullptr ? times.endNs : monotonicNs();
    row.wallNs = std::max<std::int64_t>(0, row.endNs - (pending.isAfterPause ? times.startNs : m_previousEndNs));
    m_previousEndNs = row.endNs;
    addToBlock(row, pending.isAfterPause);
    if (row.step > m_job.plan.totalSteps) {
        return {}; // it only measures
    }
    m_recorder.step(row);
    m_memory.endStep(
        row.step, row.step == m_job.plan.totalSteps ? MemoryReport::Step::Last : MemoryReport::Step::OneOfMany);
    if (row.step <= m_keptSteps) {
        m_keptLosses.push_back(row.loss * static_cast<double>(row.batch));
        m_keptLosses.push_back(static_cast<double>(row.batch));
    }
    if (m_measureCost && !pending.isAfterPause) {
        m_measureCost->add(row.step, row.wallNs);
    }
    m_logSums.add(row);
    if (row.step % m_logEvery == 0 || row.step == m_job.plan.totalSteps) {
        m_recorder.log(wire::LogLevel::Info, m_logSums.take(row, m_job.plan.totalSteps));
    }
    return std::isfinite(row.loss) ? Result<void>() : Result<void>(brokenBy(row.loss, row.step));
}

void StepReports::addToBlock(const StepRow& row, bool isAfterPause)
{
    m_stepsSincePause = isAfterPause ? 1 : m_stepsSincePause + 1;
    if (m_stepsSincePause > wire::UncountedSteps) {
        ++m_block.steps;
        m_block.wallNs += row.wallNs;
        m_block.samples += row.batch;
    }
}

Result<void> StepReports::waitFor(DeviceMarks::Mark mark)
{
    if (m_marks == nullptr) {
        return {};
    }
    const std::int64_t start = monotonicNs();
    std::int64_t checked = start;
    for (std::int64_t now = start; !m_marks->isReached(mark); now = monotonicNs()) {
        if (now - checked > CheckPeersEveryNs) {
            checked = now;
            LOCKSTEP_TRY(m_strategy.checkPeers());
            if (m_context.worldSize > 1 && now - start > m_timeoutNs) {
                return failure(
                    LS_TR("Messages",
                        "the device has not finished the step within comm.timeout_s, %1 s: it waits for another rank"),
                    {m_timeoutNs / 1'000'000'000});
            }
        }
        if (now - start > SpinNs) {
            comm::sleepUntilNs(now + SleepNs);
        }
    }
    return {};
}

Result<void> StepReports::waitForDevice()
{
    return m_marks != nullptr ? waitFor(m_marks->mark()) : Result<void>();
}

Error StepReports::brokenBy(double loss, std::int64_t step)
{
    m_brokenStep = step;
    const auto text = [](double rate) {
        std::array<char, 32> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%.4g", rate);
        return std::string(buffer.data());
    };
    const double asked = m_run.settings->optimizer.lr;
    const double rate = learningRateAt(m_run, step, m_job.plan);
    return {std::string("loss became ") + (std::isnan(loss) ? "NaN" : "infinite") + " at step " + std::to_string(step)
        + " (optimizer.lr " + text(asked) + (rate == asked ? "" : ", in this step " + text(rate)) + ")"};
}

} // namespace lockstep::engine
