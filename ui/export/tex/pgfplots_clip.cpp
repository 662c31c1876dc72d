#include "ui/export/tex/pgfplots_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lockstep::ui {

namespace {

constexpr double ClipGap = std::numeric_limits<double>::quiet_NaN();
/// So that lines reach the frame, as a share of the axis.
constexpr double ClipMargin = 0.05;

/// An axis in the units in which it is drawn: its logarithm if it is logarithmic.
struct DrawnAxis {
    Scale scale;
    double low;
    double high;

    DrawnAxis(const AxisRange& range, Scale axisScale)
        : scale(axisScale)
        , low(placeOf(range.low))
        , high(placeOf(range.high))
    {
        const double margin = (high - low) * ClipMargin;
        low -= margin;
        high += margin;
    }
    [[nodiscard]] double placeOf(double value) const { return scale == Scale::Log ? std::log10(value) : value; }
    [[nodiscard]] double valueAt(double place) const { return scale == Scale::Log ? std::pow(10.0, place) : place; }
};

struct DrawnPoint {
    double x;
    double y;
    [[nodiscard]] bool isGap() const { return !std::isfinite(x) || !std::isfinite(y); }
};

struct Stretch {
    double from = 0.0; ///< share of the line, 0 .. 1
    double to = 1.0;
};

/// Liang and Barsky (1984), one axis: narrows `stretch` to where the line from a to b is within the axis.
bool narrow(Stretch& stretch, double a, double b, const DrawnAxis& axis)
{
    for (const auto& [p, q] : {std::pair{a - b, a - axis.low}, {b - a, axis.high - a}}) {
        if (p == 0.0 && q < 0.0) {
            return false;
        }
        if (p < 0.0) {
            stretch.from = std::max(stretch.from, q / p);
        } else if (p > 0.0) {
            stretch.to = std::min(stretch.to, q / p);
        }
    }
    return stretch.from <= stretch.to;
}

class CurveClipper {
public:
    CurveClipper(const DrawnAxis& x, const DrawnAxis& y)
        : m_x(x)
        , m_y(y)
    { }

    void addLine(const DrawnPoint& from, const DrawnPoint& to)
    {
        Stretch stretch;
        if (!narrow(stretch, from.x, to.x, m_x) || !narrow(stretch, from.y, to.y, m_y)) {
            addGap();
            return;
        }
        if (!m_isOpen) {
            addPoint(between(from, to, stretch.from));
        }
        addPoint(between(from, to, stretch.to));
        m_isOpen = stretch.to >= 1.0;
        if (!m_isOpen) {
            addGap();
        }
    }
    /// Of a point that no line joins to others.
    void addLone(const DrawnPoint& point)
    {
        if (point.x >= m_x.low && point.x <= m_x.high && point.y >= m_y.low && point.y <= m_y.high) {
            addPoint(point);
        }
    }
    void addGap()
    {
        m_isOpen = false;
        if (!m_curve.y.empty() && std::isfinite(m_curve.y.back())) {
            m_curve.x.push_back(m_curve.x.back());
            m_curve.y.push_back(ClipGap);
        }
    }
    [[nodiscard]] ClippedCurve take()
    {
        if (!m_curve.y.empty() && std::isnan(m_curve.y.back())) {
            m_curve.x.pop_back();
            m_curve.y.pop_back();
        }
        return std::move(m_curve);
    }

private:
    [[nodiscard]] static DrawnPoint between(const DrawnPoint& from, const DrawnPoint& to, double share)
    {
        if (share <= 0.0 || share >= 1.0) {
            return share <= 0.0 ? from : to; // to the last digit
        }
        return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    }
    void addPoint(const DrawnPoint& point)
    {
        m_curve.x.push_back(m_x.valueAt(point.x));
        m_curve.y.push_back(m_y.valueAt(point.y));
    }

    const DrawnAxis& m_x;
    const DrawnAxis& m_y;
    ClippedCurve m_curve;
    bool m_isOpen = false; ///< the next line continues from the last point
};

} // namespace

ClippedCurve clippedCurve(
    const SeriesSpec& series, std::span<const std::uint32_t> indices, const ChartSpec& chart, const ChartRanges& ranges)
{
    const DrawnAxis x(ranges.x, chart.x.scale);
    const DrawnAxis y(ranges.y, chart.y.scale);
    CurveClipper clipper(x, y);
    const auto pointAt = [&](std::size_t i) -> DrawnPoint {
        return {x.placeOf(series.x[indices[i]]), y.placeOf(series.y[indices[i]])};
    };
    const auto isGapAt = [&](std::size_t i) { return i >= indices.size() || pointAt(i).isGap(); };
    const bool hasLines = series.style != SeriesStyle::Markers;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (isGapAt(i)) {
            clipper.addGap();
        } else if (hasLines && !isGapAt(i + 1)) {
            clipper.addLine(pointAt(i), pointAt(i + 1));
        } else if (!hasLines || i == 0 || isGapAt(i - 1)) {
            clipper.addLone(pointAt(i));
        }
    }
    return clipper.take();
}

double clippedValue(double value, const AxisRange& range, Scale scale)
{
    const DrawnAxis axis(range, scale);
    if (std::isnan(value)) {
        return value;
    }
    const bool isBelow = scale == Scale::Log && value <= 0.0;
    return isBelow ? axis.valueAt(axis.low) : axis.valueAt(std::clamp(axis.placeOf(value), axis.low, axis.high));
}

} // namespace lockstep::ui
