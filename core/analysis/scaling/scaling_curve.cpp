#include "analysis/scaling/scaling.h"

#include <algorithm>
#include <cmath>

namespace lockstep::analysis {

namespace {

/// Times: a prediction of the communication that is further from what training measured is of another link.
constexpr double LinkHolds = 3.0;

double timesOff(const Refutation& of)
{
    return std::max(of.predictedMs / of.measuredMs, of.measuredMs / of.predictedMs);
}

} // namespace

std::vector<RunId> ScalingCurve::ids() const
{
    std::vector<RunId> ids;
    for (const ScalingPoint& point : points) {
        ids.insert(ids.end(), point.runs.begin(), point.runs.end());
    }
    return ids;
}

int ScalingCurve::mostSupported(ScalingModel::Cores where) const
{
    int most = 1;
    for (const ScalingPoint& point : points) {
        const bool isCrowded = where == ScalingModel::Cores::Enough && model && model->cores > 0
            && model->ranksOnAHost(point.ranks) * model->threads > model->cores;
        most = isCrowded ? most : std::max(most, point.ranks);
    }
    return most;
}

void ScalingCurve::refute()
{
    if (!model) {
        return;
    }
    // Ranks that share cores communicate while they wait for one: these say less about the link.
    const int uncrowded = mostSupported(ScalingModel::Cores::Enough);
    for (const ScalingPoint& point : points) {
        const bool isJudged = point.ranks > 1 && (uncrowded < 2 || point.ranks <= uncrowded);
        const Refutation of{
            point.ranks, model->communicateMs(point.ranks, ScalingModel::Cores::AtHand), point.communicateMs};
        if (isJudged && timesOff(of) > LinkHolds && (!refuted || timesOff(of) > timesOff(*refuted))) {
            refuted = of;
        }
    }
    if (refuted) {
        model.reset();
    }
}

} // namespace lockstep::analysis
