// The smoothed values and the pyramids of runs' losses, updated as they grow. Private to ui/models.
#pragma once

#include "analysis/statistics/statistics.h"
#include "ui/models/pyramid.h"
#include "ui/models/runs/shown_groups.h"

#include <cstddef>
#include <limits>
#include <map>
#include <vector>

namespace lockstep::ui {

class CurveCache {
public:
    CurveCache(double smoothing, int number)
        : m_smoothing(smoothing)
        , m_number(number)
        , m_average(smoothing)
    { }

    void extend(const analysis::Curve& curve);
    void setSmoothing(double smoothing);
    /// Points that it lacks.
    [[nodiscard]] std::size_t behind(const analysis::Curve& curve) const;

    [[nodiscard]] int number() const { return m_number; }
    [[nodiscard]] bool isSmoothed() const { return m_smoothing > 0.0; }
    [[nodiscard]] const std::vector<double>& smoothed() const { return m_smoothed; }
    [[nodiscard]] const Pyramid& raw() const { return m_raw; }
    [[nodiscard]] const Pyramid& ofSmoothed() const { return m_smooth; }

private:
    double m_smoothing;
    int m_number; ///< RunFeed::lossNumber()
    analysis::DebiasedAverage m_average;
    std::size_t m_size = 0; ///< of the curve at the last call
    std::vector<double> m_smoothed;
    Pyramid m_raw;
    Pyramid m_smooth;
};

class CurveCaches {
public:
    static constexpr std::size_t All = std::numeric_limits<std::size_t>::max();

    /// A chart is made: how many points it may smooth, so that it does not take too long. A hundred long runs take a
    /// few charts.
    void begin(std::size_t most = All);
    /// Whether a run was left for the next chart.
    [[nodiscard]] bool isBehind() const { return m_isBehind; }
    /// Up to date with the run; null if it has an outline to draw meanwhile: its loss is not there, or not smoothed
    /// yet.
    [[nodiscard]] const CurveCache* of(const RunFeed& feed, double smoothing);
    void keepOnly(const Feeds& feeds);

private:
    std::map<RunId, CurveCache> m_caches;
    std::size_t m_left = All;
    bool m_isBehind = false;
};

} // namespace lockstep::ui
