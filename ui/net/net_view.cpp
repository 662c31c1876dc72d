#include "ui/net/net_view.h"

#include "analysis/numbers.h"
#include "ui/models/number_text.h"
#include "ui/net/net_cut_handle.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int NetMargin = 12;
constexpr int ColumnGap = 12; ///< between columns
constexpr int BandWidth = 5;
constexpr int GripWidth = 18;
constexpr int WidestName = 300;
constexpr double NarrowestLayerName = 80.0;
constexpr int WidestBar = 220;
constexpr int NarrowestBar = 50;
constexpr std::size_t Many = 20; ///< layers: from here on they are drawn lower
constexpr int GroundAlpha = 34;
constexpr int BlockAlpha = 60;
constexpr int BarAlpha = 190;

class NetTexts {
    Q_DECLARE_TR_FUNCTIONS(NetView)
};

QColor translucent(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

QString bytesOf(std::int64_t bytes)
{
    return QString::fromStdString(analysis::bytesText(static_cast<double>(bytes)));
}

QString shapeOf(const std::vector<std::int64_t>& shape)
{
    QStringList sizes;
    for (const std::int64_t size : shape) {
        sizes << QString::number(size);
    }
    return sizes.join(QStringLiteral(" × "));
}

QString outputText(const NetLayer& layer, bool hasShape)
{
    const QString bytes = bytesOf(layer.outputBytes);
    return hasShape ? QStringLiteral("%1 · %2").arg(shapeOf(layer.outputShape), bytes) : bytes;
}

QString partName(const NetPicture& picture, const NetPart& part)
{
    const QString name = picture.ranksOfStage > 1
        ? NetTexts::tr("Stage %1, %2 ranks").arg(part.stage).arg(picture.ranksOfStage)
        : NetTexts::tr("Rank %1").arg(part.stage);
    return picture.chunks > 1 ? NetTexts::tr("%1, part %2 of %3").arg(name).arg(part.chunk + 1).arg(picture.chunks)
                              : name;
}

QString sentText(const NetPicture& picture, const NetPart& part)
{
    if (part.sentBytes == 0) {
        return {};
    }
    return (picture.ranksOfStage > 1 ? NetTexts::tr("each sends %1") : NetTexts::tr("sends %1"))
        .arg(bytesOf(part.sentBytes));
}

struct Titles {
    QString name = NetTexts::tr("Layer");
    QString parameters = NetTexts::tr("Parameters");
    QString flops = NetTexts::tr("FLOPs per sample");
    QString output;

    explicit Titles(const NetPicture& picture)
        : output(nameOfOutput(picture))
    { }

private:
    static QString nameOfOutput(const NetPicture& picture)
    {
        const auto samples = static_cast<int>(picture.samples);
        if (picture.sharing > 1) {
            return picture.isPipeline ? NetTexts::tr("Rank's output, %n sample(s)", nullptr, samples)
                                      : NetTexts::tr("Rank's output, one sample");
        }
        return picture.isPipeline ? NetTexts::tr("Output, %n sample(s)", nullptr, samples)
                                  : NetTexts::tr("Output, one sample");
    }
};

void right(QPainter& painter, double x, const QRectF& row, const QString& text)
{
    painter.drawText(QRectF(row.left(), row.top(), x - row.left(), row.height()),
        Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text);
}

} // namespace

NetView::NetView(QWidget* parent)
    : QWidget(parent)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void NetView::setPicture(const NetPicture& picture, Cut cut)
{
    m_picture = picture;
    m_cut = cut;
    const std::size_t wanted = picture.parts.empty() ? 0 : picture.parts.size() - 1;
    while (m_handles.size() > wanted) {
        delete m_handles.back();
        m_handles.pop_back();
    }
    while (m_handles.size() < wanted) {
        m_handles.push_back(new NetCutHandle(*this, static_cast<int>(m_handles.size()) + 1));
        m_handles.back()->show();
    }
    placeHandles();
    QStringList parts;
    for (const NetPart& part : m_picture.parts) {
        parts << NetTexts::tr("%1: %n layer(s), %2 % of the FLOPs", nullptr, part.count)
                     .arg(partName(m_picture, part), percentText(part.share));
    }
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    updateGeometry();
    update();
    Q_EMIT columnsChanged();
}

void NetView::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    update();
    Q_EMIT columnsChanged();
}

void NetView::placeHandles()
{
    for (std::size_t i = 0; i < m_handles.size(); ++i) {
        m_handles[i]->setGeometry(partRect(static_cast<int>(i) + 1));
        m_handles[i]->setMovable(m_cut == Cut::Movable);
        if (i > 0) {
            setTabOrder(m_handles[i - 1], m_handles[i]);
        }
    }
}

int NetView::layerHeight() const
{
    return fontMetrics().height() + (m_picture.layers.size() > Many ? 6 : 12);
}

