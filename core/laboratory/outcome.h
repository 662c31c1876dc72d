// A sealed prediction beside what was measured.
#pragma once

#include "analysis/finding.h"
#include "analysis/run_record.h"
#include "laboratory/claim.h"
#include "laboratory/laboratory.h"
#include "laboratory/prediction.h"
#include "laboratory/work_state.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::laboratory {

struct Outcome {
    Judgement judgement = Judgement::NotMeasured;
    /// Of a number in its unit (percent, ms), of a ratio or points; with its 95 % confidence interval, NaN where that
    /// is unknown. Of a direction the relative difference in percent, of shares in points. NaN for other forms.
    double measured = analysis::NotMeasured;
    double low = analysis::NotMeasured;
    double high = analysis::NotMeasured;
    double residual = analysis::NotMeasured; ///< measured less predicted; of a curve the RMS distance, in decades on a
                                             ///< logarithmic scale
    bool isInRange = false; ///< of a number: the mean is in the student's range
    std::vector<std::string> order{}; ///< as measured, of an order: from the least to the greatest
    std::size_t pairs = 0; ///< of an order
    std::size_t pairsTold = 0; ///< whose difference is known
    std::size_t pairsAgreeing = 0; ///< of those that are told
    std::vector<CurvePoint> curve{}; ///< as measured, of a curve: the mean of the repeats
    std::size_t repeats = 0; ///< of the smaller side
    std::size_t moreRepeats = 0; ///< that may tell, an estimate; 0: not known
    analysis::Finding sentence{}; ///< what was measured, as Verdict::sentence
};

/// `step`: the prediction step. `runs`: those of its experiment step; the same count as in verdictOf(). A curve needs
/// runs with their curves (RunStore::load).
[[nodiscard]] Outcome outcomeOf(
    const Prediction& prediction, const Step& step, std::span<const analysis::RunRecord> runs);

/// How often the student's ranges held the result, of sealed number predictions.
struct RangeScore {
    std::size_t held = 0;
    std::size_t of = 0; ///< of which it is told
    std::size_t untold = 0; ///< that are measured, and cannot be told
};
/// `runs`: of all steps.
[[nodiscard]] RangeScore rangesHeld(
    const Laboratory& laboratory, const WorkState& state, std::span<const analysis::RunRecord> runs);
/// Nothing where no number was measured yet.
[[nodiscard]] std::optional<analysis::Finding> rangesSentence(const RangeScore& score);

} // namespace lockstep::laboratory
