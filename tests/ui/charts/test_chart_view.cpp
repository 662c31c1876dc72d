#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/read_out.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"
#include "ui/pages/charts/chart_panel.h"

#include <QAction>
#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace lockstep;
using namespace lockstep::test;

namespace {

QCustomPlot* plotOf(const QWidget& widget)
{
    return widget.findChild<QCustomPlot*>();
}

void keep(QWidget& widget, const char* name)
{
    QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
    QVERIFY(widget.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/") + QLatin1String(name)));
}

} // namespace

class TestChartView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("lockstep-tests"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }
    void init()
    { // The offscreen platform complains about every window; nothing else may be said.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void picturesOfPanels()
    {
        const auto runs = sampleRuns(625);
        for (const char16_t* id : {u"loss", u"accuracy", u"time"}) {
            ui::ChartModel model(*ui::findChart(id));
            model.setFeeds(feedsOf(runs));
            ui::ChartPanel panel(model);
            panel.resize(760, 420);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
            QCustomPlot* plot = plotOf(panel);
            QTRY_VERIFY(plot->plottableCount() > 0);
            const QString name = model.fullChart().id;
            QTest::mouseMove(plot, QPoint(420, 150));
            QTest::qWait(50);
            keep(panel, qPrintable(QStringLiteral("panel_%1_light.png").arg(name)));
            QPalette dark;
            dark.setColor(QPalette::Window, QColor(0x25, 0x28, 0x2d));
            dark.setColor(QPalette::WindowText, QColor(0xe4, 0xe6, 0xe9));
            dark.setColor(QPalette::Text, QColor(0xe4, 0xe6, 0xe9));
            dark.setColor(QPalette::ButtonText, QColor(0xe4, 0xe6, 0xe9));
            dark.setColor(QPalette::Button, QColor(0x31, 0x35, 0x3b));
            dark.setColor(QPalette::Base, QColor(0x17, 0x19, 0x1c));
            panel.setPalette(dark);
            panel.setTheme(ui::darkTheme());
            QTest::qWait(50);
            keep(panel, qPrintable(QStringLiteral("panel_%1_dark.png").arg(name)));
        }
    }

    void emptyChartSaysWhatToDo()
    {
        ui::ChartModel model(*ui::findChart(u"loss"));
        ui::ChartView view;
        view.resize(500, 300);
        view.show();
        view.setChart(model.chart({}));
        bool isSaid = false;
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            isSaid = isSaid || (label->isVisible() && label->text() == model.chart({}).emptyText);
        }
        QVERIFY(isSaid);
        QVERIFY(!plotOf(view)->xAxis->visible());
    }

    void zoomStaysWhileDataCome()
    {
        auto runs = sampleRuns(625);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartView view;
        view.resize(700, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setChart(model.chart({}));
        QTest::qWait(20);
        QCustomPlot* plot = plotOf(view);
        QVERIFY(plot->xAxis->range().upper >= 625.0);
        QSignalSpy views(&view, &ui::ChartView::viewChanged);
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.isZoomed());
        QCOMPARE(views.count(), 2);
        const QCPRange zoomed = plot->xAxis->range();
        QVERIFY(zoomed.size() < 600.0);
        runs[0]->addNoisySteps(500, 100, 0.1);
        view.setChart(model.chart({zoomed.lower, zoomed.upper, 600}));
        QCOMPARE(plot->xAxis->range(), zoomed);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(!view.isZoomed());
        view.setChart(model.chart({}));
        QVERIFY(plot->xAxis->range().upper >= 1125.0);
    }

