#include "store/account/run_account.h"

#include "plan/local_sgd.h"

#include <algorithm>
#include <cmath>

namespace lockstep::store {

namespace {

/// Room is made for a run's own number of steps at once, up to this; beyond it in steps of a quarter, not of the whole:
/// a stored point then never costs more than 1.25 of itself.
constexpr std::int64_t LargestReserve = 1'000'000;
/// Before the first: curves of other programs begin with step 0.
constexpr std::int64_t NoStep = -1;

template <typename T>
void appendTo(std::vector<T>& column, T value)
{
    if (column.size() == column.capacity()) {
        column.reserve(column.size() + column.size() / 4 + 256);
    }
    column.push_back(value);
}

analysis::RankShare shareOf(const FromRank<wire::Share>& share)
{
    return {share.rank, share.what.samples, share.what.shared, share.what.redraws, share.what.labels};
}

analysis::RankMemory memoryOf(const FromRank<wire::MemorySample>& sample)
{
    const wire::MemorySample& what = sample.what;
    return {sample.rank, what.live, what.most, what.mostOfSum, what.highest, what.residentBytes,
        what.highestResidentBytes, what.planned, what.plannedHighest};
}

analysis::CollectiveMeasurement measurementOf(const wire::Measurement& measured)
{
    const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1e3; };
    return {measured.collective, measured.algorithm, measured.type, measured.bytes, measured.inPlace, measured.calls,
        us(measured.p50Ns), us(measured.p99Ns), us(measured.meanNs), measured.wrong, measured.shared};
}

} // namespace

RunAccount::RunAccount(Curves curves)
    : m_curves(curves)
    , m_summary(1)
    , m_storedSteps(NoStep)
{ }

void RunAccount::add(const Delta& delta)
{
    addFacts(delta);
    if (!delta.storedLoss.empty() && !delta.storedLoss.back().isOutline() && m_loss.size() == 0) {
        m_loss = *delta.storedLoss.back().curve;
        m_storedSteps = m_loss.size() == 0 ? NoStep : m_loss.step.back();
    }
    for (const auto& [rank, held] : delta.held) {
        addHeld(rank, held);
    }
    for (const LeftOutRound& round : delta.leftOut) {
        m_rankSums.leaveOut(round.number);
    }
    for (const auto& [rank, applied] : delta.applied) {
        addApplied(applied); // pauses first: the steps after them are placed in time by them
    }
    for (const auto& [rank, batch] : delta.steps) {
        for (const StepRow& row : batch.rows) {
            addRow(rank, row);
        }
    }
    addResults(delta);
    addChanges(delta);
    placeInTime();
}

void RunAccount::addFacts(const Delta& delta)
{
    for (const auto& [rank, hello] : delta.hellos) {
        m_worldSize = std::max(m_worldSize, hello.worldSize);
        m_summary.setWorldSize(m_worldSize);
        m_rankSums.setWorldSize(m_worldSize);
        m_stretches.setWorldSize(m_worldSize);
        m_summary.setHost(rank, hello.host);
        m_hosts[rank] = hello.host;
        m_ranks.try_emplace(rank, RankChange{rank, RankState::Starting, {}});
    }
    for (const auto& [rank, sample] : delta.clocks) {
        m_clocks.add(sample.ranks, {sample.timeNs, sample.offsetNs, sample.errorNs}, sample.trips);
    }
    for (const auto& [rank, facts] : delta.prepared) {
        m_summary.setCores(rank, facts.cores);
        if (rank == 0 || !m_hasFacts) {
            m_facts = facts;
            m_hasFacts = true;
            m_summary.setData(facts.trainSamples, facts.testSamples);
            m_summary.setDevice(facts.device);
            if (facts.resumedStep > 0) {
                m_summary.setResumption({facts.resumedStep, facts.scheduledSteps, facts.totalSteps}, facts.resumedNs);
            }
            if (m_spec) {
                m_rankSums.setPeriod(plan::periodOf(*m_spec, facts.stepsPerEpoch));
            }
            makeRoom();
        }
    }
}

