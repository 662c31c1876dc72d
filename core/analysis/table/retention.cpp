#include "analysis/table/retention.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace lockstep::analysis {

namespace {

/// Whether the rule may touch it at all.
bool mayGo(const RunRecord& run, const RetentionRule& rule, std::int64_t nowNs)
{
    constexpr std::int64_t NsPerDay = 24LL * 3600 * 1'000'000'000;
    const bool isOld = nowNs - run.createdNs > rule.olderThanDays * NsPerDay;
    return isOld && isFinal(run.status) && !run.marks.isPinned && run.marks.tags.empty();
}

} // namespace

std::vector<RunId> runsToDelete(std::span<const RunRecord> runs, const RetentionRule& rule, std::int64_t nowNs)
{
    std::vector<const RunRecord*> newestFirst;
    for (const RunRecord& run : runs) {
        newestFirst.push_back(&run);
    }
    std::ranges::stable_sort(newestFirst, std::ranges::greater(), &RunRecord::createdNs);
    std::map<std::pair<std::string, std::string>, int> kept;
    std::vector<RunId> going;
    for (const RunRecord* run : newestFirst) {
        const bool isUnfinished = run->status != RunStatus::Finished;
        if (isUnfinished && rule.dropsUnfinished && mayGo(*run, rule, nowNs)) {
            going.push_back(run->id);
            continue;
        }
        int& ofVariant = kept[{run->spec.experiment, run->spec.name}];
        if (ofVariant >= rule.keepNewest && mayGo(*run, rule, nowNs)) {
            going.push_back(run->id);
        } else {
            ++ofVariant;
        }
    }
    std::vector<RunId> inOrder;
    for (const RunRecord& run : runs) {
        if (std::ranges::find(going, run.id) != going.end()) {
            inOrder.push_back(run.id);
        }
    }
    return inOrder;
}

} // namespace lockstep::analysis
