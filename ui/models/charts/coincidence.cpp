#include "ui/models/charts/coincidence.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lockstep::ui {

namespace {

class CoincidenceTexts {
    Q_DECLARE_TR_FUNCTIONS(Coincidence)
};

/// Of the chart's height: two curves nearer than this are one on any screen and paper.
constexpr double SamePlace = 1e-3;
/// The share of the longer curve's points that both must have.
constexpr double MostPoints = 0.9;
constexpr std::size_t FewestPoints = 2;

bool isLine(const SeriesSpec& series)
{
    return series.isVisible && series.x.size() >= FewestPoints
        && (series.style == SeriesStyle::Line || series.style == SeriesStyle::LineAndMarkers
            || series.style == SeriesStyle::FaintLine);
}

/// Where a value is drawn, in the axis's own measure; NaN: nowhere.
double placeOf(double value, Scale scale)
{
    if (scale == Scale::Linear) {
        return value;
    }
    return value > 0.0 ? std::log(value) : std::numeric_limits<double>::quiet_NaN();
}

double heightOf(const ChartSpec& chart)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const SeriesSpec& series : chart.series) {
        for (std::size_t i = 0; isLine(series) && i < series.y.size(); ++i) {
            if (const double place = placeOf(series.y[i], chart.y.scale); std::isfinite(place)) {
                low = std::min(low, place);
                high = std::max(high, place);
            }
        }
    }
    return std::max(0.0, high - low);
}

bool coincide(const SeriesSpec& a, const SeriesSpec& b, Scale scale, double tolerance)
{
    if (a.style != b.style) {
        return false;
    }
    const double needed = MostPoints * static_cast<double>(std::max(a.x.size(), b.x.size()));
    std::size_t common = 0;
    for (std::size_t i = 0, j = 0; i < a.x.size() && j < b.x.size();) {
        const std::size_t left = std::min(a.x.size() - i, b.x.size() - j);
        if (static_cast<double>(common + left) < needed) {
            return false; // of many long curves most pairs end early
        }
        if (a.x[i] < b.x[j]) {
            ++i;
        } else if (b.x[j] < a.x[i]) {
            ++j;
        } else {
            const double here = placeOf(a.y[i++], scale);
            const double there = placeOf(b.y[j++], scale);
            ++common;
            const bool isGap = !std::isfinite(here) && !std::isfinite(there);
            if (!isGap && !(std::abs(here - there) <= tolerance)) {
                return false;
            }
        }
    }
    return static_cast<double>(common) >= needed;
}

void addRemark(ChartSpec& chart, const QString& text)
{
    chart.remark += (chart.remark.isEmpty() ? QString() : QStringLiteral(" · ")) + text;
}

} // namespace

void markCoincident(ChartSpec& chart, bool areRuns)
{
    const double tolerance = SamePlace * heightOf(chart);
    std::vector<bool> isPlaced(chart.series.size(), false);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        if (isPlaced[i] || !isLine(chart.series[i])) {
            continue;
        }
        std::vector<SeriesSpec*> same{&chart.series[i]};
        for (std::size_t j = i + 1; j < chart.series.size(); ++j) {
            SeriesSpec& other = chart.series[j];
            if (!isPlaced[j] && isLine(other) && coincide(chart.series[i], other, chart.y.scale, tolerance)) {
                isPlaced[j] = true;
                same.push_back(&other);
            }
        }
        const auto first = std::ranges::min_element(same, {}, [](const SeriesSpec* line) { return line->x.back(); });
        for (std::size_t k = 0; k < same.size(); ++k) {
            same[k]->stripesEnd = (*first)->x.back();
            same[k]->stripe = static_cast<int>(k);
            same[k]->stripes = static_cast<int>(same.size());
        }
        if (same.size() > 1 && same.front()->isInLegend && !same.front()->name.isEmpty()) {
            addRemark(chart,
                (areRuns ? CoincidenceTexts::tr("%1 runs coincide") : CoincidenceTexts::tr("%1 curves coincide"))
                    .arg(same.size()));
        }
    }
}

} // namespace lockstep::ui
