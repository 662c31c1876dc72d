#include "ui/shell/runs/pending_runs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

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

/// Whether it is a run of this experiment step as the student with this number has it, with any values of free
/// parameters.
bool isRunOf(const laboratory::Step& step, const std::string& number, const experiment::RunSpec& run)
{
    const auto spec = laboratory::specOf(step, number);
    const auto runs = spec ? experiment::expand(*spec) : Result<std::vector<experiment::RunSpec>>(spec.error());
    return runs && std::ranges::any_of(*runs, [&](const experiment::RunSpec& own) {
        const auto isAlike = [&](const auto& setting) {
            const auto found = run.settings.find(setting.first);
            return laboratory::isFree(*step.as<laboratory::ExperimentStep>(), setting.first)
                || (found != run.settings.end() && found->second == setting.second);
        };
        return own.experiment == run.experiment && own.name == run.name && own.repeat == run.repeat
            && std::ranges::all_of(own.settings, isAlike);
    });
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

std::vector<PendingRuns> pendingOf(const laboratory::Work& work, const launch::QueueState& queue)
{
    if (work.isReadOnly()) {
        return {};
    }
    const laboratory::Laboratory& laboratory = work.laboratory();
    const laboratory::WorkState& state = work.state();
    const std::vector<RunId> known = state.allRuns();
    std::set<std::int64_t> taken; // by an earlier step: two may run the same variants
    std::vector<PendingRuns> all;
    for (const laboratory::Step& step : laboratory.steps) {
        if (!step.is<laboratory::ExperimentStep>() || !state.unsealed(laboratory, step.id).empty()) {
            continue;
        }
        PendingRuns pending{step.id, {}, taken};
        for (const launch::QueueEntry& entry : queue.entries) {
            const std::size_t before = pending.runs.size();
            for (const launch::QueuedRun& run : entry.runs) {
                const bool isKnown = run.id && std::ranges::find(known, *run.id) != known.end();
                if (!taken.contains(entry.id) && !isKnown && isRunOf(step, state.number(), run.spec)) {
                    pending.runs.push_back(run.spec);
                }
            }
            (pending.runs.size() > before ? taken : pending.others).insert(entry.id);
        }
        if (!pending.runs.empty()) {
            all.push_back(std::move(pending));
        }
    }
    return all;
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
        if (std::vector<RunId> runs = begunOf(pending, all, queue); !runs.empty()) {
            begun.emplace_back(pending.step, std::move(runs));
        }
    }
    std::erase_if(all, [](const PendingRuns& each) { return each.runs.empty(); });
    return begun;
}

} // namespace lockstep::ui
