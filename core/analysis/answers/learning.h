// Whether a run learned anything, from its training losses. Private to core/analysis.
#pragma once

#include "analysis/run_record.h"

namespace lockstep::analysis {

/// Of the smoothing of batch losses (DebiasedAverage); 0 for gradient descent, whose loss is that of the whole set.
[[nodiscard]] double smoothingOf(const RunRecord& run);
/// The lowest value of the smoothed training loss; infinity for a run without losses.
[[nodiscard]] double lowestSmoothedLoss(const RunRecord& run);
/// Whether the training loss, where no evaluation measured it the lowest smoothed one, ended at or below
/// learnedBelow().
[[nodiscard]] bool hasLoweredLoss(const RunRecord& run);
/// Whether it did and the test accuracy is above that of guessing. Of a run of at most WarmUpSteps steps, and of one
/// that continues another, that cannot be told: true.
[[nodiscard]] bool hasLearned(const RunRecord& run);
/// Nine tenths of the first step's loss.
[[nodiscard]] double learnedBelow(const RunRecord& run);
/// Whether its last loss is infinite or not a number, or the smoothed one at least twice that of the first step, which
/// a run that continues another does not have.
[[nodiscard]] bool hasDiverged(const RunRecord& run);
/// Whether the smoothed training loss rose to ten times that of the first step, wherever it ended.
[[nodiscard]] bool hasGrownInBetween(const RunRecord& run);
/// ln of the number of classes: the mean loss of one who guesses.
[[nodiscard]] double lossOfGuessing(const RunRecord& run);

} // namespace lockstep::analysis
