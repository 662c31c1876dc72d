#include "analysis/findings/run_count.h"

#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockstep::analysis {

namespace {

std::size_t variantsOf(const std::vector<const RunRecord*>& runs)
{
    std::vector<const RunRecord*> variants;
    for (const RunRecord* run : runs) {
        if (std::ranges::none_of(variants, [run](const RunRecord* first) { return areRepeats(*first, *run); })) {
            variants.push_back(run);
        }
    }
    return variants.size();
}

std::string countOf(std::size_t runs, std::size_t variants, const Translator& say)
{
    if (runs == 0) {
        return say(LS_TR("Findings", "no runs"));
    }
    if (runs == 1) {
        return say(LS_TR("Findings", "1 run"));
    }
    const std::string_view pattern
        = variants == 1 ? LS_TR("Findings", "%1 runs of 1 variant") : LS_TR("Findings", "%1 runs of %2 variants");
    return filled(say(pattern), std::vector{std::to_string(runs), std::to_string(variants)});
}

/// Why a run is left out of statistics and comparisons; empty: it counts.
std::string_view reasonOf(const RunRecord& run, Interfered which)
{
    if (!isFinal(run.status)) {
        return LS_TR("Findings", "not ended yet");
    }
    if (run.status != RunStatus::Finished) {
        return LS_TR("Findings", "not finished");
    }
    return run.summary.interference.any() && which == Interfered::LeaveOut ? LS_TR("Findings", "changed by hand")
                                                                           : std::string_view();
}

} // namespace

std::string runCount(const std::vector<const RunRecord*>& runs, Interfered which, const Translator& translator)
{
    const Translator say = translator ? translator : [](std::string_view text) { return std::string(text); };
    std::size_t leftOut = 0;
    std::vector<std::string_view> reasons; // each once, in the order of the runs
    for (const RunRecord* run : runs) {
        const std::string_view reason = reasonOf(*run, which);
        leftOut += reason.empty() ? 0 : 1;
        if (!reason.empty() && std::ranges::find(reasons, reason) == reasons.end()) {
            reasons.push_back(reason);
        }
    }
    std::string count = countOf(runs.size(), variantsOf(runs), say);
    if (leftOut == 0) {
        return count;
    }
    const std::string separator = say(LS_TR("Findings", ", "));
    return filled(say(LS_TR("Findings", "%1, %2 left out (%3)")),
        std::vector{std::move(count), std::to_string(leftOut), listed(reasons, say, separator)});
}

} // namespace lockstep::analysis