void RunAccount::addHeld(std::int32_t rank, const wire::Held& held)
{
    m_summary.heldAfter(held.step, held.timeNs, wire::UncountedSteps);
    m_rankSums.heldAfter(rank, held.step, wire::UncountedSteps,
        {held.block, held.startNs, held.timeNs, held.steps, held.wallNs, held.samples});
    if (m_facts.totalSteps > 0 && held.step >= m_facts.totalSteps) {
        m_heldAtEnd.insert(rank);
    }
}

Text measuredLess(const Text& why)
{
    return {LS_TR("Messages", "all its steps were taken; then, while it was measured: %1"), {why}};
}

bool RunAccount::areOwnStepsDone() const
{
    // Verification comes after the measuring, and a user's own program may do anything after its last step.
    const bool endsLater = m_spec && (m_spec->settings->verify.isOn || is(*m_spec, experiment::Strategy::Own));
    return !endsLater && static_cast<std::int32_t>(m_heldAtEnd.size()) >= m_worldSize;
}

analysis::Summary RunAccount::summary() const
{
    analysis::Summary summary = m_summary.summary();
    m_rankSums.addTypical(summary);
    summary.interference = m_interference;
    return summary;
}

namespace {

/// Stopping and saving a checkpoint change no figure.
bool analysis::Interference::*changedBy(wire::Command command)
{
    switch (command) {
    case wire::Command::Pause:
    case wire::Command::Resume:
        return &analysis::Interference::isPaused;
    case wire::Command::SetStraggler:
    case wire::Command::SetStragglerFactor:
        return &analysis::Interference::isSlowed;
    case wire::Command::SetLink:
    case wire::Command::SetLinkBandwidth:
        return &analysis::Interference::isLinkChanged;
    case wire::Command::Stop:
    case wire::Command::Checkpoint:
    case wire::Command::RunSteps:
        break;
    }
    return nullptr;
}

} // namespace

/// Every rank reports the same command at the same step: it is one intervention.
void RunAccount::addApplied(const wire::Applied& applied)
{
    const bool isPause = applied.command == wire::Command::Pause || applied.command == wire::Command::Resume;
    // A pause within a hold changes nothing: holds are left out already.
    const bool isFelt = !isPause || !clock().isHeldBefore(applied.step, applied.timeNs);
    if (isPause && isFelt) {
        applied.command == wire::Command::Pause ? m_summary.pausedAt(applied.timeNs)
                                                : m_summary.resumedAt(applied.timeNs);
    }
    if (bool analysis::Interference::*changed = changedBy(applied.command); changed != nullptr && isFelt) {
        m_interference.*changed = true;
    }
    const bool isKnown
        = std::any_of(m_interventions.begin(), m_interventions.end(), [&applied](const Intervention& each) {
              return each.command == applied.command && each.step == applied.step && each.rank == applied.rank;
          });
    if (!isKnown) {
        m_interventions.push_back({applied.step, 0.0, applied.command, applied.rank, applied.value, applied.timeNs});
        m_placedFromNs.reset();
        if (applied.command == wire::Command::SetStraggler) {
            m_stretches.delayed(applied.step, applied.rank, applied.value);
        } else if (changedBy(applied.command) == &analysis::Interference::isLinkChanged
            || applied.command == wire::Command::SetStragglerFactor) {
            m_stretches.linkChanged(applied.step);
        }
    }
}

void RunAccount::addRow(std::int32_t rank, const StepRow& row)
{
    if (!clock().hasBegun() && row.step > 1 && m_hasFacts && m_facts.resumedStep == 0) {
        // A rank of an earlier version does not say that it resumes a run: how long that took is not known, and what is
        // stored of its curve lacks that time.
        m_summary.setResumption({row.step - 1, 0, m_facts.totalSteps}, -1);
        std::ranges::fill(m_loss.seconds, analysis::NotMeasured);
    }
    // An evaluation that came before the row of its step was placed as if the hold before that went on.
    if (clock().isHolding() && !m_evaluations.empty() && m_evaluations.back().endNs > clock().endNs()) {
        m_placedFromNs.reset();
    }
    m_rankSums.addStep(rank, row);
    m_stretches.addStep(rank, row);
    m_staleness.add(rank, row.staleness);
    if (const auto whole = m_summary.addStep(rank, row);
        whole && m_curves != Curves::Leave && whole->step > m_storedSteps) {
        append(m_loss, whole->step, whole->samples, whole->endNs, whole->loss);
    }
    if (m_curves == Curves::Keep) {
        m_ownLosses.add(rank, row, m_facts.stepsPerEpoch);
    }
}

