#include "ui/charts/read_out.h"

#include "ui/models/chart_axes.h"
#include "ui/models/number_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::ui {

namespace {

constexpr int BoxPadding = 7;
constexpr int BoxDistance = 14;
QString withUnit(const QString& number, const QString& unit)
{
    return unit.isEmpty() ? number : number + u' ' + unit;
}

/// Whole numbers (steps) to the last digit, others to three.
QString placeText(double x)
{
    return x == std::floor(x) && std::fabs(x) < 1e15 ? countText(static_cast<std::int64_t>(x)) : numberText(x, 4);
}

/// The nearest point with a value; -1 if there is none near.
qsizetype nearest(const SeriesSpec& series, double x)
{
    const auto middle = std::lower_bound(series.x.begin(), series.x.end(), x) - series.x.begin();
    qsizetype best = -1;
    for (qsizetype i = std::max<qsizetype>(0, middle - 2); i < std::min<qsizetype>(middle + 3, std::ssize(series.x));
         ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool isNearer
            = best < 0 || std::fabs(series.x[at] - x) < std::fabs(series.x[static_cast<std::size_t>(best)] - x);
        if (std::isfinite(series.y[at]) && isNearer) {
            best = i;
        }
    }
    return best;
}

/// Whether the curve covers x, within the distance of its points.
bool covers(const SeriesSpec& series, double x)
{
    if (series.x.size() < 2) {
        return true;
    }
    const double first = series.x.front();
    const double last = series.x.back();
    const double distance = (last - first) / static_cast<double>(series.x.size() - 1);
    return x >= first - distance && x <= last + distance;
}

} // namespace

ReadOut readOut(const ChartSpec& chart, double x)
{
    ReadOut result;
    // A curve that has ended has no value here; if all have, the user points at their ends.
    const bool anyCovers = std::any_of(chart.series.begin(), chart.series.end(), [x](const SeriesSpec& series) {
        return !series.name.isEmpty() && series.isVisible && !series.x.empty() && covers(series, x);
    });
    const bool hasCategories = !chart.x.categories.empty();
    double nearestX = 0.0;
    for (const SeriesSpec& series : chart.series) {
        const qsizetype i = series.name.isEmpty() || !series.isVisible ? -1 : nearest(series, x);
        if (i < 0 || (anyCovers && !covers(series, x))) {
            continue;
        }
        const auto at = static_cast<std::size_t>(i);
        if (hasCategories && std::fabs(series.x[at] - x) > 0.5) {
            continue;
        }
        if (result.rows.empty() || std::fabs(series.x[at] - x) < std::fabs(nearestX - x)) {
            nearestX = series.x[at];
            result.head = hasCategories ? chart.x.categories[std::min(at, chart.x.categories.size() - 1)]
                                        : chart.x.label + u' ' + withUnit(placeText(nearestX), chart.x.unit);
        }
        result.rows.push_back({series.name,
            at < series.texts.size() ? QString(series.texts[at]).replace(u'\n', u' ')
                                     : withUnit(numberText(series.y[at]), chart.y.unit),
            series.color, series.x[at], series.y[at]});
    }
    if (hasCategories && !areCells(chart)) {
        // In stacking order.
        std::reverse(result.rows.begin(), result.rows.end());
    }
    return result;
}

ReadOutSheet::ReadOutSheet(QCustomPlot& plot)
    : QWidget(&plot)
    , m_plot(plot)
    , m_theme(lightTheme())
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
}

void ReadOutSheet::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    update();
}

void ReadOutSheet::showAt(const ChartSpec& chart, const QPoint& place)
{
    if (!m_plot.axisRect()->rect().contains(place)) {
        clear();
        return;
    }
    m_place = place;
    m_readOut = readOut(chart, m_plot.xAxis->pixelToCoord(place.x()));
    m_hasLine = chart.x.categories.empty() && !m_readOut.rows.empty();
    keepWhatFits();
    m_dots.clear();
    for (const ReadOutRow& row : m_readOut.rows) {
        if (m_hasLine && (chart.y.scale == Scale::Linear || row.y > 0.0)) {
            const QPointF dot(m_plot.xAxis->coordToPixel(row.x), m_plot.yAxis->coordToPixel(row.y));
            if (m_plot.axisRect()->rect().adjusted(-4, -4, 4, 4).contains(dot.toPoint())) {
                m_dots.push_back({dot, onGround(row.color, m_theme.background)});
            }
        }
    }
    update();
}

