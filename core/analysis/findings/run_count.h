// How many runs are shown, of how many variants, and how many of them do not count: the words that the window, reports
// and the command line have in common.
#pragma once

#include "analysis/finding.h"

#include <string>
#include <vector>

namespace lockstep::analysis {

/// `12 runs of 4 variants, 2 left out (changed by hand)`, without a full stop; `1 run` where there is one. Left out are
/// runs that have not finished, and those that were changed by hand unless these are included.
[[nodiscard]] std::string runCount(
    const std::vector<const RunRecord*>& runs, Interfered which, const Translator& translate);

} // namespace lockstep::analysis
