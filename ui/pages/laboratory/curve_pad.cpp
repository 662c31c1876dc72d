#include "ui/pages/laboratory/curve_pad.h"

#include "analysis/numbers.h"
#include "ui/models/number_text.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int Columns = 61; ///< of a drawn curve; its points are where these begin
constexpr int Divisions = 5; ///< of each axis
constexpr double KeyStep = 0.02; ///< of the height
constexpr int MeasuredWidth = 2;
constexpr int DrawnWidth = 3;

double columnX(int column)
{
    return static_cast<double>(column) / (Columns - 1);
}

/// One a decade where a logarithmic axis has whole decades.
int divisionsOfHeight(const CurveAxes& axes)
{
    const double decades = axes.isLogarithmic ? std::log10(axes.yHigh / axes.yLow) : 0.0;
    const long whole = std::lround(decades);
    return whole > 0 && std::abs(decades - static_cast<double>(whole)) < 1e-9 ? static_cast<int>(whole) : Divisions;
}

} // namespace

CurvePad::CurvePad(QWidget* parent)
    : QWidget(parent)
    , m_heights(Columns, -1.0)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CurvePad::setAxes(const CurveAxes& axes)
{
    if (axes != m_axes) {
        const std::vector<QPointF> before = curve();
        m_axes = axes;
        setCurve(before);
    }
}

void CurvePad::setCurve(const std::vector<QPointF>& curve)
{
    m_heights.assign(Columns, -1.0);
    for (int column = 0; column < Columns && curve.size() > 1; ++column) {
        const double x = m_axes.xAt(columnX(column));
        const auto after = std::ranges::lower_bound(curve, x - 1e-9 * m_axes.xHigh, {}, &QPointF::x);
        if (after == curve.end() || (after == curve.begin() && after->x() > x + 1e-9 * m_axes.xHigh)) {
            continue;
        }
        const auto before = after == curve.begin() ? after : after - 1;
        const double width = after->x() - before->x();
        const double part = width > 0.0 ? std::clamp((x - before->x()) / width, 0.0, 1.0) : 0.0;
        const double y = before->y() + part * (after->y() - before->y());
        m_heights[static_cast<std::size_t>(column)] = std::clamp(heightOf(y), 0.0, 1.0);
    }
    update();
}

std::vector<QPointF> CurvePad::curve() const
{
    std::vector<QPointF> points;
    for (int column = 0; column < Columns; ++column) {
        const double height = m_heights[static_cast<std::size_t>(column)];
        if (height >= 0.0) {
            points.emplace_back(m_axes.xAt(columnX(column)), valueAt(height));
        }
    }
    return points;
}

void CurvePad::setMeasured(const std::vector<QPointF>& measured)
{
    m_measured = measured;
    update();
}

void CurvePad::setReadOnly(bool isReadOnly)
{
    m_isReadOnly = isReadOnly;
    m_isDrawing = false;
    setCursor(isReadOnly ? Qt::ArrowCursor : Qt::CrossCursor);
    update();
}

QSize CurvePad::sizeHint() const
{
    return {520, 340};
}

QSize CurvePad::minimumSizeHint() const
{
    return {240, 180};
}

QRectF CurvePad::plot() const
{
    const int line = fontMetrics().height();
    const int left = fontMetrics().horizontalAdvance(QStringLiteral("0000.00")) + line + 8;
    return QRectF(rect()).adjusted(left, line, -2 * line, -2.6 * line);
}

QPointF CurvePad::onScreen(QPointF point) const
{
    const QRectF area = plot();
    return {area.left() + area.width() * m_axes.partOf(point.x()), area.bottom() - area.height() * heightOf(point.y())};
}

double CurvePad::heightOf(double y) const
{
    return m_axes.isLogarithmic
        ? std::log(std::max(y, m_axes.yLow) / m_axes.yLow) / std::log(m_axes.yHigh / m_axes.yLow)
        : (y - m_axes.yLow) / (m_axes.yHigh - m_axes.yLow);
}

double CurvePad::valueAt(double height) const
{
    return m_axes.isLogarithmic ? m_axes.yLow * std::pow(m_axes.yHigh / m_axes.yLow, height)
                                : m_axes.yLow + height * (m_axes.yHigh - m_axes.yLow);
}

