#include "launch/queue/queue_times.h"

#include "analysis/scaling/estimate.h"
#include "base/clock.h"
#include "launch/ranks/rank_program.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockstep::launch {

namespace {

using analysis::RunRecord;
using analysis::RunStatus;

/// What times are estimated from.
struct Measured {
    std::span<const RunRecord> known;
    ExpectedProcessors processors = ExpectedProcessors::here();
};

double secondsOf(const QueuedRun& run, const Measured& measured)
{
    const std::span<const RunRecord> known = measured.known;
    const auto record
        = std::ranges::find_if(known, [&](const RunRecord& each) { return run.id && each.id == *run.id; });
    const auto whole = [&] { return analysis::estimate(run.spec, known, measured.processors.of(run.spec)).seconds; };
    switch (record == known.end() ? RunStatus::Queued : record->status) {
    case RunStatus::Finished:
    case RunStatus::Failed:
        return 0.0;
    case RunStatus::Queued:
    case RunStatus::Stopped:
    case RunStatus::Interrupted:
        return whole();
    case RunStatus::Starting:
    case RunStatus::Running:
    case RunStatus::Paused:
    case RunStatus::Stopping:
        break;
    }
    return std::max(0.0, whole() - static_cast<double>(wallNs() - record->createdNs) * 1e-9);
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

QueueTimes secondsOf(const QueueState& queue, std::span<const RunRecord> known)
{
    const Measured measured{known};
    QueueTimes times;
    for (const QueueEntry& entry : queue.entries) {
        times.entries.push_back(entry.state == EntryState::Damaged ? 0.0 : secondsOf(entry, measured));
        times.whole += times.entries.back();
    }
    return times;
}

} // namespace lockstep::launch
