#include "ui/charts/curve_graph.h"

#include <cmath>

namespace lockstep::ui {

void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const
{
    if (painter->modes().testFlag(QCPPainter::pmVectorized) || painter->pen().style() != Qt::SolidLine) {
        QCPGraph::drawLinePlot(painter, lines);
        return;
    }
    if (painter->pen().style() == Qt::NoPen || painter->pen().color().alpha() == 0) {
        return;
    }
    applyDefaultAntialiasingHint(painter);
    QPen pen = painter->pen();
    if (pen.widthF() <= 1.0) {
        pen.setWidth(0); // cosmetic: the rasteriser's fast path
    }
    pen.setCapStyle(pen.widthF() > 1.5 ? Qt::RoundCap : Qt::FlatCap);
    painter->setPen(pen);
    QVector<QLineF> pieces;
    pieces.reserve(lines.size());
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QPointF& from = lines[i - 1];
        const QPointF& to = lines[i];
        if (std::isfinite(from.x() + from.y() + to.x() + to.y())) {
            pieces.append({from, to});
        }
    }
    painter->drawLines(pieces);
}

} // namespace lockstep::ui
