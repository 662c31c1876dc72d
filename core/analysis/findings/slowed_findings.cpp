#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace lockstep::analysis {

namespace {

constexpr std::size_t MostSaid = 3; ///< of one run, the longest

std::int64_t stepsOf(const SlowedStretch& stretch)
{
    return stretch.lastStep - stretch.firstStep + 1;
}

/// The nearest undelayed stretch on that side with the same link; null: none.
template <typename At>
const SlowedStretch* undelayed(At at, At end, const SlowedStretch& slowed)
{
    const auto found = std::find_if(
        at, end, [&](const SlowedStretch& each) { return each.ranks.empty() && each.link == slowed.link; });
    return found == end ? nullptr : &*found;
}

std::string_view patternOf(std::size_t ranks, bool isWaitKnown)
{
    if (ranks == 1) {
        return isWaitKnown
            ? LS_TR("Findings",
                "%1: while rank %2 was slowed by %3 ms, a step took %4 ms instead of %5. The others waited %6 ms.")
            : LS_TR("Findings", "%1: while rank %2 was slowed by %3 ms, a step took %4 ms instead of %5.");
    }
    return isWaitKnown ? LS_TR("Findings",
               "%1: while ranks %2 were slowed by %3 ms, a step took %4 ms instead of %5. The others waited %6 ms.")
                       : LS_TR("Findings", "%1: while ranks %2 were slowed by %3 ms, a step took %4 ms instead of %5.");
}

Finding duringFinding(const RunRecord& run, const SlowedStretch& slowed, const SlowedStretch& usual)
{
    const bool isWaitKnown = std::isfinite(slowed.othersWaitMs);
    Finding finding{.kind = "run.slowed",
        .pattern = patternOf(slowed.ranks.size(), isWaitKnown),
        .arguments = {displayName(run), listed(slowed.ranks, [](std::int32_t rank) { return std::to_string(rank); }),
            threeDigits(slowed.delayMs), threeDigits(slowed.msPerStep), threeDigits(usual.msPerStep)},
        .figures
        = {{"delay_ms", slowed.delayMs}, {"ms_per_step", slowed.msPerStep}, {"usual_ms_per_step", usual.msPerStep},
            {"first_step", static_cast<double>(slowed.firstStep)}, {"last_step", static_cast<double>(slowed.lastStep)}},
        .runs = {run.id}};
    if (isWaitKnown) {
        finding.arguments.push_back(threeDigits(slowed.othersWaitMs));
        finding.figures.emplace_back("others_wait_ms", slowed.othersWaitMs);
    }
    return finding;
}

Finding afterFinding(const RunRecord& run, const SlowedStretch& after)
{
    return {.kind = "run.slowed_after",
        .pattern = LS_TR("Findings", "%1: after the slow steps, a step took %2 ms."),
        .arguments = {displayName(run), threeDigits(after.msPerStep)},
        .figures = {{"ms_per_step", after.msPerStep}},
        .runs = {run.id}};
}

} // namespace

std::vector<Finding> slowedFindings(const RunRecord& run)
{
    const std::vector<SlowedStretch>& all = run.stretches;
    std::vector<std::size_t> slowed;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].ranks.empty()) {
            slowed.push_back(i);
        }
    }
    std::ranges::stable_sort(slowed, [&](std::size_t a, std::size_t b) { return stepsOf(all[a]) > stepsOf(all[b]); });
    slowed.resize(std::min(slowed.size(), MostSaid));
    std::ranges::sort(slowed);
    std::vector<Finding> said;
    const SlowedStretch* after = nullptr;
    for (const std::size_t i : slowed) {
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(i);
        const SlowedStretch* before = undelayed(std::make_reverse_iterator(at), all.rend(), *at);
        after = undelayed(at, all.end(), *at);
        if (before != nullptr || after != nullptr) {
            said.push_back(duringFinding(run, *at, before != nullptr ? *before : *after));
        }
        after = before == nullptr ? nullptr : after; // else it is said already
    }
    if (after != nullptr) {
        said.push_back(afterFinding(run, *after));
    }
    return said;
}

} // namespace lockstep::analysis
