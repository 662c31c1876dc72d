#include "ui/net/net_export.h"

#include "analysis/table/text_table.h"
#include "ui/export/scaled_paint.h"
#include "ui/models/net/net_picture.h"
#include "ui/models/net/rank_map.h"
#include "ui/net/net_view.h"
#include "ui/net/rank_map_view.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

constexpr int MapRoom = 24; ///< beyond what the map needs at least

std::unique_ptr<QWidget> netPage(
    const NetPicture& picture, const RankMap& ranks, const QString& summary, const QFont& font)
{
    auto page = std::make_unique<QWidget>();
    page->setFont(font);
    auto* lines = new QVBoxLayout(page.get());
    lines->setContentsMargins(8, 4, 8, 4);
    lines->setSpacing(4);
    if (ranks.isDivided) {
        auto* map = new RankMapView;
        map->setFont(font);
        map->setTheme(paperTheme());
        map->setMap(ranks);
        map->setFixedHeight(map->minimumSizeHint().height() + MapRoom);
        lines->addWidget(map);
    }
    auto* view = new NetView;
    view->setFont(font);
    view->setTheme(paperTheme());
    view->setPicture(picture, NetView::Cut::ReadOnly);
    auto* header = new NetHeader(*view);
    header->setFont(font);
    auto* words = plainLabel(summary);
    words->setFont(font);
    words->setWordWrap(true);
    addAll(*lines, {header, {view, 1}, words});
    return page;
}

QByteArray netCsv(const NetPicture& picture)
{
    QByteArray csv("layer,parameters,FLOPs per sample,output (bytes),samples of the output,stage\r\n");
    for (std::size_t i = 0; i < picture.layers.size(); ++i) {
        const NetLayer& layer = picture.layers[i];
        QByteArray stage;
        for (const NetPart& part : picture.parts) {
            const auto number = static_cast<int>(i);
            stage = number >= part.first && number < part.first + part.count ? QByteArray::number(part.stage) : stage;
        }
        csv += QByteArray::fromStdString(analysis::csvCell(layer.name.toStdString())) + ','
            + QByteArray::number(static_cast<qlonglong>(layer.parameters)) + ','
            + QByteArray::number(static_cast<qlonglong>(layer.flops)) + ','
            + QByteArray::number(static_cast<qlonglong>(layer.outputBytes)) + ','
            + QByteArray::number(static_cast<qlonglong>(picture.samples)) + ',' + stage + "\r\n";
    }
    return csv;
}

} // namespace

Drawing netDrawing(const experiment::RunSpec& run, const QString& name, const QString& summary)
{
    Drawing drawing;
    drawing.id = QStringLiteral("net");
    drawing.title = QCoreApplication::translate("NetPanel", "Net of %1").arg(name);
    drawing.specJson = QString::fromStdString(experiment::toJson(run));
    const NetPicture picture = netPicture(run);
    const RankMap ranks = rankMap(run);
    drawing.paint = [picture, ranks, summary](QPainter& painter, const QRectF& area, const PaperStyle& paper) {
        paintWidget(painter, area, paper, [&](const QFont& font) { return netPage(picture, ranks, summary, font); });
    };
    drawing.csv = [picture] { return netCsv(picture); };
    return drawing;
}

} // namespace lockstep::ui
