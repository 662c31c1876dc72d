#include "ui/timeline/path_painter.h"

#include <QPainter>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr double PathWidth = 2.5; ///< pixels of the screen
constexpr double PathPlace = 0.85; ///< of a lane's height, from its top: the phases stay visible

} // namespace

void paintPaths(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout, const TimelineScene& scene,
    const TimelineStyle& style)
{
    const std::vector<std::int32_t>& ranks = model.ranks();
    const auto heightOf = [&](std::int32_t rank) {
        const auto lane = std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin();
        const QRectF bar = layout.laneRect(static_cast<std::size_t>(lane));
        return bar.top() + PathPlace * bar.height();
    };
    painter.save();
    painter.setClipRect(layout.plot());
    QPen pen(style.theme.text, PathWidth * style.scale);
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    for (const std::vector<analysis::PathPiece>& path : scene.paths) {
        QPolygonF line;
        for (const analysis::PathPiece& piece : path) {
            const double y = heightOf(piece.rank);
            line << QPointF(layout.xOf(piece.startNs), y) << QPointF(layout.xOf(piece.endNs), y);
        }
        painter.drawPolyline(line);
    }
    painter.restore();
}

} // namespace lockstep::ui