void RunAccount::addResults(const Delta& delta)
{
    for (const auto& [rank, result] : delta.evaluations) {
        m_summary.addEvaluation(result.accuracy, result.trainLoss);
        if (m_curves == Curves::Keep) {
            m_evaluations.push_back(result);
        }
    }
    if (m_curves == Curves::Keep) {
        for (const auto& [rank, batch] : delta.metrics) {
            addMetrics(rank, batch);
        }
    }
    for (const auto& [rank, measured] : delta.measurements) {
        analysis::addMeasurement(m_measurements, measurementOf(measured));
    }
    for (const auto& [rank, result] : delta.verifications) {
        m_summary.setVerification(result.maxRelativeDifference, result.drifts);
    }
    for (const auto& share : delta.shares) {
        analysis::addShare(m_shares, shareOf(share));
        m_summary.addShare(share.rank, share.what.labels);
    }
    for (const auto& sample : delta.memory) {
        m_summary.addMemory(memoryOf(sample));
    }
    for (const auto& [rank, vitals] : delta.vitals) {
        m_summary.setProcessorTimes(rank, {vitals.runNs, vitals.runDelayNs, vitals.busyNs, vitals.watchedNs});
    }
    for (const auto& [rank, spans] : delta.spans) {
        m_summary.addDroppedSpans(spans.dropped);
        for (const wire::SpanRow& span : spans.rows) {
            m_summary.addSpan(rank, span.step, span.phase, span.startNs, span.durationNs, span.microBatch);
        }
    }
}

void RunAccount::addMetrics(std::int32_t rank, const wire::MetricBatch& batch)
{
    OwnMetric& metric = m_ownMetrics.try_emplace(batch.name, OwnMetric{rank, {}}).first->second;
    if (rank > metric.rank) {
        return;
    }
    if (rank < metric.rank) {
        metric = {rank, {}};
        m_metrics.erase(batch.name);
    }
    metric.rows.insert(metric.rows.end(), batch.rows.begin(), batch.rows.end());
}

void RunAccount::addChanges(const Delta& delta)
{
    for (const analysis::Machine& machine : delta.machines) {
        m_machines.add(machine);
    }
    for (const analysis::MachineSample& sample : delta.machineSamples) {
        m_machines.add(sample);
    }
    for (const RankChange& change : delta.ranks) {
        m_ranks.insert_or_assign(change.rank, change);
        if (change.state == RankState::Finished) {
            m_summary.leave(change.rank);
        }
    }
    for (const analysis::WholeStep& step : m_summary.takeLateSteps()) {
        if (m_curves != Curves::Leave && step.step > m_storedSteps) {
            append(m_loss, step.step, step.samples, step.endNs, step.loss);
        }
    }
    for (const StatusChange& change : delta.statuses) {
        if (!m_status || analysis::isFinal(change.status) || !analysis::isFinal(m_status->status)) {
            m_status = change;
        }
    }
    for (const RunStart& start : delta.starts) {
        m_summary.setStart(start.secondsToFirstLoss, start.startSeconds);
    }
}

void RunAccount::makeRoom()
{
    if (m_curves != Curves::Keep) {
        return;
    }
    const auto steps = static_cast<std::size_t>(std::clamp<std::int64_t>(m_facts.totalSteps, 0, LargestReserve));
    m_loss.step.reserve(steps);
    m_loss.epoch.reserve(steps);
    m_loss.seconds.reserve(steps);
    m_loss.value.reserve(steps);
}

