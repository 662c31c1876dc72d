#include "ui/models/charts/low_curves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lockstep::ui {

double highestOf(const SeriesSpec& series)
{
    double highest = 0.0;
    for (const double value : series.y) {
        highest = std::isfinite(value) ? std::max(highest, value) : highest;
    }
    return highest;
}

std::optional<double> highestLowValue(const ChartSpec& chart)
{
    constexpr double FarAbove = 5.0; // times what the others reach
    std::vector<double> highest;
    for (const SeriesSpec& series : chart.series) {
        if (series.isVisible && series.isInLegend && !series.x.empty()) {
            highest.push_back(highestOf(series));
        }
    }
    std::ranges::sort(highest);
    for (std::size_t i = std::max<std::size_t>(1, (highest.size() + 1) / 2); i < highest.size(); ++i) {
        if (chart.y.scale == Scale::Linear && highest[i - 1] > 0.0 && highest[i] > FarAbove * highest[i - 1]) {
            return highest[i - 1];
        }
    }
    return std::nullopt;
}

} // namespace lockstep::ui
