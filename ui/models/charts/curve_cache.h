// The smoothed values and the pyramids of runs' losses, updated as they grow. Private to ui/models.
#pragma once

#include "analysis/statistics.h"
#include "ui/models/pyramid.h"
#include "ui/models/run_groups.h"

#include <map>
#include <vector>

namespace lockstep::ui {

class CurveCache {
public:
    explicit CurveCache(double smoothing)
        : m_smoothing(smoothing)
        , m_average(smoothing)
    { }

    void extend(const analysis::Curve& curve);
    void setSmoothing(double smoothing);

    [[nodiscard]] bool isSmoothed() const { return m_smoothing > 0.0; }
    [[nodiscard]] const std::vector<double>& smoothed() const { return m_smoothed; }
    [[nodiscard]] const Pyramid& raw() const { return m_raw; }
    [[nodiscard]] const Pyramid& ofSmoothed() const { return m_smooth; }

private:
    double m_smoothing;
    analysis::DebiasedAverage m_average;
    std::size_t m_size = 0; ///< of the curve at the last call
    std::vector<double> m_smoothed;
    Pyramid m_raw;
    Pyramid m_smooth;
};

class CurveCaches {
public:
    /// Up to date with the run.
    [[nodiscard]] const CurveCache& of(const RunFeed& feed, double smoothing);
    void keepOnly(const Feeds& feeds);

private:
    std::map<RunId, CurveCache> m_caches;
};

} // namespace lockstep::ui
