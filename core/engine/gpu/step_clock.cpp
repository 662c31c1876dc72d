#include "engine/gpu/step_clock.h"

#include "base/clock.h"

#include <algorithm>
#include <utility>

namespace lockstep::engine {

namespace {

// A whole-batch step over many chunks would otherwise write thousands of spans too short to see.
constexpr std::size_t MostSpansOfAStep = 256;
// Each pass of a pipeline is to be seen, and each sum within the layers that ranks share cuts one in two.
constexpr std::size_t MostSpansOfPasses = 16'384;

} // namespace

StepClock::StepClock(DeviceMarks* marks)
    : m_marks(marks)
{
    m_moments.reserve(MostSpansOfAStep);
}

StepClock::Within::Within(StepClock* clock, Phase phase)
    : m_clock(clock)
{
    if (m_clock != nullptr) {
        if (!m_clock->m_moments.empty()) {
            m_outer = m_clock->m_moments.back().phase;
            m_microBatch = m_clock->m_moments.back().microBatch;
        }
        m_clock->begin(phase, m_microBatch);
    }
}

StepClock::Within::~Within()
{
    if (m_clock == nullptr) {
        return;
    }
    if (m_outer) {
        m_clock->begin(*m_outer, m_microBatch);
    } else {
        m_clock->stop();
    }
}

void StepClock::start()
{
    m_moments.clear();
    m_arrival = 0;
    m_calls = 0;
    m_unattributedNs = 0;
    m_betweenHostsNs = 0;
    m_beside.clear();
    m_moments.push_back({m_marks != nullptr ? m_marks->mark() : monotonicNs(), std::nullopt, -1});
}

void StepClock::begin(Phase phase, std::int32_t microBatch)
{
    note(phase, microBatch);
}

void StepClock::stop()
{
    note(std::nullopt, -1);
}

void StepClock::endPass()
{
    if (!m_onPass) {
        return;
    }
    const auto open = m_moments.empty() ? std::nullopt : m_moments.back().phase;
    if (open == Phase::Forward || open == Phase::Backward) {
        m_onPass(m_passBeganNs);
    }
    m_passBeganNs = monotonicNs();
}

void StepClock::communicated(const comm::OperationTimes& times, CallOf of)
{
    if (m_marks != nullptr || m_moments.empty() || !m_moments.back().phase) {
        return;
    }
    const Moment open = m_moments.back();
    ++m_calls;
    if (of == CallOf::All && times.lastArrivalNs == 0 && open.phase == Phase::Communicate) {
        m_arrival = m_moments.size() - 1;
    }
    const std::int64_t from = std::max(times.enterNs, open.at);
    const std::int64_t to = std::max(times.exitNs, from);
    const std::int64_t last = std::clamp(times.lastArrivalNs, from, to);
    m_unattributedNs += times.lastArrivalNs == 0 ? to - from : 0;
    m_betweenHostsNs += std::min(times.betweenHostsNs, to - last); // some of it may have been hidden
    if (last > from) {
        m_moments.push_back({from, Phase::Wait, open.microBatch});
    }
    if (last > from || open.phase != Phase::Communicate) {
        m_moments.push_back({last, Phase::Communicate, open.microBatch});
    }
    if (open.phase != Phase::Communicate) {
        m_moments.push_back({to, open.phase, open.microBatch});
        m_passBeganNs = to;
    }
}

void StepClock::communicatedBeside(DeviceMarks& marks, std::vector<DeviceMarks::Mark> ends)
{
    m_marksBeside = &marks;
    m_beside = std::move(ends);
}

void StepClock::setArrival()
{
    if (m_marks != nullptr) {
        m_arrival = m_moments.empty() ? 0 : m_moments.size() - 1;
    }
}

/// What the rows of all ranks can split is one stretch of communicating, with one call in it.
bool StepClock::hasOneArrival() const
{
    const auto isCommunicating = [](const Moment& moment) { return moment.phase == Phase::Communicate; };
    return m_marks != nullptr || (m_calls == 1 && std::ranges::count_if(m_moments, isCommunicating) == 1);
}

void StepClock::note(std::optional<Phase> phase, std::int32_t microBatch)
{
    endPass();
    m_moments.push_back({m_marks != nullptr ? m_marks->mark() : monotonicNs(), phase, microBatch});
}

StepClock::Record StepClock::take()
{
    Record record;
    record.last = m_moments.empty() ? 0 : m_moments.back().at;
    record.arrival = hasOneArrival() ? m_arrival : 0;
    record.unattributedNs = m_unattributedNs;
    record.betweenHostsNs = m_betweenHostsNs;
    record.moments = std::exchange(m_moments, {});
    record.marksBeside = m_marksBeside;
    record.beside = std::exchange(m_beside, {});
    return record;
}

/// What the phases' stream has not waited for ran beside its work: durations on each stream, because two clocks of one
/// device differ by more than a short collective takes.
std::int64_t StepClock::hiddenOf(const Record& record, const StepTimes& times)
{
    std::int64_t busyNs = 0;
    for (std::size_t i = 0; i + 1 < record.beside.size(); i += 2) {
        busyNs += record.marksBeside->timeNs(record.beside[i + 1]) - record.marksBeside->timeNs(record.beside[i]);
    }
    if (!record.beside.empty()) {
        record.marksBeside->release(record.beside.back());
    }
    const auto of = [&times](Phase phase) { return times.phaseNs[static_cast<std::size_t>(phase)]; };
    return std::clamp<std::int64_t>(
        busyNs - of(Phase::Communicate) - of(Phase::Wait), 0, std::max<std::int64_t>(0, of(Phase::Backward)));
}

StepTimes StepClock::timesOf(const Record& record) const
{
    StepTimes times;
    times.unattributedNs = record.unattributedNs;
    times.betweenHostsNs = record.betweenHostsNs;
    std::int64_t from = 0;
    for (std::size_t i = 0; i < record.moments.size(); ++i) {
        const Moment& moment = record.moments[i];
        const std::int64_t now = m_marks != nullptr ? m_marks->timeNs(moment.at) : moment.at;
        if (i == 0) {
            times.startNs = now;
        } else if (const Moment& before = record.moments[i - 1]; before.phase) {
            times.phaseNs[static_cast<std::size_t>(*before.phase)] += now - from;
            if (times.spans.size() < (before.microBatch >= 0 ? MostSpansOfPasses : MostSpansOfAStep)) {
                times.spans.push_back({*before.phase, from, now - from, before.microBatch});
            }
        }
        if (record.arrival != 0 && i == record.arrival) {
            times.arrivalNs = now;
        }
        times.endNs = now;
        from = now;
    }
    if (m_marks != nullptr) {
        m_marks->release(record.last);
        times.hiddenNs = hiddenOf(record, times);
        times.unattributedNs = times.arrivalNs == 0 ? times.phaseNs[static_cast<std::size_t>(Phase::Communicate)] : 0;
    }
    return times;
}

} // namespace lockstep::engine
