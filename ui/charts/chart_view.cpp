#include "ui/charts/chart_view.h"

#include "ui/charts/chart_painter.h"
#include "ui/charts/read_out.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double KeyPan = 0.1; ///< of the visible range
constexpr double KeyZoom = 0.8;

} // namespace

class ChartView::Private {
public:
    explicit Private(QWidget* owner)
        : plot(new QCustomPlot(owner))
        , painter(*plot)
        , empty(plainLabel(plot))
        , sheet(new ReadOutSheet(*plot))
    { }

    void setColors();
    /// Applies the chart; range changes from it are not the user's zoom.
    void apply();
    /// The key of the run's legend entry there; phases of a bar cannot be switched off.
    [[nodiscard]] QString runAt(const QPoint& place)
    {
        const QString key = painter.legend().keyAt(place);
        return chart.x.categories.empty() ? key : QString();
    }
    void keepInSight();
    [[nodiscard]] int pixels() const { return std::max(1, plot->axisRect()->width()); }

    QCustomPlot* plot;
    ChartPainter painter;
    QLabel* empty;
    ReadOutSheet* sheet;
    ChartSpec chart;
    ChartTheme theme = lightTheme();
    bool isZoomed = false;
    bool isOurs = false; ///< a range is being set by the chart, not by the user
    bool isDrawing = false; ///< is about to draw
    QPoint mouse;
    bool hasMouse = false;
};

void ChartView::Private::setColors()
{
    QFont font = plot->font();
    font.setKerning(false); // digits stay aligned
    ChartStyle style;
    style.theme = theme;
    style.font = font;
    style.penFactor = typeScale();
    painter.setStyle(style);
    sheet->setTheme(theme);
    QPalette palette = empty->palette();
    palette.setColor(QPalette::WindowText, theme.dimText);
    empty->setPalette(palette);
    plot->selectionRect()->setPen(QPen(theme.dimText, 1.0, Qt::DashLine));
    QColor inside = theme.dimText;
    inside.setAlpha(30);
    plot->selectionRect()->setBrush(inside);
}

void ChartView::Private::apply()
{
    isOurs = true;
    painter.setChart(chart, isZoomed ? ChartPainter::Ranges::Keep : ChartPainter::Ranges::Fit);
    isOurs = false;
    const bool hasSeries = !chart.series.empty();
    empty->setVisible(!hasSeries);
    empty->setText(chart.emptyText);
    plot->xAxis->setVisible(hasSeries);
    plot->yAxis->setVisible(hasSeries);
    if (hasMouse) {
        sheet->showAt(chart, mouse);
    }
    if (!isDrawing) {
        plot->replot(QCustomPlot::rpQueuedReplot);
    }
}

/// Categories cannot be panned away, nor the fixed lower end of an axis: bars would lose their feet and their names.
void ChartView::Private::keepInSight()
{
    isOurs = true;
    QCPRange y = plot->yAxis->range();
    if (!chart.x.categories.empty()) {
        painter.fitRanges(chart);
    }
    if (chart.y.minimum && y.lower < *chart.y.minimum) {
        y = {*chart.y.minimum, *chart.y.minimum + y.size()};
    }
    if (chart.y.categories.empty()) {
        plot->yAxis->setRange(y);
    }
    isOurs = false;
}

ChartView::ChartView(QWidget* parent)
    : QWidget(parent)
    , m_private(std::make_unique<Private>(this))
{
    Private& d = *m_private;
    QCustomPlot* plot = d.plot;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot);
    plot->setPlottingHints(QCP::phCacheLabels);
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->setNoAntialiasingOnDrag(false);
    plot->setMouseTracking(true);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    d.empty->setAlignment(Qt::AlignCenter);
    d.empty->setWordWrap(true);
    d.empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    d.setColors();
    const auto userHasZoomed = [this] {
        Private& p = *m_private;
        if (!p.isOurs) {
            p.keepInSight();
            p.isZoomed = true;
            Q_EMIT viewChanged(p.plot->xAxis->range().lower, p.plot->xAxis->range().upper, p.pixels());
        }
    };
    connect(plot, &QCustomPlot::beforeReplot, this, [this] {
        m_private->isDrawing = true;
        Q_EMIT aboutToDraw();
        m_private->isDrawing = false;
    });
    connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, userHasZoomed);
    connect(plot->yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, userHasZoomed);
}

ChartView::~ChartView() = default;

void ChartView::setChart(ChartSpec chart)
{
    m_private->chart = std::move(chart);
    setAccessibleName(m_private->chart.title);
    m_private->apply();
}

const ChartSpec& ChartView::chart() const
{
    return m_private->chart;
}

void ChartView::setTheme(const ChartTheme& theme)
{
    m_private->theme = theme;
    m_private->setColors();
    m_private->apply();
}

void ChartView::followView(const ChartView& other)
{
    Private& d = *m_private;
    d.isZoomed = other.isZoomed();
    if (d.isZoomed) {
        d.isOurs = true;
        d.plot->xAxis->setRange(other.m_private->plot->xAxis->range());
        d.plot->yAxis->setRange(other.m_private->plot->yAxis->range());
        d.isOurs = false;
    }
    d.apply();
}

