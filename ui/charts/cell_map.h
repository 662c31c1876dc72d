// A table of numbers as a heat map: each series is a row, each point a cell, more coloured for more, with its text if
// there is room. Drawn as rectangles, which stay sharp on paper. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/legend_strip.h"
#include "ui/charts/qcp.h"
#include "ui/models/chart_axes.h"

namespace lockstep::ui {

class CellMap : public QCPAbstractItem {
    Q_OBJECT

public:
    /// The plot owns it.
    CellMap(QCustomPlot& plot, const ChartSpec& chart, const ChartStyle& style);

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }

protected:
    void draw(QCPPainter* painter) override;

private:
    void drawCell(QCPPainter& painter, const QRectF& place, double value, const QString& text) const;
    void drawMissing(QCPPainter& painter, const QRectF& place, const QString& text) const;

    std::vector<SeriesSpec> m_rows;
    ChartStyle m_style;
    CellScale m_scale;
    bool m_isCount = true;
};

} // namespace lockstep::ui
