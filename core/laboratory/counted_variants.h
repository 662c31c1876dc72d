// Which runs of a variant count for outcomes and verdicts, and how two variants compare. Private to core/laboratory.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/finding.h"
#include "analysis/run_record.h"
#include "laboratory/claim.h"
#include "laboratory/work_state.h"

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

/// Of the variant with this name in the spec, those that finished and were not changed by hand; of several settings
/// those of the newest run, of one seed the newest. Empty: there are none.
[[nodiscard]] CountedVariant countedVariant(std::span<const analysis::RunRecord> runs, std::string_view name);
/// Without runs that do not have the figure.
[[nodiscard]] CountedVariant countedVariant(
    std::span<const analysis::RunRecord> runs, std::string_view name, const analysis::Figure& figure);
/// Those of a work's runs that belong to this experiment step.
[[nodiscard]] std::vector<analysis::RunRecord> runsOfStep(
    std::span<const analysis::RunRecord> runs, const WorkState& state, std::string_view step);
/// What was measured of the variant against the other, with the runs of both; with the number of repeats and how many
/// more may tell, where these cannot. Says no judgement: who shows the sentence says that before it. `kind`:
/// analysis::Finding::kind.
[[nodiscard]] analysis::Finding comparisonOf(std::string_view kind, const analysis::Figure& figure,
    const CountedVariant& variant, const CountedVariant& against, const analysis::FigureDifference& difference,
    Judgement judgement);
/// `12.3 ms`, `95.2 %`: in the digits of three significant ones.
[[nodiscard]] std::string amountText(const analysis::Figure& figure, double value);

} // namespace lockstep::laboratory
