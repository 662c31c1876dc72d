#include "ui/models/charts/coincidence.h"

#include "ui/models/charts/low_curves.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
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

/// Of the curves that a report's axis shows: it ends below those that rise far beyond.
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
    return std::max(0.0, std::min(high, highestLowValue(chart).value_or(high)) - low);
}

/// Where a curve's points are, roughly: each sets one of the bits. Distinguishes most pairs of a hundred long curves.
class Places {
public:
    explicit Places(const SeriesSpec& series)
    {
        for (const double x : series.x) {
            const std::uint64_t hash = std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15;
            m_bits[hash >> 60] |= std::uint64_t{1} << ((hash >> 54) & 63);
        }
    }

    /// A lower bound for the number of this curve's points that the other does not have.
    [[nodiscard]] std::size_t missingIn(const Places& other) const
    {
        int missing = 0;
        for (std::size_t i = 0; i < m_bits.size(); ++i) {
            missing += std::popcount(m_bits[i] & ~other.m_bits[i]);
        }
        return static_cast<std::size_t>(missing);
    }

private:
    std::array<std::uint64_t, 16> m_bits{};
};

struct PlacedLine {
    SeriesSpec* series;
    Places places;
    bool isPlaced = false;
};

bool coincide(const PlacedLine& one, const PlacedLine& other, Scale scale, double tolerance)
{
    const SeriesSpec& a = *one.series;
    const SeriesSpec& b = *other.series;
    const double needed = MostPoints * static_cast<double>(std::max(a.x.size(), b.x.size()));
    if (a.style != b.style || static_cast<double>(a.x.size() - one.places.missingIn(other.places)) < needed) {
        return false;
    }
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
    std::vector<PlacedLine> lines;
    for (SeriesSpec& series : chart.series) {
        if (isLine(series)) {
            lines.push_back({&series, Places(series)});
        }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].isPlaced) {
            continue;
        }
        std::vector<SeriesSpec*> same{lines[i].series};
        for (std::size_t j = i + 1; j < lines.size(); ++j) {
            if (!lines[j].isPlaced && coincide(lines[i], lines[j], chart.y.scale, tolerance)) {
                lines[j].isPlaced = true;
                same.push_back(lines[j].series);
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
