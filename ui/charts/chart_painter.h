// Puts a ChartSpec into a QCustomPlot: the one way in which charts are drawn, on screen and on paper. Private to
// ui/charts and ui/export.
#pragma once

#include "ui/charts/curve_graph.h"
#include "ui/models/chart_spec.h"
#include "ui/models/palette.h"

#include "ui/charts/qcp.h"

#include <QFont>

#include <map>

namespace lockstep::ui {

struct ChartStyle {
    ChartTheme theme;
    QFont font; ///< of ticks and legend; labels are as large
    double lineFactor = 1.0; ///< width in device units of a SeriesSpec width of 1
};

class ChartPainter {
public:
    explicit ChartPainter(QCustomPlot& plot);

    void setStyle(const ChartStyle& style);
    /// Ranges are left alone where `keepRanges` says so (the user has zoomed).
    enum class Ranges { Fit, Keep };
    void setChart(const ChartSpec& chart, Ranges ranges);
    /// The key of the series behind a legend item; empty if none.
    [[nodiscard]] QString keyOf(const QCPAbstractLegendItem* item) const;
    void fitRanges(const ChartSpec& chart);

private:
    void styleAxis(QCPAxis* axis) const;
    void setAxis(QCPAxis* axis, const AxisSpec& spec);
    void syncCurves(const ChartSpec& chart);
    void fillCurve(CurveGraph* graph, const SeriesSpec& series, Scale scale) const;
    void rebuildBars(const ChartSpec& chart);
    void syncMarks(const ChartSpec& chart);
    void placeLegend(const ChartSpec& chart);

    QCustomPlot& m_plot;
    ChartStyle m_style;
    std::map<QString, QCPAbstractPlottable*> m_plottables;
    std::vector<QCPAbstractItem*> m_marks;
    QStringList m_layout; ///< what the plottables were built for: keys, names, styles
};

} // namespace lockstep::ui
