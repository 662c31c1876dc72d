#include "launch/queue/queue_times.h"

#include "base/clock.h"
#include "launch/expected_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lockstep::launch {

namespace {

using analysis::RunRecord;
using analysis::RunStatus;

const RunRecord* recordOf(const QueuedRun& run, std::span<const RunRecord> known)
{
    const auto record
        = std::ranges::find_if(known, [&](const RunRecord& each) { return run.id && each.id == *run.id; });
    return record == known.end() ? nullptr : &*record;
}

/// What is left of an entry: of its runs that have not ended, less the time since those that are alive were started,
/// in which others of them may have ended.
double secondsOf(const QueueEntry& entry, std::span<const RunRecord> known, const ExpectedTimes& times)
{
    std::vector<experiment::RunSpec> left;
    std::vector<const RunRecord*> ended;
    std::int64_t sinceNs = std::numeric_limits<std::int64_t>::max();
    for (const QueuedRun& run : entry.runs) {
        const RunRecord* record = recordOf(run, known);
        const RunStatus status = record == nullptr ? RunStatus::Queued : record->status;
        if (status == RunStatus::Finished || status == RunStatus::Failed) {
            ended.push_back(record);
            continue;
        }
        left.push_back(run.spec);
        const bool isAlive = !analysis::isFinal(status) && status != RunStatus::Queued;
        sinceNs = isAlive ? std::min(sinceNs, record->createdNs) : sinceNs;
    }
    double seconds = times.of(left).seconds;
    if (sinceNs != std::numeric_limits<std::int64_t>::max()) {
        seconds -= static_cast<double>(wallNs() - sinceNs) * 1e-9;
        for (const RunRecord* run : ended) {
            const double took = run->summary.startSeconds + run->summary.trainSeconds;
            seconds += run->createdNs >= sinceNs && std::isfinite(took) ? took : 0.0;
        }
    }
    return std::isnan(seconds) ? seconds : std::max(0.0, seconds);
}

} // namespace

QueueTimes secondsOf(const QueueState& queue, std::span<const RunRecord> known)
{
    const ExpectedTimes expected(known);
    QueueTimes times;
    for (const QueueEntry& entry : queue.entries) {
        times.entries.push_back(entry.state == EntryState::Damaged ? 0.0 : secondsOf(entry, known, expected));
        times.whole += times.entries.back();
    }
    return times;
}

} // namespace lockstep::launch
