#include "ui/shell/runs/pending_runs.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

/// Those of `pending`, one of `all`, that have begun.
std::vector<RunId> begunOf(PendingRuns& pending, std::vector<PendingRuns>& all, const launch::QueueState& queue)
{
    std::vector<RunId> begun;
    for (const launch::QueueEntry& entry : queue.entries) {
        for (const launch::QueuedRun& run : entry.runs) {
            const auto isIt = [&run](const experiment::RunSpec& wanted) {
                return wanted.experiment == run.spec.experiment && wanted.name == run.spec.name
                    && wanted.repeat == run.spec.repeat;
            };
            const auto wanted = std::ranges::find_if(pending.runs, isIt);
            if (!run.id || pending.others.contains(entry.id) || wanted == pending.runs.end()) {
                continue;
            }
            begun.push_back(*run.id);
            pending.runs.erase(wanted);
            for (PendingRuns& other : all) { // two steps may run the same variants
                if (&other != &pending) {
                    other.others.insert(entry.id);
                }
            }
        }
    }
    return begun;
}

} // namespace

PendingRuns pendingRuns(
    const std::string& step, const std::vector<experiment::RunSpec>& runs, const launch::QueueState& queue)
{
    PendingRuns pending{step, runs, {}};
    for (const launch::QueueEntry& entry : queue.entries) {
        pending.others.insert(entry.id);
    }
    return pending;
}

std::vector<std::pair<std::string, std::vector<RunId>>> takeBegun(
    std::vector<PendingRuns>& all, const launch::QueueState& queue)
{
    std::vector<std::pair<std::string, std::vector<RunId>>> begun;
    for (PendingRuns& pending : all) {
        begun.emplace_back(pending.step, begunOf(pending, all, queue));
    }
    std::erase_if(all, [](const PendingRuns& each) { return each.runs.empty(); });
    return begun;
}

} // namespace lockstep::ui
