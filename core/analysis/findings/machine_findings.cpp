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
        return figure.first.starts_with("ms_per_step") || figure.first.starts_with("samples_per_s");
    };
    if (finding.kind.starts_with("answer.")) {
        return std::ranges::any_of(finding.figures, isOfTime);
    }
    static constexpr std::array<std::string_view, 9> Kinds{"model_parallel.cost", "partitioning.speed_up",
        "scaling.prediction", "scaling.speed_up", "scaling.time", "scaling.time_to_accuracy", "timing.difference",
        "timing.no_difference", "timing.unknown"};
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

std::string_view patternOf(bool isOne, AcrossRanks across)
{
    if (across == AcrossRanks::Yes) {
        return isOne
            ? LS_TR("Findings",
                "The machine was busy with other work: the ranks of %1 waited %2 of their time for a core. This "
                "changes "
                "comparisons across different numbers of ranks: measure again on a quiet machine.")
            : LS_TR("Findings",
                "The machine was busy with other work: ranks waited this share of their time for a core: %1. This "
                "changes comparisons across different numbers of ranks: measure again on a quiet machine.");
    }
    return isOne
        ? LS_TR("Findings",
            "The machine was busy with other work: the ranks of %1 waited %2 of their time for a core. Times are not "
            "those of a quiet machine.")
        : LS_TR("Findings",
            "The machine was busy with other work: ranks waited this share of their time for a core: %1. Times "
            "are not those of a quiet machine.");
}

} // namespace

std::vector<Finding> machineFindings(std::span<const RunRecord> runs, AcrossRanks across)
{
    const std::vector<Group> groups = groupsOf(runs, SameSeed::Each);
    const auto found = disturbed(groups);
    if (found.empty()) {
        return {};
    }
    Finding finding;
    finding.kind = "machine.busy";
    finding.pattern = patternOf(found.size() == 1, across);
    for (const auto& [share, group] : found) {
        finding.figures.emplace_back("run_delay_by_others_" + group->key, share);
        finding.addRuns(group->ids());
    }
    // Of many the most disturbed ones are named.
    const auto named = [](const auto& each) { return each.second->name + " " + percent(each.first); };
    finding.arguments = found.size() == 1
        ? std::vector<std::string>{found.front().second->name, percent(found.front().first)}
        : std::vector<std::string>{fewOf(found, named)};
    return {finding};
}

AcrossRanks markBusy(std::vector<Finding>& findings, std::span<const RunRecord> runs)
{
    AcrossRanks any = AcrossRanks::No;
    for (Finding& finding : findings) {
        if (!comparesTimes(finding)) {
            continue;
        }
        std::set<int> ranks;
        for (const RunRecord& run : runs) {
            if (std::ranges::find(finding.runs, run.id) != finding.runs.end()) {
                ranks.insert(ranksOf(run));
                finding.wasMachineBusy = finding.wasMachineBusy || wasMachineBusy(run);
            }
        }
        finding.wasMachineBusy = finding.wasMachineBusy && ranks.size() > 1;
        any = finding.wasMachineBusy ? AcrossRanks::Yes : any;
    }
    return any;
}

} // namespace lockstep::analysis
