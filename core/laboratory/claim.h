// A claim about an experiment's runs, and its verdict by the figures' estimates and bounds (analysis/figures).
#pragma once

#include "analysis/figures/figure_estimate.h"
#include "analysis/finding.h"
#include "analysis/run_record.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

enum class ClaimKind : std::uint8_t {
    Less, ///< the variant's figure is less than the other's by at least `percent`
    Greater,
    NoDifference, ///< none worth naming (analysis::Figure::smallestDifference)
    Rises, ///< with `parameter`
    Falls
};
[[nodiscard]] std::string_view nameOf(ClaimKind kind); ///< `less`, `greater`, `no_difference`, `rises`, `falls`

struct Claim {
    ClaimKind kind = ClaimKind::Less;
    std::string figure; ///< analysis::Figure::name
    std::string variant; ///< of Less, Greater and NoDifference
    std::string against;
    double percent = 0.0; ///< of Less and Greater; of shares points; 0: by any amount
    std::string parameter; ///< of Rises and Falls: a number in which the variants differ
    std::string text; ///< in the student's words; may be empty

    bool operator==(const Claim&) const = default;
};

/// What measurements say of a prediction or claim.
enum class Judgement : std::uint8_t {
    NotMeasured, ///< there are no runs of it yet
    Holds,
    DoesNotHold,
    CannotBeTold ///< with these repeats
};
[[nodiscard]] std::string_view nameOf(
    Judgement judgement); ///< `not_measured`, `holds`, `does_not_hold`, `cannot_be_told`

struct Verdict {
    Judgement judgement = Judgement::NotMeasured;
    analysis::FigureDifference
        difference{}; ///< of the variant to the other; of Rises and Falls of the last value to the first
    std::size_t repeats = 0; ///< of the smaller side
    std::size_t otherRuns = 0; ///< finished runs of the variants that do not count, as their settings are others
    std::size_t moreRepeats = 0; ///< that may tell, an estimate; 0: not known
    /// What was measured, with its interval, its runs and figures: language::findingSentence() words it. Says no
    /// judgement: who shows it says that before it.
    analysis::Finding sentence{};
};

/// One line: an unknown figure or variant, a percentage below 0, a parameter that is no number.
[[nodiscard]] Result<void> checkClaim(const Claim& claim, const experiment::Spec& spec);
/// Of the finished runs among `runs` that were not changed by hand; of one seed the newest. Variants by their names in
/// the spec, of several settings under one name those of the newest run of `variant`, and of `against` the closest.
[[nodiscard]] Verdict verdictOf(const Claim& claim, std::span<const analysis::RunRecord> runs);
/// The claim itself, as it is tested: `Training loss of Adam is less than that of SGD by at least 10 %.` `spec`: of the
/// experiment that it is about.
[[nodiscard]] analysis::Finding statedClaim(const Claim& claim, const experiment::Spec& spec);
/// Which runs a verdict rests on; nothing without runs.
[[nodiscard]] std::optional<analysis::Finding> testedRuns(const Verdict& verdict);

} // namespace lockstep::laboratory
