// A table of numbers as a picture: each series a row, each of its points a cell, the darker the more, with the number
// in it where there is room. Drawn as rectangles, so that paper gets sharp ones. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/legend_strip.h"
#include "ui/charts/qcp.h"

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
    void drawCell(QCPPainter& painter, const QRectF& place, double value) const;

    std::vector<SeriesSpec> m_rows;
    ChartStyle m_style;
    double m_largest = 0.0;
};

} // namespace lockstep::ui