bool ChartView::isZoomed() const
{
    return m_private->isZoomed;
}

std::pair<double, double> ChartView::horizontalRange() const
{
    const QCPRange range = m_private->plot->xAxis->range();
    return {range.lower, range.upper};
}

ChartSpec ChartView::asShown(ChartSpec chart) const
{
    if (isZoomed()) {
        const QCPRange x = m_private->plot->xAxis->range();
        const QCPRange y = m_private->plot->yAxis->range();
        chart.x.minimum = x.lower;
        chart.x.maximum = x.upper;
        chart.y.minimum = y.lower;
        chart.y.maximum = y.upper;
    }
    return chart;
}

void ChartView::showCursor(std::optional<double> x)
{
    Private& d = *m_private;
    if (d.hasMouse) {
        return; // its own
    }
    if (!x) {
        d.sheet->clear();
        return;
    }
    const QRect frame = d.plot->axisRect()->rect();
    d.sheet->showAt(d.chart, {static_cast<int>(std::lround(d.plot->xAxis->coordToPixel(*x))), frame.center().y()});
}

void ChartView::showAll()
{
    m_private->isZoomed = false;
    Q_EMIT viewChanged(0.0, 0.0, m_private->pixels());
    m_private->apply();
}

bool ChartView::eventFilter(QObject* watched, QEvent* event)
{
    Private& d = *m_private;
    if (watched != d.plot) {
        return QWidget::eventFilter(watched, event);
    }
    switch (event->type()) {
    case QEvent::Leave:
        d.hasMouse = false;
        d.sheet->clear();
        Q_EMIT pointedAt(std::nullopt);
        break;
    case QEvent::Resize:
        d.empty->setGeometry(d.plot->rect().adjusted(40, 0, -40, 0));
        d.sheet->setGeometry(d.plot->rect());
        // The plot takes its new size in its own handler, which runs after this filter.
        QMetaObject::invokeMethod(
            this, [this] { m_private->apply(); }, Qt::QueuedConnection);
        break;
    case QEvent::MouseButtonPress:
        return mousePressed(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseMove:
        d.mouse = static_cast<QMouseEvent*>(event)->pos();
        d.hasMouse = true;
        d.sheet->showAt(d.chart, d.mouse);
        Q_EMIT pointedAt(d.plot->axisRect()->rect().contains(d.mouse)
                ? std::optional(d.plot->xAxis->pixelToCoord(d.mouse.x()))
                : std::nullopt);
        d.plot->setCursor(d.runAt(d.mouse).isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
        break;
    case QEvent::MouseButtonDblClick:
        // Two quick clicks on the legend are two clicks.
        if (!mousePressed(static_cast<QMouseEvent&>(*event))) {
            showAll();
        }
        return true;
    case QEvent::Wheel: {
        // The wheel zooms x, with Ctrl y.
        const bool isVertical = static_cast<QWheelEvent*>(event)->modifiers().testFlag(Qt::ControlModifier);
        d.plot->axisRect()->setRangeZoom(isVertical ? Qt::Vertical : Qt::Horizontal);
        break;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

/// True if the press was on the legend and the plot need not see it.
bool ChartView::mousePressed(const QMouseEvent& event)
{
    Private& d = *m_private;
    setFocus(Qt::MouseFocusReason);
    const QString key = d.runAt(event.pos());
    if (!key.isEmpty() && event.button() == Qt::LeftButton) {
        Q_EMIT seriesToggleRequested(key);
        return true;
    }
    // Left drags, Shift and left (or right) draws a rectangle to zoom into.
    const bool zooms = event.button() == Qt::RightButton || event.modifiers().testFlag(Qt::ShiftModifier);
    d.plot->setSelectionRectMode(zooms ? QCP::srmZoom : QCP::srmNone);
    return false;
}

void ChartView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        m_private->setColors();
        m_private->apply();
    }
    QWidget::changeEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    QCPAxis* x = m_private->plot->xAxis;
    QCPAxis* y = m_private->plot->yAxis;
    switch (event->key()) {
    case Qt::Key_Left:
        x->moveRange(-x->range().size() * KeyPan);
        break;
    case Qt::Key_Right:
        x->moveRange(x->range().size() * KeyPan);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        // On a logarithmic axis a step is a factor.
        const int sign = event->key() == Qt::Key_Up ? 1 : -1;
        if (y->scaleType() == QCPAxis::stLogarithmic) {
            const double factor = std::pow(y->range().upper / y->range().lower, sign * KeyPan);
            y->setRange(y->range().lower * factor, y->range().upper * factor);
        } else {
            y->moveRange(sign * y->range().size() * KeyPan);
        }
        break;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        x->scaleRange(KeyZoom);
        break;
    case Qt::Key_Minus:
        x->scaleRange(1.0 / KeyZoom);
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        showAll();
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    m_private->plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace lockstep::ui
