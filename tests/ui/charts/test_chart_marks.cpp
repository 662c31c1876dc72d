// Names, events and markers in charts: nothing collides, is cut off, or promised and not drawn.
#include "program/window_test.h"
#include "ui/charts/axis_names.h"
#include "ui/charts/axis_tickers.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/qcp.h"
#include "ui/charts/read_out.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace lockstep;

namespace {

QCustomPlot* plotIn(const QWidget& widget)
{
    return widget.findChild<QCustomPlot*>();
}

ui::ChartSpec barsNamed(const QStringList& names)
{
    ui::ChartSpec chart;
    ui::SeriesSpec bars;
    bars.key = QStringLiteral("bars");
    bars.style = ui::SeriesStyle::Bars;
    for (const QString& name : names) {
        bars.x.push_back(double(chart.x.categories.size()));
        bars.y.push_back(1.0);
        chart.x.categories.push_back(name);
    }
    chart.y.minimum = 0.0;
    chart.series = {bars};
    return chart;
}

/// From the lower left to the upper right.
ui::ChartSpec diagonal(int marker = 0)
{
    ui::ChartSpec chart;
    ui::SeriesSpec line;
    line.key = QStringLiteral("line");
    line.name = QStringLiteral("line");
    line.color = QColor(0, 0, 200);
    line.style = ui::SeriesStyle::Line;
    line.width = 2.0;
    line.marker = marker;
    for (int i = 0; i <= 1000; ++i) {
        line.x.push_back(i);
        line.y.push_back(0.37 * i);
    }
    line.total = line.x.size();
    chart.series = {line};
    return chart;
}

} // namespace

class TestChartMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Nobody runs two and a half ranks.
    void ranksAreWholeNumbers()
    {
        for (const ui::Scale scale : {ui::Scale::Linear, ui::Scale::Log}) {
            for (const int base : {2, 10}) {
                ui::AxisSpec axis;
                axis.scale = scale;
                axis.base = base;
                axis.isCount = true;
                for (const double high : {2.2, 3.0, 4.1, 8.0, 16.0, 64.0}) {
                    QVector<double> ticks;
                    ui::tickerOf(axis)->generate(QCPRange(0.9, high), QLocale::c(), u'g', 6, ticks, nullptr, nullptr);
                    ticks.removeIf([&](double tick) { return tick < 0.9 || tick > high; });
                    QVERIFY(!ticks.isEmpty());
                    for (const double tick : ticks) {
                        QCOMPARE(tick, std::round(tick));
                    }
                }
            }
        }
    }

    void init()
    { // The offscreen platform complains about every window; nothing else may be said.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    /// Defects 13 and 26: names that would touch each other are slanted, short ones stay upright.
    void namesDoNotCollide()
    {
        ui::ChartView view;
        show(view, barsNamed({QStringLiteral("Ring"), QStringLiteral("Tree"), QStringLiteral("Sum")}));
        QCOMPARE(plotIn(view)->xAxis->tickLabelRotation(), 0.0);
        QStringList names;
        for (int i = 0; i < 14; ++i) {
            names << QStringLiteral("Recursivedoubling%1").arg(i);
        }
        show(view, barsNamed(names));
        QVERIFY(plotIn(view)->xAxis->tickLabelRotation() != 0.0);
    }

    /// Nor do slanted ones: the nearer they are, the steeper.
    void slantedNamesDoNotTouch()
    {
        const QFontMetricsF metrics(qApp->font());
        const std::vector<QString> names(20, QStringLiteral("All-reduce, rank 1 +5 ms"));
        QCOMPARE(ui::slantOf({QStringLiteral("A"), QStringLiteral("B")}, 100.0, metrics), 0.0);
        for (const double slot : {1.2, 1.5, 3.0}) { // in heights of a line
            const double slant = ui::slantOf(names, slot * metrics.height(), metrics);
            QVERIFY2(slot * std::sin(slant) > 0.999, qPrintable(QString::number(slot)));
        }
        QVERIFY(
            ui::slantOf(names, 3.0 * metrics.height(), metrics) < ui::slantOf(names, 1.2 * metrics.height(), metrics));
    }

    void numbersAboveBarsDoNotCollide()
    {
        QStringList names;
        for (int i = 0; i < 14; ++i) {
            names << QStringLiteral("A%1").arg(i);
        }
        ui::ChartSpec chart = barsNamed(names);
        chart.labelsParts = true;
        chart.series.front().style = ui::SeriesStyle::StackedBars;
        chart.series.push_back(chart.series.front());
        chart.series.back().key = QStringLiteral("more");
        for (std::size_t i = 0; i < 14; ++i) {
            chart.series.front().y[i] = 1.234 + 0.01 * double(i % 3);
            chart.series.back().y[i] = 1002.5;
        }
        ui::ChartView view;
        show(view, chart);
        view.resize(520, 420);
        QCustomPlot* plot = plotIn(view);
        plot->replot();
        std::vector<QRectF> places;
        for (int i = 0; i < plot->itemCount(); ++i) {
            if (const auto* text = qobject_cast<const QCPItemText*>(plot->item(i));
                text && text->text().contains(u'+')) {
                QRectF place = QFontMetricsF(text->font()).boundingRect(QRectF(), Qt::AlignCenter, text->text());
                place.moveCenter(text->position->pixelPosition());
                place.moveBottom(text->position->pixelPosition().y() - text->padding().bottom());
                places.push_back(place);
            }
        }
        QCOMPARE(places.size(), std::size_t(14));
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                QVERIFY2(!places[i].intersects(places[j]), qPrintable(QStringLiteral("%1 and %2").arg(j).arg(i)));
            }
        }
    }

    /// Defect 17: the whole text of an event is within the chart, wherever it is, also after zooming.
    void eventsAreNotCut()
    {
        ui::ChartSpec chart = diagonal();
        for (const double x : {3.0, 400.0, 600.0, 997.0}) {
            chart.marks.push_back({x, QStringLiteral("parameter server resumed")});
        }
        ui::ChartView view;
        show(view, chart);
        QCustomPlot* plot = plotIn(view);
        QCOMPARE(cutMarks(*plot), QStringList());
        plot->xAxis->setRange(380.0, 402.0); // the second event is at the right edge now
        plot->replot();
        QCOMPARE(cutMarks(*plot), QStringList());
        plot->xAxis->setRange(398.0, 420.0);
        plot->replot();
        QCOMPARE(cutMarks(*plot), QStringList());
    }

    /// Defect 28: a slanted curve has soft edges on screen, not stairs.
    void curvesAreSmoothOnScreen()
    {
        ui::ChartView view;
        show(view, diagonal());
        const QCustomPlot* plot = plotIn(view);
        const QImage image = view.grab().toImage();
        const QRect frame = plot->axisRect()->rect();
        std::set<QRgb> shades; // of the line, between its colour and the background
        for (int x = frame.left() + frame.width() / 4; x < frame.center().x(); ++x) {
            for (int y = frame.top(); y < frame.bottom(); ++y) {
                const QColor color = image.pixelColor(x, y);
                if (color.blue() - color.red() > 20) {
                    shades.insert(color.rgb());
                }
            }
        }
        QVERIFY2(shades.size() > 5, qPrintable(QString::number(shades.size())));
    }

    /// Defect 28: the legend has the markers that curves are drawn with, and no others.
    void theLegendHasTheCurvesMarkers()
    {
        ui::ChartView view;
        show(view, diagonal(1));
        const QImage square = view.grab().toImage();
        show(view, diagonal(2));
        QVERIFY(view.grab().toImage() == square); // on screen lines have none, neither has the legend
        ui::ChartSpec marked = diagonal(1);
        marked.series.front().style = ui::SeriesStyle::LineAndMarkers;
        show(view, marked);
        QVERIFY(legendOf(view) != legendOf(square, view));
    }

private:
    static void show(ui::ChartView& view, const ui::ChartSpec& chart)
    {
        view.resize(700, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setChart(chart);
        QTest::qWait(30);
        plotIn(view)->replot();
    }

    static QStringList cutMarks(const QCustomPlot& plot)
    {
        QStringList cut;
        int shown = 0;
        for (int i = 0; i < plot.itemCount(); ++i) {
            const auto* text = qobject_cast<const QCPItemText*>(plot.item(i));
            if (text == nullptr) {
                continue;
            }
            const QRectF rect(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
            const double x = text->position->key();
            const bool isShown = plot.xAxis->range().contains(x);
            shown += isShown ? 1 : 0;
            if (isShown && (rect.left() < plot.axisRect()->left() || rect.right() > plot.axisRect()->right() + 1)) {
                cut << QStringLiteral("%1 at %2").arg(text->text()).arg(x);
            }
        }
        if (shown == 0) {
            cut << QStringLiteral("no event is in view");
        }
        return cut;
    }

    static QImage legendOf(const QImage& image, const ui::ChartView& view)
    {
        return image.copy(plotIn(view)->plotLayout()->element(0, 0)->rect());
    }
    static QImage legendOf(ui::ChartView& view) { return legendOf(view.grab().toImage(), view); }
};

LOCKSTEP_WINDOW_TEST(TestChartMarks)
#include "test_chart_marks.moc"
