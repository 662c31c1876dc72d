#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/timing/machine_load.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

/// Whether a sentence compares times.
bool comparesTimes(const Finding& finding)
{
    const auto isOfTime = [](const auto& figure) {
        return figure.first.starts_with("ms_per_step") || figure.first.starts_with("samples_per_s")
            || figure.first.starts_with("comms_with_wait") || figure.first.starts_with("times_");
    };
    if (finding.kind.starts_with("answer.")) {
        return std::ranges::any_of(finding.figures, isOfTime);
    }
    static constexpr std::array<std::string_view, 15> Kinds{"aggregation.fastest", "collectives.fastest",
        "collectives.theory", "collectives.times", "model_parallel.cost", "optimizers.fastest",
        "optimizers.fastest_tied", "partitioning.speed_up", "scaling.prediction", "scaling.speed_up", "scaling.time",
        "scaling.time_to_accuracy", "timing.difference", "timing.no_difference", "timing.unknown"};
    return std::ranges::find(Kinds, finding.kind) != Kinds.end();
}

/// The variants whose ranks waited long for other work, with how long, the longest first.
std::vector<std::pair<double, const Group*>> disturbed(const std::vector<Group>& groups)
{
    std::vector<std::pair<double, const Group*>> found;
    for (const Group& group : groups) {
        if (const double share = group.mean(inSummary<&Summary::delayByOthers>).mean; share >= BusyMachine) {
            found.emplace_back(share, &group);
        }
    }
    std::ranges::stable_sort(found, std::greater(), [](const auto& each) { return each.first; });
    return found;
}

} // namespace

std::vector<Finding> machineFindings(std::span<const RunRecord> runs, bool areTimesWithheld)
{
    const std::vector<Group> groups = groupsOf(runs, SameSeed::Each);
    const auto found = disturbed(groups);
    if (found.empty()) {
        return {};
    }
    Finding finding;
    finding.kind = "machine.busy";
    finding.role = Role::Caveat;
    finding.pattern = areTimesWithheld
        ? LS_TR("Findings",
            "The machine was busy: times of different numbers of ranks cannot be compared. The ranks of %1 waited up "
            "to %2 of their time for a core. Measure again on a quiet machine.")
        : LS_TR("Findings",
            "The machine was busy: the ranks of %1 waited up to %2 of their time for a core. Measure again on a quiet "
            "machine.");
    for (const auto& [share, group] : found) {
        finding.figures.emplace_back("run_delay_by_others_" + group->key, share);
        finding.addRuns(group->ids());
    }
    // Of many the most disturbed ones are named.
    finding.arguments
        = {fewOf(found, [](const auto& each) { return each.second->name; }), percent(found.front().first)};
    return {finding};
}

void markBusy(std::vector<Finding>& findings, std::span<const RunRecord> runs)
{
    for (Finding& finding : findings) {
        if (!comparesTimes(finding)) {
            continue;
        }
        std::set<int> ranks;
        bool wasAnyBusy = false;
        for (const RunRecord& run : runs) {
            if (std::ranges::find(finding.runs, run.id) != finding.runs.end()) {
                ranks.insert(ranksOf(run));
                wasAnyBusy = wasAnyBusy || wasMachineBusy(run);
            }
        }
        finding.wasMachineBusy = wasAnyBusy && ranks.size() > 1;
    }
}

} // namespace lockstep::analysis
