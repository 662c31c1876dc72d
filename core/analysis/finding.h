// A finding: a sentence about runs, with the figures that support it.
#pragma once

#include "analysis/run_record.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::analysis {

/// What a finding is for: it answers what the experiment asks, supports the answer, or says what limits it.
enum class Role { Headline, Evidence, Caveat };
/// `headline`, ... as in JSON.
[[nodiscard]] std::string_view nameOf(Role role);

struct Finding {
    std::string_view kind; ///< stable name: `optimizers.fastest_to_loss`
    std::string_view pattern; ///< LS_TR("Findings", "%1 reaches a loss of %2 first, after %3 steps (n = %4).")
    std::vector<std::string> arguments{}; ///< for %1, %2, ...: names and formatted numbers
    Text why{}; ///< the last argument as data, where it is what a rank or this program says
    std::vector<std::size_t>
        labels{}; ///< which of the arguments are labels of parameters or figures, LS_TR("Parameters", ...)
    std::size_t list = 0; ///< which of the arguments is the list of `items`, if there are any
    std::vector<std::pair<std::string, std::string>> items{}; ///< a label of a parameter's choice, and what it has
    std::vector<std::pair<std::string, double>> figures{}; ///< the numbers, by stable name
    std::vector<RunId> runs{}; ///< the runs it is about
    Role role = Role::Evidence;
    bool wasMachineBusy
        = false; ///< its times compare different numbers of ranks beside other work: the sentence ends so

    void addRuns(const std::vector<RunId>& ids) { runs.insert(runs.end(), ids.begin(), ids.end()); }
};

/// Translates a pattern (context "Findings") or a label (contexts "Parameters" and "Figures"); identity for English.
using Translator = std::function<std::string(std::string_view pattern)>;
[[nodiscard]] std::string sentence(const Finding& finding, const Translator& translate);

} // namespace lockstep::analysis
