// The axes' ends that show all of a chart: the same on screen, on paper and in PGFPlots.
#pragma once

#include "ui/models/chart_spec.h"

#include <vector>

namespace lockstep::ui {

struct AxisRange {
    double low = 0.0;
    double high = 1.0;
};

struct ChartRanges {
    AxisRange x;
    AxisRange y; ///< of Cells: row 0 is at the top
};

/// Fits the visible series with some room; an AxisSpec's fixed ends win. low < high unless fixed ends say otherwise.
[[nodiscard]] ChartRanges fittedRanges(const ChartSpec& chart);

/// Of the bars of a category, from its middle, in units of the axis.
struct BarPlaces {
    double measured = 0.0;
    double formula = 0.0;
    double width = 0.6;
};
[[nodiscard]] BarPlaces barPlaces(const ChartSpec& chart);
/// Whether bars of a formula stand beside the measured ones.
[[nodiscard]] bool hasFormula(const ChartSpec& chart);

[[nodiscard]] bool areCells(const ChartSpec& chart);
/// How strongly a cell is coloured, 0 to 1.
struct CellScale {
    double low = 0.0; ///< the values of the palest and the strongest cell
    double high = 0.0;
    double palest = 0.0; ///< the share at `low`: a cell is seen beside a place without one

    [[nodiscard]] double share(double value) const;
};
[[nodiscard]] CellScale cellScale(const ChartSpec& chart);
[[nodiscard]] bool isBars(const SeriesSpec& series);
/// The text over a bar, readable even if the bar is too low to be seen.
struct BarLabel {
    double x = 0.0;
    double y = 0.0; ///< the end of the bar, or of its interval
    QString text;
    bool isFormula = false;
};
[[nodiscard]] std::vector<BarLabel> barLabels(const ChartSpec& chart);

/// Whether a text beside a mark there would run out of the chart.
[[nodiscard]] bool isInRightHalf(double x, const ChartSpec& chart);
/// A name without its middle where it is too long to stand beside a chart. Tables and CSV have it whole.
[[nodiscard]] QString legendName(const QString& name);
/// Of each line of a name; beside each other, many lose the numbers of their ranks.
[[nodiscard]] std::vector<QString> categoryNames(const AxisSpec& axis, Qt::Orientation orientation);
/// "Time per step (ms)"
[[nodiscard]] QString axisTitle(const AxisSpec& axis);

} // namespace lockstep::ui
