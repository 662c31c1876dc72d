#include "ui/charts/axis_fit.h"

#include "ui/charts/axis_numbers.h"
#include "ui/charts/axis_tickers.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int MostTicks = 5; ///< wanted; an axis may have some more
constexpr int FewestTicks = 2;
constexpr std::size_t LeastLabels = 3;

/// Where a label begins and ends along its axis.
struct TickPlace {
    QString text;
    double begin = 0.0;
    double end = 0.0;
};

/// In the order of the dots.
std::vector<TickPlace> tickPlaces(const QCPAxis& axis, const QFontMetricsF& metrics)
{
    QVector<double> ticks;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), QLocale(QLocale::English), u'g', 6, ticks, nullptr, &labels);
    std::vector<TickPlace> places;
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        if (axis.range().contains(ticks[i])) {
            const double half = axis.orientation() == Qt::Horizontal ? metrics.horizontalAdvance(labels[i]) / 2.0
                                                                     : 0.8 * metrics.height() / 2.0;
            const double middle = axis.coordToPixel(ticks[i]);
            places.push_back({labels[i], middle - half, middle + half});
        }
    }
    std::ranges::sort(places, {}, &TickPlace::begin);
    return places;
}

bool areApart(const std::vector<TickPlace>& places, double gap)
{
    const auto touches = [gap](const TickPlace& a, const TickPlace& b) { return b.begin < a.end + gap; };
    return std::ranges::adjacent_find(places, touches) == places.end();
}

} // namespace

QString titleWithin(const QString& title, const QFontMetricsF& metrics, double room)
{
    constexpr qsizetype MostLines = 3;
    QStringList lines{QString()};
    for (const QString& word : title.split(u' ', Qt::SkipEmptyParts)) {
        const QString longer = lines.back().isEmpty() ? word : lines.back() + u' ' + word;
        if (metrics.horizontalAdvance(longer) <= room || lines.back().isEmpty()) {
            lines.back() = longer;
        } else {
            lines += word;
        }
    }
    if (lines.size() > MostLines) {
        lines[MostLines - 1] = lines.mid(MostLines - 1).join(u' ');
        lines.resize(MostLines);
    }
    for (QString& line : lines) {
        line = metrics.elidedText(line, Qt::ElideMiddle, room);
    }
    return lines.join(u'\n');
}

std::vector<AxisText> AxisFit::textsOf(const QCPAxis& axis)
{
    const bool isX = axis.orientation() == Qt::Horizontal;
    const QFontMetricsF metrics(axis.tickLabelFont());
    const QRectF frame = axis.axisRect()->rect();
    const double gap = axis.tickLengthOut() + axis.tickLabelPadding();
    std::vector<AxisText> texts;
    double widest = 0.0;
    const bool isOfNumbers = dynamic_cast<LinearTicker*>(axis.ticker().data()) != nullptr;
    for (const TickPlace& each : isOfNumbers ? tickPlaces(axis, metrics) : std::vector<TickPlace>()) {
        const double wide = metrics.horizontalAdvance(each.text);
        widest = std::max(widest, wide);
        const QRectF place = isX ? QRectF(each.begin, frame.bottom() + gap, wide, metrics.height())
                                 : QRectF(frame.left() - gap - wide, (each.begin + each.end - metrics.height()) / 2.0,
                                     wide, metrics.height());
        texts.push_back({each.text, place, false});
    }
    if (axis.label().isEmpty() || !isOfNumbers) {
        return texts;
    }
    const QRectF title = metrics.boundingRect(QRectF(), Qt::AlignCenter, axis.label());
    const double away = gap + (isX ? metrics.height() : widest) + axis.labelPadding();
    texts.push_back({axis.label(),
        isX ? QRectF(frame.center().x() - title.width() / 2.0, frame.bottom() + away, title.width(), title.height())
            : QRectF(frame.left() - away - title.height(), frame.center().y() - title.width() / 2.0, title.height(),
                title.width()),
        true});
    return texts;
}

void AxisFit::setAxis(QCPAxis* axis, const AxisSpec& spec)
{
    AxisSpec& shown = m_specs[indexOf(axis)];
    shown.label = spec.label;
    shown.unit = spec.unit;
    shown.scale = spec.scale;
    shown.categories = spec.categories;
    axis->setLabel(axisTitle(shown));
}

/// With what the numbers leave to it, on paper broken or cut where it would be longer than the axis.
void AxisFit::setTitle(QCPAxis* axis, const ChartStyle& style)
{
    const AxisSpec& spec = m_specs[indexOf(axis)];
    const QCPRange range = axis->range();
    const QString title = axisNumbers(spec, range.lower, range.upper, m_rooms[indexOf(axis)]).title(spec);
    const QRect frame = m_plot.axisRect()->rect();
    const int room = axis->orientation() == Qt::Horizontal ? frame.width() : frame.height();
    axis->setLabel(style.isPaper && room > 0 ? titleWithin(title, QFontMetricsF(style.font), room) : title);
}

/// The most ticks whose labels have room; on paper with shorter labels where fewer than three would be left.
void AxisFit::fitTicks(QCPAxis* axis, const ChartStyle& style)
{
    const QFontMetricsF metrics(style.font);
    const bool isX = axis == m_plot.xAxis;
    auto* ticker = dynamic_cast<LinearTicker*>(axis->ticker().data());
    for (const LabelRoom room : {LabelRoom::Enough, LabelRoom::Little}) {
        if (ticker == nullptr || (room == LabelRoom::Little && !style.isPaper)) {
            return;
        }
        m_rooms[indexOf(axis)] = room;
        ticker->setRoom(room);
        for (int count = MostTicks; count >= FewestTicks; --count) {
            ticker->setTickCount(count);
            const std::vector<TickPlace> places = tickPlaces(*axis, metrics);
            m_lastLabelEnd = isX && !places.empty() ? places.back().end : m_lastLabelEnd;
            const bool isApart = areApart(places, isX ? metrics.horizontalAdvance(u'0') : 0.0);
            if (isApart && (places.size() >= LeastLabels || !style.isPaper)) {
                return;
            }
        }
    }
}

bool AxisFit::fit(const ChartStyle& style, int endsRoom)
{
    bool hasChanged = false;
    m_lastLabelEnd = 0.0;
    for (QCPAxis* axis : {m_plot.xAxis, m_plot.yAxis}) {
        const QString title = axis->label();
        setTitle(axis, style);
        hasChanged = hasChanged || title != axis->label();
        const int count = axis->ticker()->tickCount();
        const LabelRoom room = m_rooms[indexOf(axis)];
        fitTicks(axis, style);
        hasChanged = hasChanged || axis->ticker()->tickCount() != count || m_rooms[indexOf(axis)] != room;
    }
    const double beyond = m_lastLabelEnd - m_plot.axisRect()->right() - m_plot.plotLayout()->margins().right();
    const int right = std::max(endsRoom, static_cast<int>(std::ceil(beyond + style.lineFactor)));
    QMargins least = m_plot.axisRect()->minimumMargins();
    if (style.isPaper && right > least.right()) {
        least.setRight(right);
        m_plot.axisRect()->setMinimumMargins(least);
        hasChanged = true;
    }
    return hasChanged;
}

} // namespace lockstep::ui
