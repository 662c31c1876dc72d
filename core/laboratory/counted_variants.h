// Which runs of a variant count for outcomes and verdicts, and how two variants compare. Private to core/laboratory.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/finding.h"
#include "analysis/run_record.h"
#include "laboratory/claim.h"
#include "laboratory/work_state.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// A variant's repeats and what a person reads for it.
struct CountedVariant {
    std::string name;
    std::vector<const analysis::RunRecord*> runs;

    [[nodiscard]] std::vector<RunId> ids() const;
};

/// Which of a variant's settings count, where a student ran it with several.
enum class Settings : std::uint8_t {
    First, ///< of the oldest run: a prediction is about the experiment as it was given
    Newest
};

/// Of the variant with this name in the spec, those that finished and were not changed by hand; of one seed the newest.
/// Empty: there are none.
[[nodiscard]] CountedVariant countedVariant(
    std::span<const analysis::RunRecord> runs, std::string_view name, Settings which = Settings::Newest);
/// Without runs that do not have the figure.
[[nodiscard]] CountedVariant countedVariant(std::span<const analysis::RunRecord> runs, std::string_view name,
    const analysis::Figure& figure, Settings which = Settings::Newest);
/// Two variants to compare: of the second one those runs whose settings are closest to the first one's.
struct CountedPair {
    CountedVariant variant;
    CountedVariant against;
    std::size_t others = 0; ///< runs of the two that finished with other settings
};
[[nodiscard]] CountedPair countedPair(std::span<const analysis::RunRecord> runs, std::string_view variant,
    std::string_view against, const analysis::Figure& figure, Settings which);
/// Those of a work's runs that belong to this experiment step.
[[nodiscard]] std::vector<analysis::RunRecord> runsOfStep(
    std::span<const analysis::RunRecord> runs, const WorkState& state, std::string_view step);
/// What was measured of the variant against the other, with the runs of both; with the number of repeats and how many
/// more may tell, where these cannot. Says no judgement: who shows the sentence says that before it. `kind`:
/// analysis::Finding::kind.
[[nodiscard]] analysis::Finding comparisonOf(std::string_view kind, const analysis::Figure& figure,
    const CountedPair& pair, const analysis::FigureDifference& difference, Judgement judgement);
/// `−12.3 [−14.0, −10.6]`, in percent or points.
[[nodiscard]] std::string signedText(const analysis::FigureDifference& difference);
/// `12.3 ms`, `95.2 %`: in the digits of three significant ones.
[[nodiscard]] std::string amountText(const analysis::Figure& figure, double value);
/// Of a prediction's value, in the unit in which it is given; of a ratio or a difference the number alone.
[[nodiscard]] std::string numberText(const Reference& of, double value);

} // namespace lockstep::laboratory
