// Puts a ChartSpec into a QCustomPlot: draws all charts, on screen and on paper. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/axis_fit.h"
#include "ui/charts/curve_graph.h"
#include "ui/charts/legend_strip.h"
#include "ui/charts/line_ends.h"
#include "ui/models/chart_spec.h"

#include <map>

namespace lockstep::ui {

/// Lays out the plot as it would for drawing.
void updateLayout(QCustomPlot& plot);

class ChartPainter {
public:
    /// The plot outlives the painter.
    explicit ChartPainter(QCustomPlot& plot);

    void setStyle(const ChartStyle& style);
    /// `Keep` leaves ranges alone (the user has zoomed).
    enum class Ranges { Fit, Keep };
    void setChart(const ChartSpec& chart, Ranges ranges);
    void fitRanges(const ChartSpec& chart);
    /// Lays out the legend for the plot's width; call it when that changes.
    void layOutLegend(const ChartSpec& chart);
    [[nodiscard]] LegendStrip& legend() { return *m_legend; }
    /// Fits ticks, titles and texts to the plot's layout, which is laid out again for them.
    void settle();

private:
    [[nodiscard]] int scaled(double length) const;
    void styleAxis(QCPAxis* axis) const;
    void placeLegend();
    void setAxis(QCPAxis* axis, const AxisSpec& spec);
    void syncCurves(const ChartSpec& chart);
    [[nodiscard]] CurveGraph* makeCurve(const SeriesSpec& series);
    void rebuildBars(const ChartSpec& chart);
    void rebuildCells(const ChartSpec& chart);
    void addIntervals(const SeriesSpec& series, QCPBars* bars);
    void labelBars(const ChartSpec& chart);
    void spreadBarLabels();
    void syncMarks(const ChartSpec& chart);
    void turnMarks();
    void clearPlottables();

    QCustomPlot& m_plot;
    LegendStrip* m_legend;
    CurveSheet* m_sheet;
    LineEnds* m_ends;
    AxisFit m_fit;
    ChartStyle m_style;
    std::map<QString, CurveGraph*> m_curves;
    std::vector<QCPAbstractItem*> m_marks;
    std::vector<QCPItemText*> m_markTexts;
    QObject m_whileHere; ///< of the connection to the plot
    std::vector<QCPAbstractItem*> m_totals;
    std::vector<QCPItemText*> m_barLabels; ///< some of them, by place
    std::vector<MarkSpec> m_shownMarks;
    QStringList m_layout; ///< what the plottables were built for: keys, colours, styles
    QString m_axes[2];
    int m_leftRoom = 0; ///< that slanted names need beside the axis
};

} // namespace lockstep::ui
