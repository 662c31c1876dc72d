// Which of two parameters changes a figure more.
#pragma once

#include "analysis/study/parameter_study.h"

#include <optional>
#include <vector>

namespace lockstep::analysis {

/// The range of a parameter is the largest difference between the mean figures of two of its values, each over all
/// values of the other parameter and all seeds.
struct Influence {
    const experiment::Parameter* larger = nullptr; ///< with the larger range in these runs
    const experiment::Parameter* smaller = nullptr;
    double largerRange = NotMeasured; ///< in the figure's unit
    double smallerRange = NotMeasured;
    /// Of largerRange less smallerRange, at 95 % confidence; NotMeasured for fewer than two seeds.
    double low = NotMeasured;
    double high = NotMeasured;
    std::size_t seeds = 0; ///< that ran every combination
    std::vector<RunId> runs;

    [[nodiscard]] bool isKnown() const { return low > 0.0; }
};

/// Nothing unless the runs that count (countsInStudy()) differ in exactly two parameters, and at least one seed ran
/// every combination of at most 12 values of each. What a third parameter does that changes together with one of the
/// the effect of the two could not be separated from that of the one.
///
/// The interval: any contrast of two values of A less any contrast of two values of B is a mean over seeds with
/// Student's t interval. A's range is at least each of its I (I - 1) contrasts, so the largest lower end, with the
/// smallest over B's contrasts, bounds the difference of ranges from below if all of A's hold together: each is taken
/// at 1 - 0.025 / (I (I - 1)) (Bonferroni). B's contrasts need no such factor, as only its largest one matters.
/// From above it is the same with A and B exchanged.
[[nodiscard]] std::optional<Influence> influenceOf(
    const RunPointers& runs, const Figure& figure, Interfered which = Interfered::LeaveOut);

} // namespace lockstep::analysis
