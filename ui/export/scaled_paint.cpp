#include "ui/export/scaled_paint.h"

#include <QAbstractTextDocumentLayout>
#include <QGuiApplication>
#include <QLayout>
#include <QPainter>
#include <QTextDocument>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double PixelsPerInch = 96.0;
constexpr double PixelsPerMm = PixelsPerInch / 25.4;
constexpr double PixelsPerPoint = PixelsPerInch / 72.0;

std::unique_ptr<QTextDocument> documentOf(const QString& html, const QFont& font, double width)
{
    auto document = std::make_unique<QTextDocument>();
    document->setDefaultFont(font);
    document->setDefaultStyleSheet(QStringLiteral("* { color: black; }"));
    document->setHtml(html);
    document->setTextWidth(width);
    return document;
}

} // namespace

void paintAsOnScreen(QPainter& painter, const QRectF& area, const PaperStyle& paper, const QSizeF& least,
    const std::function<void(QPainter&, const QRectF&, const QFont&)>& paint)
{
    const double fit = std::min({1.0, area.width() / paper.scale / std::max(1.0, least.width()),
        area.height() / paper.scale / std::max(1.0, least.height())});
    const double scale = paper.scale * fit;
    QFont font = paper.font;
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(paper.font.pixelSize() / paper.scale))));
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    paint(painter, QRectF(0.0, 0.0, area.width() / scale, area.height() / scale), font);
    painter.restore();
}

Drawing textDrawing(const QString& id, const QString& title, const QString& html)
{
    Drawing drawing;
    drawing.id = id;
    drawing.title = title;
    drawing.paint = [html](QPainter& painter, const QRectF& area, const PaperStyle& paper) {
        QFont font = paper.font;
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(paper.font.pixelSize() / paper.scale))));
        const auto whole = documentOf(html, font, area.width() / paper.scale);
        paintAsOnScreen(
            painter, area, paper, whole->size(), [&](QPainter& inner, const QRectF& page, const QFont& face) {
                documentOf(html, face, page.width())->drawContents(&inner);
            });
    };
    drawing.fittingHeight = [html](double widthMm, double fontPt) {
        QFont font = QGuiApplication::font();
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(fontPt * PixelsPerPoint))));
        return std::ceil(documentOf(html, font, widthMm * PixelsPerMm)->size().height() / PixelsPerMm);
    };
    return drawing;
}

void paintWidget(QPainter& painter, const QRectF& area, const PaperStyle& paper,
    const std::function<std::unique_ptr<QWidget>(const QFont&)>& make)
{
    QFont font = paper.font;
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(paper.font.pixelSize() / paper.scale))));
    const auto widget = make(font);
    widget->setAttribute(Qt::WA_DontShowOnScreen);
    const ChartTheme theme = paperTheme();
    QPalette colors;
    colors.setColor(QPalette::Window, theme.background);
    colors.setColor(QPalette::Base, theme.background);
    colors.setColor(QPalette::WindowText, theme.text);
    colors.setColor(QPalette::Text, theme.text);
    widget->setPalette(colors);
    widget->setFont(font);
    const QSize least = widget->minimumSizeHint();
    paintAsOnScreen(painter, area, paper, least, [&](QPainter& inner, const QRectF& page, const QFont&) {
        widget->resize(page.size().toSize());
        if (QLayout* layout = widget->layout()) {
            layout->activate();
        }
        widget->render(&inner);
    });
}

} // namespace lockstep::ui
