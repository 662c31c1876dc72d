// Which runs of a variant count for outcomes and verdicts, and how two variants compare. Private to core/laboratory.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/finding.h"
#include "analysis/run_record.h"
#include "experiment/spec.h"
#include "laboratory/claim.h"
#include "laboratory/work_state.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
/// Two variants to compare: of the second one those runs whose settings are closest to the first one's. Where one's
/// name is the other's with more behind it, what sets it apart stands behind it, too.
struct CountedPair {
    CountedVariant variant;
    CountedVariant against;
    std::size_t others = 0; ///< runs of the two that finished with other settings
};
[[nodiscard]] CountedPair countedPair(std::span<const analysis::RunRecord> runs, std::string_view variant,
    std::string_view against, const analysis::Figure& figure, Settings which);
/// What a person reads for two variants of an experiment, set apart as in a CountedPair.
[[nodiscard]] std::pair<std::string, std::string> namesApart(
    const experiment::Spec& spec, std::string_view variant, std::string_view against);
/// Those of a work's runs that belong to this experiment step.
[[nodiscard]] std::vector<analysis::RunRecord> runsOfStep(
    std::span<const analysis::RunRecord> runs, const WorkState& state, std::string_view step);
/// Why a time of these variants, or what is made of times, is not judged: by the rules of the findings (the machine was
/// busy; one is faster than the cores allow that its ranks add), and a bubble of ranks that share cores. Nothing: it
/// is.
[[nodiscard]] std::optional<analysis::Finding> doubtOf(
    std::string_view kind, const analysis::Figure& figure, std::span<const CountedVariant> variants);
/// Of the times of whole runs, under this label.
[[nodiscard]] std::optional<analysis::Finding> busyDoubt(
    std::string_view kind, std::string_view label, std::span<const CountedVariant> variants);
/// How a difference is put: `Time per step: %2 takes %4 times as long as %3 (n = %5).` No ratio is below 1: the two
/// change places, or one is "2.2 times as fast". Shares differ in points.
struct DifferenceWords {
    std::string_view pattern;
    std::string amount; ///< with its interval
    bool isSwapped = false; ///< %2 is the other one
};
[[nodiscard]] DifferenceWords differenceWords(
    const analysis::Figure& figure, const analysis::FigureDifference& difference);
/// What was measured of the variant against the other, with the runs of both; with the number of repeats and how many
/// more may tell, where these cannot. Says no judgement: who shows the sentence says that before it. `kind`:
/// analysis::Finding::kind.
[[nodiscard]] analysis::Finding comparisonOf(std::string_view kind, const analysis::Figure& figure,
    const CountedPair& pair, const analysis::FigureDifference& difference, Judgement judgement);
/// `12.3 ms`, `95.2 %`: in the digits of three significant ones.
[[nodiscard]] std::string amountText(const analysis::Figure& figure, double value);
/// Of a prediction's value, in the unit in which it is given; of a ratio or a difference the number alone.
[[nodiscard]] std::string numberText(const Reference& of, double value);

} // namespace lockstep::laboratory
