// bench_overlay [runs] [steps] [folder]: stored runs of many steps (100 of 100,000), all drawn over each other in the
// window at 1280x800, smoothed and raw. Prints the time until all of them are drawn, frames a second while the chart is
// moved and zoomed with keys, memory a point, and when the rows behind the curves have been read as well. Fails above
// 2 s and 64 bytes and below 30 frames. With `folder` the store is made there once and kept for the next time.
#include "base/clock.h"
#include "bench/long_runs.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/qcp.h"
#include "ui/shell/window_fixture.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <malloc.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

std::size_t heapBytes()
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

bool waitFor(const std::function<bool()>& isDone, int atMostMs)
{
    QElapsedTimer clock;
    clock.start();
    QTimer look; // sleeps in between: a loop that polls takes a core from the readers
    look.start(1);
    while (!isDone() && !clock.hasExpired(atMostMs)) {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return isDone();
}

/// Curves that have all their points, in the chart as it is drawn.
std::size_t wholeCurves(const ui::ChartView& view, std::int64_t steps)
{
    return static_cast<std::size_t>(std::ranges::count_if(view.chart().series, [steps](const ui::SeriesSpec& series) {
        return !series.name.isEmpty() && series.total == static_cast<std::size_t>(steps);
    }));
}

/// Those of them that are read and smoothed, and not only outlines.
std::size_t smoothedCurves(const ui::ChartView& view)
{
    return static_cast<std::size_t>(std::ranges::count_if(view.chart().series,
        [](const ui::SeriesSpec& series) { return series.key.endsWith(QStringLiteral("/loss-smoothed")); }));
}

struct Frames {
    double perSecond = 0.0;
    double slowestMs = 0.0;
    double processorMs = 0.0; ///< of this thread, mean
};

/// A frame: from the key until the chart is drawn with the points of its new window. `first`: keys before them.
Frames framesOf(ui::ChartView& view, const std::vector<Qt::Key>& first, const std::vector<Qt::Key>& keys, int rounds)
{
    std::vector<double> before;
    bool isNew = false;
    int draws = 0;
    QObject counter;
    QObject::connect(view.findChild<QCustomPlot*>(), &QCustomPlot::afterReplot, &counter, [&] {
        isNew = isNew || view.chart().series.back().x != before;
        ++draws;
    });
    QTest::keyClick(&view, Qt::Key_0);
    waitFor([&] { return draws > 0 && !view.isZoomed(); }, 1000);
    for (const Qt::Key key : first) {
        QTest::keyClick(&view, key);
    }
    waitFor([] { return false; }, 100);
    Frames frames;
    int count = 0;
    int missed = 0;
    draws = 0;
    const std::int64_t spentNs = threadProcessorNs();
    QElapsedTimer whole;
    whole.start();
    for (int round = 0; round < rounds; ++round) {
        for (const Qt::Key key : keys) {
            QElapsedTimer frame;
            frame.start();
            before = view.chart().series.back().x;
            isNew = false;
            QTest::keyClick(&view, key);
            missed += waitFor([&] { return isNew; }, 1000) ? 0 : 1;
            frames.slowestMs = std::max(frames.slowestMs, static_cast<double>(frame.nsecsElapsed()) / 1e6);
            ++count;
        }
    }
    frames.perSecond = count / (static_cast<double>(whole.nsecsElapsed()) / 1e9);
    frames.processorMs = static_cast<double>(threadProcessorNs() - spentNs) / 1e6 / count;
    if (missed > 0 || draws > 2 * count) {
        std::printf("%d of %d frames did not come, %d drawings\n", missed, count, draws);
    }
    return frames;
}

void printLoad()
{
    double load[3] = {};
    if (getloadavg(load, 3) == 3) {
        std::printf("load of the machine: %.1f %.1f %.1f\n", load[0], load[1], load[2]);
    }
}

bool isWithin(const char* what, double value, const char* unit, double limit, bool isAtLeast = false)
{
    std::printf("%-44s %8.1f %s, %s %.0f\n", what, value, unit, isAtLeast ? "at least" : "at most", limit);
    std::fflush(stdout);
    return isAtLeast ? value >= limit : value <= limit;
}

bool showsFrames(const char* when, ui::ChartView& view)
{
    const Frames zoom = framesOf(view, {}, {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Minus}, 8);
    // The middle third, so that there is something to move to.
    const std::vector<Qt::Key> middle(5, Qt::Key_Plus);
    const Frames pan = framesOf(view, middle, {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left}, 10);
    std::printf("%s: slowest frame of zooming %.0f ms, of moving %.0f ms; processor time a frame %.0f and %.0f ms\n",
        when, zoom.slowestMs, pan.slowestMs, zoom.processorMs, pan.processorMs);
    const bool isFast = isWithin("  frames while zooming", zoom.perSecond, "a second", 30, true);
    return isWithin("  frames while moving", pan.perSecond, "a second", 30, true) && isFast;
}

} // namespace

int main(int argc, char** argv)
{
    const int runs = argc > 1 ? std::atoi(argv[1]) : 100;
    const std::int64_t steps = argc > 2 ? std::atoll(argv[2]) : 100'000;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir settings;
    isolate(settings);
    const QApplication application(argc, argv);
    QTemporaryDir temporary;
    const QString folder = argc > 3 ? QString::fromLocal8Bit(argv[3]) : temporary.path();
    bench::storeLongRuns(folder, runs, steps);
    printLoad();
    const auto window = openWindow(folder);
    waitFor([&] { return window->controller().table().rowCount() == runs; }, 20'000);
    auto* view = window->tabs().widget(0)->findChild<ui::ChartView*>();
    const std::size_t before = heapBytes();
    QElapsedTimer clock;
    clock.start();
    for (int row = 0; row < runs; ++row) {
        window->controller().showRun(window->controller().table().idAt(row));
    }
    const bool isDrawn = waitFor([&] { return wholeCurves(*view, steps) == static_cast<std::size_t>(runs); }, 120'000);
    QApplication::processEvents();
    view->repaint();
    bool isFast = isWithin("until all curves are drawn", static_cast<double>(clock.nsecsElapsed()) / 1e9, "s", 2);
    const double drawn = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    isFast = showsFrames("while they are read", *view) && isFast && isDrawn;
    QTest::keyClick(view, Qt::Key_0);
    const bool isSmooth = waitFor([&] { return smoothedCurves(*view) == static_cast<std::size_t>(runs); }, 120'000);
    std::printf("%-44s %8.1f s (frames were counted from %.1f s on)\n", "until all are smoothed",
        static_cast<double>(clock.nsecsElapsed()) / 1e9, drawn);
    isFast = isFast && isSmooth;
    const auto isRead = [&] {
        return std::ranges::all_of(window->controller().feeds(),
            [&](const ui::RunFeed* feed) { return !feed->ranks().empty() && feed->ranks().front().step == steps; });
    };
    const bool isWhole = waitFor(isRead, 300'000);
    std::printf("%-44s %8.1f s\n", "until all rows are read", static_cast<double>(clock.nsecsElapsed()) / 1e9);
    waitFor([] { return false; }, 300);
    isFast = showsFrames("afterwards", *view) && isFast;
    const double points = static_cast<double>(runs) * static_cast<double>(steps);
    isFast = isWithin("memory a point", static_cast<double>(heapBytes() - before) / points, "bytes", 64) && isFast;
    printLoad();
    return isFast && isWhole ? 0 : 1;
}
