#include "ui/charts/chart_view.h"

#include "ui/charts/chart_painter.h"
#include "ui/charts/read_out.h"

#include "ui/charts/qcp.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace lockstep::ui {

class ChartView::Private {
public:
    explicit Private(QWidget* owner)
        : plot(new QCustomPlot(owner))
        , painter(*plot)
        , empty(new QLabel(plot))
        , reading(new QLabel(plot))
    { }

    void setColors();
    void moveReading(const QPoint& at);

    QCustomPlot* plot;
    ChartPainter painter;
    QLabel* empty;
    QLabel* reading;
    ChartSpec chart;
    ChartTheme theme = lightTheme();
    bool isZoomed = false;
    bool isOurs = false; ///< a range is being set by the chart, not by the user
};

void ChartView::Private::setColors()
{
    painter.setStyle({theme, plot->font(), 1.0});
    empty->setStyleSheet(QStringLiteral("color:%1; background:transparent").arg(theme.dimText.name()));
    reading->setStyleSheet(
        QStringLiteral("color:%1; background:%2; border:1px solid %3; border-radius:3px; padding:4px")
            .arg(theme.text.name(), theme.background.name(), theme.grid.name()));
}

void ChartView::Private::moveReading(const QPoint& at)
{
    const QRect area = plot->axisRect()->rect();
    const double x = plot->xAxis->pixelToCoord(at.x());
    const QString text = area.contains(at) ? readOut(chart, x) : QString();
    reading->setVisible(!text.isEmpty());
    if (text.isEmpty()) {
        return;
    }
    reading->setText(text);
    reading->adjustSize();
    QPoint place = at + QPoint(16, 12);
    if (place.x() + reading->width() > plot->width()) {
        place.setX(at.x() - 16 - reading->width());
    }
    place.setY(std::clamp(place.y(), 0, std::max(0, plot->height() - reading->height())));
    reading->move(place);
}

ChartView::ChartView(QWidget* parent)
    : QWidget(parent)
    , m_private(std::make_unique<Private>(this))
{
    QCustomPlot* plot = m_private->plot;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot);
    plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->setMouseTracking(true);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(nullptr);
    m_private->empty->setAlignment(Qt::AlignCenter);
    m_private->reading->setTextFormat(Qt::RichText);
    m_private->reading->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_private->empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_private->reading->hide();
    m_private->setColors();
    connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
        if (!m_private->isOurs) {
            m_private->isZoomed = true;
            Q_EMIT viewChanged(range.lower, range.upper, m_private->plot->axisRect()->width());
        }
    });
    connect(plot->yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
        [this](const QCPRange&) { m_private->isZoomed = m_private->isZoomed || !m_private->isOurs; });
    connect(plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { m_private->moveReading(event->pos()); });
    connect(plot, &QCustomPlot::mouseDoubleClick, this, &ChartView::showAll);
    connect(plot, &QCustomPlot::legendClick, this, [this](QCPLegend*, QCPAbstractLegendItem* item, QMouseEvent*) {
        if (const QString key = m_private->painter.keyOf(item); !key.isEmpty()) {
            Q_EMIT seriesToggleRequested(key);
        }
    });
}

ChartView::~ChartView() = default;

void ChartView::setChart(ChartSpec chart)
{
    Private& d = *m_private;
    d.chart = std::move(chart);
    d.isOurs = true;
    d.painter.setChart(d.chart, d.isZoomed ? ChartPainter::Ranges::Keep : ChartPainter::Ranges::Fit);
    d.isOurs = false;
    d.empty->setVisible(d.chart.series.empty());
    d.empty->setText(d.chart.emptyText);
    setAccessibleName(d.chart.title);
    d.plot->replot(QCustomPlot::rpQueuedReplot);
}

const ChartSpec& ChartView::chart() const
{
    return m_private->chart;
}

void ChartView::setTheme(const ChartTheme& theme)
{
    m_private->theme = theme;
    m_private->setColors();
    setChart(m_private->chart);
}

double ChartView::lastReplotMs() const
{
    return m_private->plot->replotTime();
}

bool ChartView::isZoomed() const
{
    return m_private->isZoomed;
}

void ChartView::showAll()
{
    m_private->isZoomed = false;
    Q_EMIT viewChanged(0.0, 0.0, m_private->plot->axisRect()->width());
    setChart(m_private->chart);
}

bool ChartView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_private->plot && event->type() == QEvent::Leave) {
        m_private->reading->hide();
    }
    if (watched == m_private->plot && event->type() == QEvent::Resize) {
        m_private->empty->setGeometry(m_private->plot->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void ChartView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        m_private->setColors();
        setChart(m_private->chart);
    }
    QWidget::changeEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    QCPAxis* x = m_private->plot->xAxis;
    const double tenth = x->range().size() / 10.0;
    switch (event->key()) {
    case Qt::Key_Left:
        x->moveRange(-tenth);
        break;
    case Qt::Key_Right:
        x->moveRange(tenth);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        x->scaleRange(0.8);
        break;
    case Qt::Key_Minus:
        x->scaleRange(1.25);
        break;
    case Qt::Key_0:
        showAll();
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    m_private->plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace lockstep::ui
