#include "ui/timeline/timeline_export.h"

#include "analysis/table/text_table.h"
#include "experiment/spec.h"
#include "ui/models/feeds/run_feed.h"

#include <QCoreApplication>

#include <memory>

namespace lockstep::ui {

namespace {

constexpr double TimelinePaperPen = 2.0 / 3.0; ///< as the charts have it

QByteArray quoted(const QString& text)
{
    const QByteArray cell = QByteArray::fromStdString(analysis::csvCell(text.toStdString()));
    return cell.startsWith('"') ? cell : '"' + cell + '"';
}

} // namespace

QByteArray timelineCsv(const QString& run, const QString& name, const TimelineModel& model)
{
    QByteArray csv("run,name,rank,step,phase,micro-batch,start (ns),duration (ns)\r\n");
    const QByteArray head = quoted(run) + ',' + quoted(name) + ',';
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const QByteArray begin = head + QByteArray::number(model.ranks()[lane]) + ',';
        for (const TimelineSpan& span : model.lane(lane)) {
            csv += begin + QByteArray::number(span.step) + ',' + nameOf(span.phase).data() + ','
                + (span.microBatch < 0 ? QByteArray() : QByteArray::number(span.microBatch + 1)) + ','
                + QByteArray::number(static_cast<qlonglong>(span.startNs - model.originNs())) + ','
                + QByteArray::number(static_cast<qlonglong>(span.durationNs)) + "\r\n";
        }
    }
    return csv;
}

Drawing timelineDrawing(const RunFeed& feed, TimelineScene scene)
{
    Drawing drawing;
    drawing.id = QStringLiteral("timeline");
    drawing.title = QCoreApplication::translate("TimelineView", "Timeline of %1").arg(feed.displayName());
    drawing.specJson = QString::fromStdString(experiment::toJson(feed.record().spec));
    const auto model = std::make_shared<const TimelineModel>(feed.timeline().part(scene.window));
    drawing.paint = [model, scene = std::move(scene)](QPainter& painter, const QRectF& area, const PaperStyle& paper) {
        TimelineStyle style{paperTheme(), paper.font, paper.scale, 1.0, paper.scale * TimelinePaperPen};
        style.isGrey = paper.colors == PaperOptions::Colors::Grey;
        paintTimeline(painter, area, *model, scene, style);
    };
    drawing.csv = [model, run = QString::fromStdString(feed.id().text), name = feed.displayName()] {
        return timelineCsv(run, name, *model);
    };
    return drawing;
}

} // namespace lockstep::ui
