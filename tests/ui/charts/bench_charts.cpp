// The cost of charts: prints figures, and fails if they miss the targets by a factor that no busy machine explains.
#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"

#include <QTest>

#include <algorithm>
#include <ctime>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// CPU time of this thread: what else the machine does is not counted.
double cpuMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

ui::ChartSpec noisyChart(double width, std::size_t points)
{
    ui::ChartSpec chart;
    chart.id = QStringLiteral("noise");
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0.0, 1.0);
    const auto& colors = ui::variantColors(ui::PaletteName::Vibrant);
    for (int curve = 0; curve < 8; ++curve) {
        ui::SeriesSpec series;
        series.key = QStringLiteral("run%1/loss").arg(curve);
        series.name = QStringLiteral("run %1").arg(curve);
        series.color = colors[static_cast<std::size_t>(curve) % colors.size()];
        series.width = width;
        for (std::size_t i = 0; i < points; ++i) {
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(static_cast<double>(curve) + noise(random));
        }
        series.total = points;
        chart.series.push_back(std::move(series));
    }
    return chart;
}

} // namespace

class BenchCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replotOfNoise_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("points");
        for (const double width : {1.0, 1.5, 2.0, 4.0}) {
            QTest::addRow("8 x 10,000, width %.1f", width) << width << 10'000;
        }
        QTest::addRow("8 x 1,000, width 2") << 2.0 << 1'000;
    }

    void replotOfNoise()
    {
        QFETCH(double, width);
        QFETCH(int, points);
        ui::ChartView view;
        view.resize(1000, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const ui::ChartSpec chart = noisyChart(width, static_cast<std::size_t>(points));
        std::vector<double> times;
        for (int i = 0; i < 9; ++i) {
            view.setChart(chart);
            const double begin = cpuMs();
            QCoreApplication::processEvents();
            times.push_back(cpuMs() - begin);
        }
        qInfo("replot of %s: %.1f ms", QTest::currentDataTag(), median(times));
        QVERIFY2(median(times) < 40.0, "a replot of 8 noisy curves of 10,000 points is to take 20 ms");
    }

    /// 16 runs of 60,000 steps, 33 new steps each a tick: what a tick of the loss chart costs.
    void liveTick_data()
    {
        QTest::addColumn<double>("smoothing");
        QTest::addRow("raw") << 0.0;
        QTest::addRow("raw and smoothed") << 0.6;
    }

    void liveTick()
    {
        QFETCH(double, smoothing);
        std::vector<std::unique_ptr<SampleRun>> runs;
        for (int i = 0; i < 16; ++i) {
            runs.push_back(std::make_unique<SampleRun>("run " + std::to_string(i), i, 60'000));
            runs.back()->addNoisySteps(50'000, 20'000.0, 0.1 + 0.05 * i);
        }
        ui::ChartModel model(*ui::findChart(u"loss"));
        ui::ChartOptions options;
        options.smoothing = smoothing;
        model.setOptions(options);
        model.setFeeds(feedsOf(runs));
        ui::ChartView view;
        view.resize(800, 420);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setChart(model.chart({0.0, 0.0, 800}));
        QCoreApplication::processEvents();
        std::vector<double> feedMs;
        std::vector<double> modelMs;
        std::vector<double> viewMs;
        for (int tick = 0; tick < 25; ++tick) {
            const double begin = cpuMs();
            for (const auto& run : runs) {
                run->addNoisySteps(33, 20'000.0, 0.1);
            }
            const double fed = cpuMs();
            ui::ChartSpec chart = model.chart({0.0, 0.0, 800});
            const double made = cpuMs();
            view.setChart(std::move(chart));
            QCoreApplication::processEvents();
            feedMs.push_back(fed - begin);
            modelMs.push_back(made - fed);
            viewMs.push_back(cpuMs() - made);
        }
        qInfo("a tick with 16 runs, %s: feeds %.2f ms, model %.2f ms, view %.1f ms", QTest::currentDataTag(),
            median(feedMs), median(modelMs), median(viewMs));
        QVERIFY2(median(feedMs) + median(modelMs) + median(viewMs) < 66.0, "15 redraws a second take more than a core");
    }
};

LOCKSTEP_WINDOW_TEST(BenchCharts)
#include "bench_charts.moc"
