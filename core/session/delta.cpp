#include "session/delta.h"

namespace lockstep::session {

namespace {

template <typename T>
void appendAll(std::vector<T>& to, const std::vector<T>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

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

analysis::StepRow rowAt(const wire::StepBatch& batch, std::size_t row)
{
    analysis::StepRow values{batch.step[row], batch.endNs[row], batch.wallNs[row], batch.samples[row], batch.batch[row],
        batch.loss[row], batch.learningRate[row], batch.bytesSent[row], {},
        batch.hiddenNs.empty() ? 0 : batch.hiddenNs[row], {}};
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        values.phaseNs[phase] = batch.phaseNs[phase][row];
    }
    if (batch.tellsKinds()) {
        values.bytesByKind.emplace();
        for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
            (*values.bytesByKind)[kind] = batch.bytesByKind[kind][row];
        }
    }
    return values;
}

analysis::CollectiveMeasurement measurementOf(const wire::Measurement& measured)
{
    const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1e3; };
    return {measured.collective, measured.algorithm, measured.type, measured.bytes, measured.inPlace, measured.calls,
        us(measured.p50Ns), us(measured.p99Ns), us(measured.meanNs), measured.wrong};
}

void addSpans(analysis::SummaryBuilder& summary, std::int32_t rank, const wire::SpanBatch& spans)
{
    summary.addDroppedSpans(spans.dropped);
    for (std::size_t i = 0; i < spans.size() && i < spans.microBatch.size(); ++i) {
        summary.addSpan(rank, spans.step[i], static_cast<Phase>(spans.phase[i]), spans.startNs[i], spans.durationNs[i],
            spans.microBatch[i]);
    }
}

namespace {

template <typename Listener>
void tellOfPause(Listener& listener, const wire::Applied& applied)
{
    if (applied.command == wire::Command::Pause) {
        listener.pausedAt(applied.timeNs);
    } else if (applied.command == wire::Command::Resume) {
        listener.resumedAt(applied.timeNs);
    }
}

} // namespace

void addIntervention(analysis::SummaryBuilder& summary, const wire::Applied& applied)
{
    tellOfPause(summary, applied);
}

void addIntervention(analysis::RunClock& clock, const wire::Applied& applied)
{
    tellOfPause(clock, applied);
}

bool Delta::isEmpty() const
{
    return hellos.empty() && prepared.empty() && steps.empty() && spans.empty() && traffic.empty()
        && evaluations.empty() && measurements.empty() && verifications.empty() && shares.empty() && logs.empty()
        && vitals.empty() && memory.empty() && applied.empty() && machines.empty() && machineSamples.empty()
        && ranks.empty() && statuses.empty();
}

void Delta::append(const Delta& later)
{
    appendAll(hellos, later.hellos);
    appendAll(prepared, later.prepared);
    appendAll(steps, later.steps);
    appendAll(spans, later.spans);
    appendAll(traffic, later.traffic);
    appendAll(evaluations, later.evaluations);
    appendAll(measurements, later.measurements);
    appendAll(verifications, later.verifications);
    appendAll(shares, later.shares);
    appendAll(logs, later.logs);
    appendAll(vitals, later.vitals);
    appendAll(memory, later.memory);
    appendAll(applied, later.applied);
    appendAll(machines, later.machines);
    appendAll(machineSamples, later.machineSamples);
    appendAll(ranks, later.ranks);
    appendAll(statuses, later.statuses);
}

} // namespace lockstep::session