void CurvePad::drawTo(QPointF position)
{
    const QRectF area = plot();
    const double x = std::clamp((position.x() - area.left()) / area.width(), 0.0, 1.0) * (Columns - 1);
    const double y = std::clamp((area.bottom() - position.y()) / area.height(), 0.0, 1.0);
    const QPointF from = m_isDrawing ? m_last : QPointF(x, y);
    const int first = static_cast<int>(std::lround(std::min(from.x(), x)));
    const int last = static_cast<int>(std::lround(std::max(from.x(), x)));
    for (int column = first; column <= last; ++column) {
        const double width = x - from.x();
        const double part = std::abs(width) > 1e-9 ? std::clamp((column - from.x()) / width, 0.0, 1.0) : 1.0;
        m_heights[static_cast<std::size_t>(column)] = from.y() + part * (y - from.y());
    }
    m_last = {x, y};
    m_column = static_cast<int>(std::lround(x));
    m_isDrawing = true;
    update();
}

void CurvePad::mousePressEvent(QMouseEvent* event)
{
    if (!m_isReadOnly && event->button() == Qt::LeftButton) {
        drawTo(event->position());
    }
}

void CurvePad::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDrawing) {
        drawTo(event->position());
    }
}

void CurvePad::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_isDrawing && event->button() == Qt::LeftButton) {
        m_isDrawing = false;
        Q_EMIT drawn();
    }
}

/// Left and right move along the x axis and take the height with them where nothing is drawn; up and down change it;
/// Delete removes it.
void CurvePad::keyPressEvent(QKeyEvent* event)
{
    const int along = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int up = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    const bool isRemoved = event->key() == Qt::Key_Delete;
    if (m_isReadOnly || (along == 0 && up == 0 && !isRemoved)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const double here = m_heights[static_cast<std::size_t>(m_column)];
    const double start = here < 0.0 ? 0.5 : here;
    m_column = std::clamp(m_column + along, 0, Columns - 1);
    double& height = m_heights[static_cast<std::size_t>(m_column)];
    height = isRemoved ? -1.0 : along != 0 && height >= 0.0 ? height : std::clamp(start + up * KeyStep, 0.0, 1.0);
    update();
    Q_EMIT drawn();
}

void CurvePad::paintAxes(QPainter& painter) const
{
    const QRectF area = plot();
    painter.fillRect(area, palette().color(QPalette::Base));
    const int line = fontMetrics().height();
    for (int i = 0; i <= Divisions; ++i) {
        const double part = static_cast<double>(i) / Divisions;
        const double x = area.left() + part * area.width();
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(x - 60, area.bottom() + 2, 120, line), Qt::AlignCenter,
            m_axes.isInBytes ? QString::fromStdString(analysis::bytesText(m_axes.xAt(part)))
                             : numberText(m_axes.xAt(part)));
    }
    const int divisions = divisionsOfHeight(m_axes);
    for (int i = 0; i <= divisions; ++i) {
        const double part = static_cast<double>(i) / divisions;
        const double y = area.bottom() - part * area.height();
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(area.left() - 104, y - 0.5 * line, 100, line), Qt::AlignRight | Qt::AlignVCenter,
            numberText(valueAt(part)));
    }
    painter.drawText(
        QRectF(area.left(), area.bottom() + 1.3 * line, area.width(), line * 1.2), Qt::AlignCenter, m_axes.xTitle);
    painter.save();
    painter.translate(0.2 * line, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-0.5 * area.height(), 0, area.height(), 1.2 * line), Qt::AlignCenter, m_axes.yTitle);
    painter.restore();
}

void CurvePad::paintCurves(QPainter& painter) const
{
    painter.setClipRect(plot());
    painter.setRenderHint(QPainter::Antialiasing);
    const auto paint = [&](const std::vector<QPointF>& points, const QPen& pen) {
        QPainterPath path;
        for (std::size_t i = 0; i < points.size(); ++i) {
            i == 0 ? path.moveTo(onScreen(points[i])) : path.lineTo(onScreen(points[i]));
        }
        painter.strokePath(path, pen);
    };
    paint(m_measured, QPen(palette().color(QPalette::WindowText), MeasuredWidth));
    paint(curve(), QPen(toneColor(Tone::Information, palette()), DrawnWidth, Qt::DashLine, Qt::RoundCap));
    if (hasFocus() && !m_isReadOnly) {
        const double x = plot().left() + columnX(m_column) * plot().width();
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    }
}

void CurvePad::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setFont(tabularFont(font()));
    paintAxes(painter);
    paintCurves(painter);
}

} // namespace lockstep::ui
