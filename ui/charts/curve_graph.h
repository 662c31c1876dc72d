// A QCPGraph whose lines cost the same at any pen width. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/qcp.h"

namespace lockstep::ui {

/// QCustomPlot strokes an antialiased curve wider than one pixel as one path, which takes seconds for noisy data. On
/// screen and in PNG this draws the same pieces one by one; PDF and SVG get the path.
class CurveGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
};

} // namespace lockstep::ui