/// An evaluation or a command can come before the row of its step, which waits for the other ranks' rows.
void RunAccount::placeInTime()
{
    if (m_placedFromNs != clock().beginNs()) {
        m_placedFromNs = clock().beginNs();
        m_evaluated.accuracy = {};
        m_evaluated.testLoss = {};
        m_evaluated.trainLoss = {};
        m_metrics.clear();
        for (Intervention& each : m_interventions) {
            each.seconds = secondsAt(each.timeNs);
        }
    }
    for (std::size_t i = m_evaluated.accuracy.size(); i < m_evaluations.size(); ++i) {
        const wire::Evaluation& result = m_evaluations[i];
        append(m_evaluated.accuracy, result.step, result.samples, result.endNs, result.accuracy);
        append(m_evaluated.testLoss, result.step, result.samples, result.endNs, result.loss);
        if (!std::isnan(result.trainLoss)) {
            append(m_evaluated.trainLoss, result.step, result.samples, result.endNs, result.trainLoss);
        }
    }
    for (const auto& [name, metric] : m_ownMetrics) {
        analysis::Curve& curve = m_metrics[name];
        for (std::size_t i = curve.size(); i < metric.rows.size(); ++i) {
            const wire::MetricRow& row = metric.rows[i];
            append(curve, row.step, row.samples, row.endNs, row.value);
        }
    }
}

std::map<std::int32_t, analysis::Curve> RunAccount::ownLosses() const
{
    std::map<std::int32_t, analysis::Curve> curves;
    for (const auto& [rank, points] : m_ownLosses.byRank()) {
        for (const analysis::OwnLosses::Point& point : points) {
            append(curves[rank], point.step, point.samples, point.endNs, point.loss());
        }
    }
    return curves;
}

double RunAccount::secondsAt(std::int64_t timeNs) const
{
    const bool isUnknown = timeNs == 0 && !clock().hasBegun(); // of curves from elsewhere
    const double seconds = isUnknown ? analysis::NotMeasured : clock().hasBegun() ? clock().secondsAt(timeNs) : 0.0;
    return seconds < 0.0 ? 0.0 : seconds; // or not known
}

void RunAccount::append(
    analysis::Curve& curve, std::int64_t step, std::int64_t samples, std::int64_t endNs, double value) const
{
    appendTo(curve.step, step);
    // A user's own program need not report how large its data set is.
    appendTo(curve.epoch,
        m_facts.trainSamples > 0 ? static_cast<double>(samples) / static_cast<double>(m_facts.trainSamples)
                                 : analysis::NotMeasured);
    appendTo(curve.seconds, secondsAt(endNs));
    appendTo(curve.value, value);
}

std::vector<analysis::HostClock> RunAccount::clocks() const
{
    std::vector<analysis::HostClock> clocks = m_clocks.others();
    for (analysis::HostClock& clock : clocks) {
        const auto host = m_hosts.find(clock.ranks.front());
        clock.host = host == m_hosts.end() ? std::string() : host->second;
    }
    return clocks;
}

void RunAccount::fill(analysis::RunRecord& record) const
{
    record.loss = m_loss;
    record.accuracy = m_evaluated.accuracy;
    record.testLoss = m_evaluated.testLoss;
    record.trainLoss = m_evaluated.trainLoss;
    record.metrics = m_metrics;
    record.summary.interference = m_interference; // a summary of an earlier version lacks it, and the next
    record.summary.resumption = m_summary.summary().resumption;
    record.summary.trainSeconds = clock().knowsTime() ? record.summary.trainSeconds : analysis::NotMeasured;
    record.ranks = m_rankSums.summaries();
    record.machines = m_machines.figures();
    fillResults(record);
}

void RunAccount::fillResults(analysis::RunRecord& record) const
{
    record.staleness = m_staleness.ranks();
    record.shares = m_shares;
    record.measurements = m_measurements;
    record.blocks = m_rankSums.blocks().rounds();
    record.stretches = m_stretches.stretches();
    record.clocks = clocks();
}

} // namespace lockstep::store
