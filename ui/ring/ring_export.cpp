#include "ui/ring/ring_export.h"

#include "analysis/table/text_table.h"
#include "experiment/spec.h"
#include "ui/export/scaled_paint.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/models/number_text.h"
#include "ui/ring/ring_drawing.h"
#include "ui/ring/ring_view.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr QSizeF RingRoom(560.0, 300.0); ///< that its picture needs, in pixels of the screen

QByteArray ringCsv(const RunFeed& feed, std::int64_t number, const RingStep& step)
{
    std::int64_t first = step.events().empty() ? 0 : step.events().front().startNs;
    for (const RingEvent& event : step.events()) {
        first = std::min(first, event.startNs);
    }
    const QByteArray head = QByteArray::fromStdString(
                                analysis::csvCell(feed.id().text) + ',' + analysis::csvCell(feed.record().spec.name))
        + ',' + QByteArray::number(static_cast<qlonglong>(number)) + ',';
    QByteArray csv("run,name,step,rank,message,bytes,start (ns),end (ns)\r\n");
    for (const RingEvent& event : step.events()) {
        csv += head + QByteArray::number(event.rank) + ',' + QByteArray::number(event.number + 1) + ','
            + QByteArray::number(static_cast<qlonglong>(event.bytes)) + ','
            + QByteArray::number(static_cast<qlonglong>(event.startNs - first)) + ','
            + QByteArray::number(static_cast<qlonglong>(event.endNs - first)) + "\r\n";
    }
    return csv;
}

} // namespace

Drawing ringDrawing(const RunFeed& feed, const RingView& view)
{
    Drawing drawing;
    const std::int64_t number = *view.player().number();
    drawing.id = QStringLiteral("ring");
    drawing.title
        = QCoreApplication::translate("RingView", "Messages of %1, step %2").arg(feed.displayName(), countText(number));
    drawing.specJson = QString::fromStdString(experiment::toJson(feed.record().spec));
    const RingScene scene = view.scene();
    const QColor warning = toneColor(Tone::Warning, QPalette(Qt::white));
    drawing.paint = [scene, warning](QPainter& painter, const QRectF& area, const PaperStyle& paper) {
        paintAsOnScreen(painter, area, paper, RingRoom, [&](QPainter& inner, const QRectF& page, const QFont& font) {
            paintRing(inner, page, scene, {paperTheme(), warning, tabularFont(font), 1.0 / paper.scale});
        });
    };
    drawing.csv = [csv = ringCsv(feed, number, view.player().step())] { return csv; };
    return drawing;
}

} // namespace lockstep::ui
