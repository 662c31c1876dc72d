// A finding: a sentence about runs, with the figures that support it; or a table of one topic, with its title.
#pragma once

#include "analysis/run_record.h"
#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::analysis {

/// What a finding is for: it answers what the experiment asks, supports the answer, or says what limits it.
enum class Role { Headline, Evidence, Caveat };
/// `headline`, ... as in JSON.
[[nodiscard]] std::string_view nameOf(Role role);

/// What several variants have of one topic, a row each.
struct FindingTable {
    std::vector<std::string> header{}; ///< LS_TR("Findings", ...), or names: the first is that of the rows' names
    std::vector<std::vector<std::string>> rows{}; ///< each as long as the header
    bool areLabels = false; ///< the rows' names are labels of parameters or their choices, LS_TR("Parameters", ...)
    bool areSettings = false; ///< the other cells are, or values that stay as they are
};

struct Finding {
    std::string_view kind{}; ///< stable name: `optimizers.fastest_to_loss`
    std::string_view pattern{}; ///< LS_TR("Findings", ...), with %1, %2, ...; each of its sentences at most 25 words
    std::vector<std::string> arguments{}; ///< for %1, %2, ...: names and formatted numbers
    Text why{}; ///< the last argument as data, where it is what a rank or this program says
    std::vector<std::size_t>
        labels{}; ///< which of the arguments are labels of parameters or figures, LS_TR("Parameters", ...)
    FindingTable table{}; ///< without rows: none
    std::vector<std::pair<std::string, double>> figures{}; ///< the numbers, by stable name
    std::vector<RunId> runs{}; ///< the runs it is about
    Role role = Role::Evidence;
    bool wasMachineBusy
        = false; ///< its times compare different numbers of ranks beside other work: the sentence ends so
    bool hasDoubtful = false; ///< numbers with DoubtMark behind them: the sentence ends with what that means
    std::vector<Finding> clauses{}; ///< after commas, before the pattern's full stop
    std::size_t moreRepeats = 0; ///< that may tell what these cannot, an estimate: the sentence ends so; 0: none

    void addRuns(const std::vector<RunId>& ids) { runs.insert(runs.end(), ids.begin(), ids.end()); }
};

/// Behind a time or a ratio that came out faster than the cores allow (isFasterThanCoresAllow).
inline constexpr std::string_view DoubtMark = " *";

/// The most names that a sentence lists.
inline constexpr std::size_t MostNamed = 3;
/// `ring, tree`; of more the first, and how many they are: `ring, tree, grid, … (8)`. Names that have commas stand
/// between semicolons: `Ring, 4 ranks; Tree, 4 ranks`.
[[nodiscard]] std::string fewOf(const std::vector<std::string>& names);
/// A name with its value as text, and the value.
using ValueAndText = std::pair<double, std::string>;
/// All of them; of more than MostNamed + 1 those with the lowest and the highest value: `ring 2.1; … (8); tree 9.4`.
[[nodiscard]] std::string endsOf(std::vector<ValueAndText> named);
template <typename Item, typename Part>
[[nodiscard]] std::string fewOf(const std::vector<Item>& items, Part part)
{
    std::vector<std::string> names;
    std::ranges::transform(
        items, std::back_inserter(names), [&part](const Item& item) { return std::string(std::invoke(part, item)); });
    return fewOf(names);
}

/// Translates a pattern (context "Findings") or a label (contexts "Parameters" and "Figures"); identity for English.
using Translator = std::function<std::string(std::string_view pattern)>;
[[nodiscard]] std::string sentence(const Finding& finding, const Translator& translate);

} // namespace lockstep::analysis