int NetView::partHeight() const
{
    return fontMetrics().height() + 12;
}

QRect NetView::partRect(int number) const
{
    const NetPart& part = m_picture.parts[static_cast<std::size_t>(number)];
    return {0, number * partHeight() + part.first * layerHeight(), width(), partHeight()};
}

QRect NetView::layerRect(int number) const
{
    int headers = 0;
    for (const NetPart& part : m_picture.parts) {
        headers += part.first <= number ? 1 : 0;
    }
    return {0, headers * partHeight() + number * layerHeight(), width(), layerHeight()};
}

int NetView::layerAt(int number, double top) const
{
    return static_cast<int>(std::lround((top - number * partHeight()) / layerHeight()));
}

void NetView::requestCut(int number, int layer)
{
    if (m_cut == Cut::ReadOnly) {
        return;
    }
    const QString cut = movedCut(m_picture, number - 1, layer);
    QStringList now;
    for (const NetPart& part : m_picture.parts) {
        now << QString::number(part.count);
    }
    if (cut != now.join(u',')) {
        Q_EMIT cutRequested(cut);
    }
}

/// A narrow window drops the bars first, then the shapes of outputs, then elides names.
NetColumns NetView::columns() const
{
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics heads(bold);
    const QFontMetrics plain = fontMetrics();
    const Titles titles(m_picture);
    double name = plain.horizontalAdvance(titles.name);
    double parameters = plain.horizontalAdvance(titles.parameters);
    const double flops = plain.horizontalAdvance(titles.flops);
    double output = plain.horizontalAdvance(titles.output);
    double shapes = output;
    for (const NetLayer& layer : m_picture.layers) {
        name = std::max<double>(name, plain.horizontalAdvance(layer.name) + 2 * 8);
        shapes = std::max<double>(shapes, plain.horizontalAdvance(outputText(layer, true)));
    }
    for (const NetPart& part : m_picture.parts) {
        name = std::max<double>(name, heads.horizontalAdvance(partName(m_picture, part)) + GripWidth);
        parameters
            = std::max<double>(parameters, heads.horizontalAdvance(siText(static_cast<double>(part.parameters))));
        output = std::max<double>(output, heads.horizontalAdvance(sentText(m_picture, part)));
    }
    NetColumns columns;
    columns.name = NetMargin + BandWidth + 8;
    const auto left = [&](double outputs) {
        return width() - (columns.name + ColumnGap + parameters + ColumnGap + flops + ColumnGap + outputs + NetMargin);
    };
    const double wanted = std::min<double>(name, WidestName);
    columns.hasShapes = left(std::max(output, shapes)) >= wanted;
    output = columns.hasShapes ? std::max(output, shapes) : output;
    columns.nameWidth = std::clamp<double>(left(output), NarrowestLayerName, wanted);
    columns.parametersRight = columns.name + columns.nameWidth + ColumnGap + parameters;
    columns.flopsRight = columns.parametersRight + ColumnGap + flops;
    columns.bar = columns.flopsRight + 8.0;
    const double room = width() - NetMargin - output - ColumnGap - columns.bar;
    columns.barWidth = room < NarrowestBar ? 0.0 : std::min<double>(room, WidestBar);
    columns.outputRight = std::max<double>(width() - NetMargin, columns.flopsRight + ColumnGap + output);
    if (columns.barWidth > 0.0) {
        columns.outputRight = columns.bar + columns.barWidth + ColumnGap + output;
    }
    return columns;
}

QColor NetView::colorOf(int layer) const
{
    for (const NetPart& part : m_picture.parts) {
        if (layer < part.first + part.count) {
            return rankColor(part.stage);
        }
    }
    return m_theme.dimText;
}

/// The value of a full bar: bars of parts and of layers have one scale.
double NetView::mostFlops() const
{
    std::int64_t most = 1;
    for (const NetPart& part : m_picture.parts) {
        most = std::max(most, part.flops);
    }
    for (const NetLayer& layer : m_picture.layers) {
        most = std::max(most, layer.flops);
    }
    return static_cast<double>(most);
}