    void mouseZoomsAndPans()
    {
        const auto runs = sampleRuns(625);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartView view;
        view.resize(700, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setChart(model.chart({}));
        QTest::qWait(20);
        QCustomPlot* plot = plotOf(view);
        const QCPRange all = plot->xAxis->range();
        const QPoint middle = plot->axisRect()->rect().center();
        QWheelEvent wheel(
            middle, plot->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plot, &wheel);
        QVERIFY(plot->xAxis->range().size() < all.size());
        QTest::mouseDClick(plot, Qt::LeftButton, Qt::NoModifier, middle);
        QCOMPARE(plot->xAxis->range(), all);
        // A rectangle drawn with Shift.
        QTest::mousePress(plot, Qt::LeftButton, Qt::ShiftModifier, middle);
        QTest::mouseMove(plot, middle + QPoint(60, 50));
        QTest::mouseRelease(plot, Qt::LeftButton, Qt::ShiftModifier, middle + QPoint(60, 50));
        QVERIFY(plot->xAxis->range().size() < all.size() / 4.0);
        QVERIFY(view.isZoomed());
    }

    /// Defect 13 of the window: neither drag, wheel nor key takes bars or the foot of their axis off the page.
    void barsStayOnThePage()
    {
        ui::ChartView view;
        view.resize(600, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ui::ChartSpec chart;
        chart.x.categories = {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        chart.y.minimum = 0.0;
        ui::SeriesSpec bars;
        bars.key = QStringLiteral("bars");
        bars.style = ui::SeriesStyle::Bars;
        bars.x = {0.0, 1.0, 2.0};
        bars.y = {1.0, 2.0, 3.0};
        chart.series = {bars};
        view.setChart(chart);
        QCustomPlot* plot = plotOf(view);
        QTest::qWait(30);
        const QCPRange x = plot->xAxis->range();
        const QPoint middle = plot->rect().center();
        QTest::mousePress(plot, Qt::LeftButton, {}, middle);
        QTest::mouseMove(plot, middle + QPoint(120, -120));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, middle + QPoint(120, -120));
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Down, Qt::Key_Plus, Qt::Key_Minus}) {
            QTest::keyClick(&view, key);
        }
        QCOMPARE(plot->xAxis->range(), x);
        QCOMPARE(plot->yAxis->range().lower, 0.0);
        QTest::keyClick(&view, Qt::Key_Up);
        QVERIFY(plot->yAxis->range().lower >= 0.0);
    }

