// The charts of how training scales with the number of ranks. Parts of ChartModel.
//
// Measurements have lines and markers; vertical lines are 95 % intervals over repeats. Dashed: prediction of
// analysis::ScalingModel for the available cores; dotted: for one core per rank.
#pragma once

#include "analysis/scaling/scaling.h"
#include "ui/models/charts/chart_kind.h"

#include <vector>

namespace lockstep::ui {

/// The study of the shown runs. Finished runs do not change: it is rebuilt only when other runs are shown, or when more
/// of one has been read.
class ScalingStudies {
public:
    [[nodiscard]] const analysis::ScalingStudy& of(const Feeds& feeds, Interfered which);

private:
    struct Seen {
        RunId id;
        std::size_t steps = 0;
        std::size_t evaluations = 0;

        bool operator==(const Seen&) const = default;
    };
    std::vector<Seen> m_seen;
    Interfered m_which = Interfered::LeaveOut;
    analysis::ScalingStudy m_study;
};

/// How far speed-up and efficiency are drawn: a little beyond the measured numbers of ranks, or up to 1,024.
[[nodiscard]] std::vector<ChartChoice> reachChoices(const Feeds& feeds);
/// Speed-up over ranks, both axes logarithmic to the base of 2, with the prediction.
void addSpeedUp(ChartSpec& chart, const ChartInput& input);
/// Efficiency in percent over ranks, likewise.
void addEfficiency(ChartSpec& chart, const ChartInput& input);
/// Samples a second over ranks, with the prediction for the available cores.
void addThroughputByRanks(ChartSpec& chart, const ChartInput& input);
/// One bar a number of ranks: computing, communicating, waiting.
void addSplit(ChartSpec& chart, const ChartInput& input);
/// Seconds of training until the target accuracy over ranks.
void addTimeToTarget(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