void NetView::paintLayer(QPainter& painter, int number) const
{
    const NetLayer& layer = m_picture.layers[static_cast<std::size_t>(number)];
    const NetColumns at = columns();
    const QRectF row(layerRect(number));
    const QColor color = colorOf(number);
    if (!m_picture.parts.empty()) {
        painter.fillRect(QRectF(NetMargin, row.top(), BandWidth, row.height()), color);
    }
    const double inset = m_picture.layers.size() > Many ? 1.0 : 3.0;
    const QRectF block(at.name, row.top() + inset, at.nameWidth, row.height() - 2.0 * inset);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.0));
    if (number > 0) { // data from block to block
        const double x = block.center().x();
        const QRectF before(layerRect(number - 1));
        painter.drawLine(QPointF(x, before.bottom() - inset), QPointF(x, block.top()));
    }
    painter.setBrush(translucent(color, BlockAlpha));
    painter.drawRoundedRect(block.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(m_theme.text);
    painter.drawText(block.adjusted(8, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
        fontMetrics().elidedText(layer.name, Qt::ElideRight, static_cast<int>(block.width()) - 12));
    right(painter, at.parametersRight, row, siText(static_cast<double>(layer.parameters)));
    right(painter, at.flopsRight, row, siText(static_cast<double>(layer.flops)));
    right(painter, at.outputRight, row, outputText(layer, at.hasShapes));
    if (at.barWidth > 0.0) {
        const double length = at.barWidth * static_cast<double>(layer.flops) / mostFlops();
        painter.fillRect(QRectF(at.bar, row.center().y() - 4.0, length, 8.0), translucent(color, BarAlpha));
    }
}

void NetView::paintPart(QPainter& painter, const QRectF& rect, int number, bool canMove) const
{
    const NetPart& part = m_picture.parts[static_cast<std::size_t>(number)];
    const NetColumns at = columns();
    const QColor color = rankColor(part.stage);
    painter.fillRect(rect, m_theme.background);
    painter.fillRect(rect.adjusted(NetMargin, 0, 0, 0), translucent(color, GroundAlpha));
    painter.fillRect(QRectF(NetMargin, rect.top(), BandWidth, rect.height()), color);
    if (number > 0) {
        painter.fillRect(QRectF(NetMargin, rect.top(), rect.width() - NetMargin, 2.0), m_theme.text);
    }
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(m_theme.text);
    double left = at.name;
    if (canMove) { // a grip of three lines
        for (int line = -1; line <= 1; ++line) {
            painter.fillRect(QRectF(left, std::round(rect.center().y()) + line * 4.0, 10.0, 1.0), m_theme.text);
        }
        left += GripWidth;
    }
    const QString share = QStringLiteral("%1 %").arg(percentText(part.share));
    const QString name = at.barWidth > 0.0 ? partName(m_picture, part) : partName(m_picture, part) + u' ' + share;
    const double nameWidth = at.name + at.nameWidth - left;
    painter.drawText(QRectF(left, rect.top(), nameWidth, rect.height()),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
        QFontMetricsF(bold).elidedText(name, Qt::ElideRight, nameWidth));
    right(painter, at.parametersRight, rect, siText(static_cast<double>(part.parameters)));
    right(painter, at.flopsRight, rect, siText(static_cast<double>(part.flops)));
    right(painter, at.outputRight, rect, sentText(m_picture, part));
    if (at.barWidth > 0.0) {
        const double room = QFontMetricsF(bold).horizontalAdvance(share) + 8.0;
        const double length = at.barWidth * static_cast<double>(part.flops) / mostFlops();
        const QRectF bar(at.bar, rect.center().y() - 8.0, length, 16.0);
        painter.fillRect(bar, translucent(color, BarAlpha));
        // In the bar, or behind one that is too short.
        painter.drawText(QRectF(length >= room ? at.bar + 4.0 : bar.right() + 4.0, rect.top(), room, rect.height()),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, share);
    }
}

void NetView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    painter.setFont(font());
    for (int i = 0; i < static_cast<int>(m_picture.layers.size()); ++i) {
        paintLayer(painter, i);
    }
    if (!m_picture.parts.empty()) {
        paintPart(painter, QRectF(partRect(0)), 0, false);
    }
}

void NetView::resizeEvent(QResizeEvent*)
{
    placeHandles();
    Q_EMIT columnsChanged();
}

void NetView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        placeHandles();
        updateGeometry();
        Q_EMIT columnsChanged();
    }
}

QSize NetView::sizeHint() const
{
    return {minimumSizeHint().width() + WidestBar,
        static_cast<int>(m_picture.parts.size()) * partHeight()
            + static_cast<int>(m_picture.layers.size()) * layerHeight() + NetMargin};
}

QSize NetView::minimumSizeHint() const
{
    return {480,
        static_cast<int>(m_picture.parts.size()) * partHeight()
            + static_cast<int>(m_picture.layers.size()) * layerHeight() + NetMargin};
}

NetHeader::NetHeader(const NetView& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&view, &NetView::columnsChanged, this, qOverload<>(&QWidget::update));
}

QSize NetHeader::sizeHint() const
{
    return {480, fontMetrics().height() + 10};
}

void NetHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_view.theme().background);
    painter.setPen(m_view.theme().dimText);
    const NetColumns at = m_view.columns();
    const Titles titles(m_view.picture());
    const QRectF row(rect());
    painter.drawText(row.adjusted(at.name, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, titles.name);
    right(painter, at.parametersRight, row, titles.parameters);
    right(painter, at.flopsRight, row, titles.flops);
    right(painter, at.outputRight, row, titles.output);
}

} // namespace lockstep::ui
