// The manual pages of section 1, in the macros of man(7).
#pragma once

#include "cli/pages/verb_usage.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::cli {

struct ManualPage {
    std::string name; ///< of the file: `lockstep-run.1`
    std::string text;
};

/// Where and when: the foot of every page.
struct PageFoot {
    std::string date; ///< `2026-11-30`
    std::string version; ///< `0.1.0`
};

/// `lockstep.1` and a page for each verb, which also has the verb's actions.
[[nodiscard]] std::vector<ManualPage> pagesOfVerbs(std::span<const VerbUsage> usages, const PageFoot& foot);
/// `lockstep-rank.1`.
[[nodiscard]] ManualPage pageOfRank(const VerbUsage& usage, const PageFoot& foot);

} // namespace lockstep::cli