/// As many as fit between the ends of the axes: the nearest to the mouse, and how many are left out.
void ReadOutSheet::keepWhatFits()
{
    const int line = QFontMetrics(font()).height() + 1;
    const int high = m_plot.axisRect()->rect().height() - 2 * BoxPadding;
    const auto fit = static_cast<std::size_t>(std::max(2, high / line - 1)); // beside the head
    std::vector<ReadOutRow>& rows = m_readOut.rows;
    m_left = 0;
    if (rows.size() <= fit) {
        return;
    }
    m_left = rows.size() - (fit - 1);
    const auto distance = [this](const ReadOutRow& row) {
        return m_hasLine ? std::fabs(m_plot.yAxis->coordToPixel(row.y) - m_place.y()) : 0.0;
    };
    std::vector<double> distances;
    std::ranges::transform(rows, std::back_inserter(distances), distance);
    std::ranges::nth_element(distances, distances.begin() + static_cast<std::ptrdiff_t>(fit) - 2);
    const double farthest = distances[fit - 2];
    std::erase_if(rows, [&](const ReadOutRow& row) { return distance(row) > farthest; });
    rows.resize(std::min(rows.size(), fit - 1));
}

void ReadOutSheet::clear()
{
    if (!m_readOut.rows.empty()) {
        m_readOut = {};
        m_dots.clear();
        update();
    }
}

void ReadOutSheet::paintEvent(QPaintEvent*)
{
    if (m_readOut.rows.empty()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_hasLine) {
        painter.setPen(QPen(m_theme.axis, 1.0));
        const QRect frame = m_plot.axisRect()->rect();
        painter.drawLine(QPointF(m_place.x() + 0.5, frame.top()), QPointF(m_place.x() + 0.5, frame.bottom()));
    }
    for (const Dot& dot : m_dots) {
        painter.setPen(QPen(m_theme.background, 1.5));
        painter.setBrush(dot.color);
        painter.drawEllipse(dot.place, 4.0, 4.0);
    }
    paintBox(painter);
}

void ReadOutSheet::paintBox(QPainter& painter) const
{
    const QFontMetrics metrics(font());
    const QString left = m_left == 0 ? QString() : tr("and %1 more").arg(m_left);
    const auto rows = m_readOut.rows.size() + (m_left == 0 ? 0 : 1);
    int names = 0;
    int values = 0;
    for (const ReadOutRow& row : m_readOut.rows) {
        names = std::max(names, metrics.horizontalAdvance(row.name));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    const int line = metrics.height() + 1;
    const int side = metrics.ascent() * 2 / 3;
    const int wide = std::max(side + 6 + names + 14 + values, metrics.horizontalAdvance(m_readOut.head));
    QRect box(0, 0, wide + 2 * BoxPadding, line * (static_cast<int>(rows) + 1) + 2 * BoxPadding);
    box.moveTopLeft(m_place + QPoint(BoxDistance, -box.height() / 2));
    if (box.right() > width()) {
        box.moveRight(m_place.x() - BoxDistance);
    }
    const QRect frame = m_plot.axisRect()->rect(); // the legend lies above it
    box.moveTop(std::clamp(box.top(), frame.top(), std::max(frame.top(), frame.bottom() - box.height())));
    QColor ground = m_theme.background;
    ground.setAlpha(238);
    painter.setPen(QPen(m_theme.grid, 1.0));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
    QRect row(box.left() + BoxPadding, box.top() + BoxPadding, wide, line);
    painter.setPen(m_theme.dimText);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, m_readOut.head);
    for (const ReadOutRow& each : m_readOut.rows) {
        row.translate(0, line);
        painter.fillRect(
            QRect(row.left(), row.center().y() - side / 2, side, side), onGround(each.color, m_theme.background));
        painter.setPen(m_theme.text);
        painter.drawText(
            row.adjusted(side + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, each.name);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, each.value);
    }
    painter.setPen(m_theme.dimText);
    painter.drawText(row.translated(0, line), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, left);
}

} // namespace lockstep::ui
