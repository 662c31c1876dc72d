#include "ui/shell/runs/pending_runs.h"

#include <algorithm>
#include <cstddef>

namespace lockstep::ui {

namespace {

bool isFor(const launch::QueuedRun& run, const experiment::RunSpec& wanted)
{
    return wanted.experiment == run.spec.experiment && wanted.name == run.spec.name && wanted.repeat == run.spec.repeat;
}

/// Those of `pending`, one of `all`, that have begun.
std::vector<RunId> begunOf(PendingRuns& pending, std::vector<PendingRuns>& all, const launch::QueueState& queue)
{
    std::vector<RunId> begun;
    for (const launch::QueueEntry& entry : queue.entries) {
        for (const launch::QueuedRun& run : entry.runs) {
            const auto wanted = std::ranges::find_if(
                pending.runs, [&run](const experiment::RunSpec& each) { return isFor(run, each); });
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

int waitingOf(const std::string& step, const std::vector<PendingRuns>& all, const launch::QueueState& queue)
{
    std::ptrdiff_t waiting = 0;
    for (const PendingRuns& pending : all) {
        const auto isWaiting = [&](const experiment::RunSpec& wanted) {
            return std::ranges::any_of(queue.entries, [&](const launch::QueueEntry& entry) {
                return !pending.others.contains(entry.id)
                    && std::ranges::any_of(
                        entry.runs, [&wanted](const launch::QueuedRun& run) { return !run.id && isFor(run, wanted); });
            });
        };
        waiting += pending.step == step ? std::ranges::count_if(pending.runs, isWaiting) : 0;
    }
    return static_cast<int>(waiting);
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
