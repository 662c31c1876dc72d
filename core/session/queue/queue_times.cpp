#include "session/queue/queue_times.h"

#include "analysis/estimate.h"
#include "base/clock.h"
#include "session/launch/rank_program.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockstep::session {

namespace {

using analysis::RunRecord;
using analysis::RunStatus;

std::vector<RunRecord> finishedOf(std::span<const RunRecord> known)
{
    std::vector<RunRecord> finished;
    std::ranges::copy_if(known, std::back_inserter(finished),
        [](const RunRecord& record) { return record.status == RunStatus::Finished; });
    return finished;
}

/// What times are estimated from.
struct Measured {
    std::span<const RunRecord> known;
    std::vector<RunRecord> finished = finishedOf(known);
    ExpectedProcessors processors = ExpectedProcessors::here();
};

double secondsOf(const QueuedRun& run, const Measured& measured)
{
    const std::span<const RunRecord> known = measured.known;
    const auto record
        = std::ranges::find_if(known, [&](const RunRecord& each) { return run.id && each.id == *run.id; });
    const double whole = analysis::estimate(run.spec, measured.finished, measured.processors.of(run.spec)).seconds;
    if (record == known.end()) {
        return whole;
    }
    switch (record->status) {
    case RunStatus::Finished:
    case RunStatus::Failed:
        return 0.0;
    case RunStatus::Queued:
    case RunStatus::Stopped:
    case RunStatus::Interrupted:
        return whole;
    case RunStatus::Starting:
    case RunStatus::Running:
    case RunStatus::Paused:
    case RunStatus::Stopping:
        break;
    }
    return std::max(0.0, whole - static_cast<double>(wallNs() - record->createdNs) * 1e-9);
}

double secondsOf(const QueueEntry& entry, const Measured& measured)
{
    double seconds = 0.0;
    for (const QueuedRun& run : entry.runs) {
        seconds += secondsOf(run, measured);
    }
    return seconds;
}

} // namespace

double secondsOf(const QueueEntry& entry, std::span<const RunRecord> known)
{
    return secondsOf(entry, Measured{known});
}

double secondsOf(const QueueState& queue, std::span<const RunRecord> known)
{
    const Measured measured{known};
    double seconds = 0.0;
    for (const QueueEntry& entry : queue.entries) {
        seconds += entry.state == EntryState::Damaged ? 0.0 : secondsOf(entry, measured);
    }
    return seconds;
}

} // namespace lockstep::session