    void legendTogglesRuns()
    {
        const auto runs = sampleRuns(625);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartPanel panel(model);
        panel.resize(700, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTRY_VERIFY(plotOf(panel)->plottableCount() == 6);
        QSignalSpy toggles(&panel, &ui::ChartPanel::seriesToggleRequested);
        connect(&panel, &ui::ChartPanel::seriesToggleRequested, &panel,
            [&] { runs[0]->feed->setVisible(!runs[0]->feed->isVisible()); });
        QCustomPlot* plot = plotOf(panel);
        plot->replot(); // lays out what the queued one has not yet
        const QRect strip = plot->plotLayout()->element(0, 0)->rect();
        const QPoint first(plot->axisRect()->left() + 10, strip.top() + 8);
        QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, first);
        QCOMPARE(toggles.count(), 1);
        QVERIFY(toggles.front().front().toString().startsWith(QString::fromStdString(runs[0]->feed->id().text)));
        QTRY_COMPARE(plot->plottableCount(), 4);
        QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, first);
        QCOMPARE(toggles.count(), 2);
        QTRY_COMPARE(plot->plottableCount(), 6);
    }

    void logAxisLeavesOutWhatIsNotPositive()
    {
        SampleRun run("SGD");
        run.addSteps(100, [](std::int64_t step) { return step == 50 ? 0.0 : step == 60 ? -1.0 : 0.5; });
        ui::ChartModel model(*ui::findChart(u"loss"));
        ui::ChartOptions options;
        options.smoothing = 0.0;
        options.yScale = ui::Scale::Log;
        model.setOptions(options);
        model.setFeeds({run.feed.get()});
        ui::ChartView view;
        view.resize(500, 300);
        view.show();
        view.setChart(model.chart({}));
        QTest::qWait(20);
        const auto* graph = plotOf(view)->graph(0);
        QVERIFY(std::isnan(graph->data()->at(49)->value));
        QVERIFY(std::isnan(graph->data()->at(59)->value));
        QVERIFY(plotOf(view)->yAxis->range().lower > 0.1);
    }

    void infinitiesDoNotBreakTheAxes()
    {
        SampleRun run("SGD");
        run.addSteps(100, [](std::int64_t step) {
            return step > 90 ? std::numeric_limits<double>::infinity() : 1.0 / static_cast<double>(step);
        });
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        ui::ChartView view;
        view.resize(500, 300);
        view.show();
        view.setChart(model.chart({}));
        QTest::qWait(20);
        QVERIFY(plotOf(view)->yAxis->range().upper < 1.2);
        QVERIFY(plotOf(view)->xAxis->range().upper < 110.0);
    }

    void readOutNamesTheNearestPoints()
    {
        const auto runs = sampleRuns(625);
        ui::ChartModel model(*ui::findChart(u"accuracy"));
        model.setFeeds(feedsOf(runs));
        const ui::ReadOut read = ui::readOut(model.fullChart(), 260.0);
        QCOMPARE(read.head, QStringLiteral("Step 250"));
        QCOMPARE(read.rows.size(), std::size_t{3});
        QCOMPARE(read.rows[0].name, QStringLiteral("GD"));
        QCOMPARE(read.rows[0].value, QStringLiteral("87.0 %"));
    }

    void readOutLeavesOutCurvesThatHaveEnded()
    {
        SampleRun brief("GD");
        brief.addSteps(50, [](std::int64_t) { return 0.4; });
        SampleRun whole("SGD", 1);
        whole.addSteps(600, [](std::int64_t) { return 0.2; });
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({brief.feed.get(), whole.feed.get()});
        const ui::ChartSpec chart = model.fullChart();
        QCOMPARE(ui::readOut(chart, 40.0).rows.size(), std::size_t{2});
        const ui::ReadOut later = ui::readOut(chart, 300.0);
        QCOMPARE(later.rows.size(), std::size_t{1});
        QCOMPARE(later.rows[0].name, QStringLiteral("SGD"));
        QCOMPARE(ui::readOut(chart, 5000.0).rows.size(), std::size_t{2});
    }

    /// Forty curves: as many as fit, the nearest to the mouse among them, between the ends of the axes.
    void readOutListsWhatFits()
    {
        ui::ChartSpec chart;
        for (int i = 0; i < 40; ++i) {
            ui::SeriesSpec series;
            series.key = QString::number(i);
            series.name = QStringLiteral("run %1").arg(i);
            series.x = {1.0, 2.0, 3.0};
            series.y = {double(i), double(i), double(i)};
            chart.series.push_back(series);
        }
        ui::ChartView view;
        view.resize(760, 420);
        view.show();
        view.setChart(chart);
        QTest::qWait(30);
        QCustomPlot* plot = plotOf(view);
        const QPoint mouse(
            static_cast<int>(plot->xAxis->coordToPixel(2.0)), static_cast<int>(plot->yAxis->coordToPixel(20.0)));
        QTest::mouseMove(plot, mouse);
        QTest::qWait(30);
        const auto* sheet = plot->findChild<ui::ReadOutSheet*>();
        const std::size_t listed = sheet->shown().rows.size();
        QVERIFY(listed > 5 && listed < 40);
        QCOMPARE(sheet->left(), 40 - listed);
        for (const auto& row : sheet->shown().rows) {
            QVERIFY2(std::abs(row.y - 20.0) <= static_cast<double>(listed) / 2.0 + 1.0, qPrintable(row.name));
        }
        const int line = QFontMetrics(sheet->font()).height() + 1;
        QVERIFY(static_cast<int>(listed + 2) * line <= plot->axisRect()->height());
        keep(view, "read_out_of_40.png");
    }

    /// What is moved by hand is drawn once, with the points of where it is then.
    void aMovedChartIsDrawnOnce()
    {
        SampleRun run("SGD", 0, 60'000);
        run.addNoisySteps(60'000, 20'000.0, 0.1);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        ui::ChartPanel panel(model);
        panel.resize(760, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<ui::ChartView*>();
        QTRY_VERIFY(!view->chart().series.empty());
        QTest::qWait(100);
        for (const Qt::Key key : {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Right, Qt::Key_Minus}) {
            const std::vector<double> before = view->chart().series.back().x;
            int drawings = 0;
            int stale = 0;
            QObject counter;
            connect(plotOf(panel), &QCustomPlot::afterReplot, &counter, [&] {
                ++drawings;
                stale += view->chart().series.back().x == before ? 1 : 0;
            });
            QTest::keyClick(view, key);
            QTest::qWait(100);
            QCOMPARE(drawings, 1);
            QCOMPARE(stale, 0);
        }
    }

    /// Names at the ends of curves take room beside the axes, and none where there are too many.
    void curvesAreNamedAtTheirEnds()
    {
        const auto runs = sampleRuns(625);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartView view;
        view.resize(760, 420);
        view.show();
        const auto marginOf = [&](const ui::ChartSpec& chart) {
            view.setChart(chart);
            QTest::qWait(30);
            return view.width() - plotOf(view)->axisRect()->right();
        };
        ui::ChartSpec chart = model.chart({});
        QVERIFY(chart.namesLineEnds);
        const int named = marginOf(chart);
        keep(view, "line_ends.png");
        QVERIFY(named >= view.fontMetrics().horizontalAdvance(QStringLiteral("Adam")));
        ui::ChartOptions options = model.options();
        options.namesLineEnds = false;
        model.setOptions(options);
        const int bare = marginOf(model.chart({}));
        QVERIFY(bare < named);
        for (int i = 0; i < 20; ++i) {
            chart.series.push_back(chart.series.back());
            chart.series.back().key = QString::number(i);
        }
        QCOMPARE(marginOf(chart), bare);
    }

    /// No line leads to the name of a curve that has just begun, which would look like a curve.
    void aYoungCurveIsNamedAtItsEnd()
    {
        ui::ChartSpec chart;
        chart.namesLineEnds = true;
        for (const int steps : {100, 2}) {
            ui::SeriesSpec line;
            line.key = line.name = QString::number(steps);
            line.color = steps == 100 ? Qt::red : Qt::blue;
            for (int i = 0; i < steps; ++i) {
                line.x.push_back(i);
                line.y.push_back(steps + 0.1 * i);
            }
            chart.series.push_back(line);
        }
        ui::ChartView view;
        view.resize(760, 420);
        view.show();
        view.setChart(chart);
        QTest::qWait(30);
        const QRect axes = plotOf(view)->axisRect()->rect();
        const QImage picture = plotOf(view)->toPixmap().toImage();
        int leftmost = axes.right();
        int rightmost = 0;
        for (int x = axes.left(); x < picture.width(); ++x) {
            for (int y = axes.top(); y < axes.bottom(); ++y) {
                const QColor here(picture.pixel(x, y));
                if (here.blue() > here.red() + 60) {
                    leftmost = std::min(leftmost, x);
                    rightmost = std::max(rightmost, x);
                }
            }
        }
        QVERIFY2(leftmost < axes.left() + 30, qPrintable(QString::number(leftmost)));
        const int name = view.fontMetrics().horizontalAdvance(QStringLiteral("2"));
        QVERIFY2(rightmost > leftmost + name / 2, qPrintable(QString::number(rightmost)));
        QVERIFY2(rightmost < leftmost + 40, qPrintable(QString::number(rightmost)));
        keep(view, "line_end_young.png");
    }

    void rawTracesAndTimeAxisAreSwitched()
    {
        const auto runs = sampleRuns(625);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartPanel panel(model);
        panel.resize(760, 420);
        panel.show();
        QTRY_VERIFY(plotOf(panel)->plottableCount() == 6);
        const auto entry = [&panel](const char* text) {
            const QList<QAction*> actions = panel.findChildren<QAction*>();
            const auto found = std::ranges::find_if(
                actions, [text](const QAction* action) { return action->text() == QLatin1String(text); });
            return found == actions.end() ? nullptr : *found;
        };
        entry("Raw values behind the smoothed ones")->trigger();
        QTRY_VERIFY(plotOf(panel)->plottableCount() == 3);
        entry("Logarithmic horizontal axis")->trigger();
        QTRY_COMPARE(plotOf(panel)->xAxis->scaleType(), QCPAxis::stLogarithmic);
        QVERIFY(plotOf(panel)->xAxis->range().lower > 0.5);
        QTest::qWait(60);
        keep(panel, "panel_log_time.png");
        ui::ChartModel again(*ui::findChart(u"loss"));
        const ui::ChartPanel restored(again);
        QVERIFY(!again.options().showsRaw && again.options().xScale == ui::Scale::Log);
        entry("Raw values behind the smoothed ones")->trigger();
        entry("Logarithmic horizontal axis")->trigger();
    }

private:
    QTemporaryDir m_folder;
};

LOCKSTEP_WINDOW_TEST(TestChartView)
#include "test_chart_view.moc"
