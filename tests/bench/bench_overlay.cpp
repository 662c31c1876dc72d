// bench_overlay [runs] [steps] [folder]: stored runs of many steps (100 of 100,000), all drawn over each other in the
// window at 1280x800, smoothed and raw. Prints the time until all of them are drawn, frames a second while the chart is
// moved and zoomed with keys, memory a point, and when the rows behind the curves have been read as well. Fails above
// 2 s and 64 bytes and below 30 frames. With `folder` the store is made there once and kept for the next time.
#include "session/store/run_store.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/qcp.h"
#include "ui/shell/window_fixture.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <malloc.h>
#include <random>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr std::int64_t BatchRows = 500;

/// Noisy losses that fall, each run with another learning rate.
void storeRun(session::RunStore& store, experiment::RunSpec spec, int number, std::int64_t steps)
{
    analysis::RunRecord run;
    run.id = makeRunId(1'795'000'000 + number, static_cast<std::uint32_t>(number));
    spec.name = "lr " + std::to_string(number);
    spec.settings["optimizer.lr"] = 0.001 * (1 + number);
    run.spec = std::move(spec);
    run.createdNs = (1'795'000'000LL + number) * 1'000'000'000;
    run.summary.steps = steps;
    auto writer = store.create(run);
    session::Delta start;
    wire::Hello hello;
    hello.worldSize = 1;
    start.hellos.push_back({0, hello});
    wire::Prepared facts;
    facts.trainSamples = 60'000;
    facts.stepsPerEpoch = 1000;
    facts.totalSteps = steps;
    start.prepared.push_back({0, facts});
    bool isStored = writer.isOk() && (*writer)->add(start).isOk();
    std::mt19937 random(static_cast<unsigned>(number));
    std::normal_distribution<double> noise(0.0, 0.1);
    for (std::int64_t first = 1; first <= steps; first += BatchRows) {
        session::Delta delta;
        wire::StepBatch& batch = delta.steps.emplace_back().what;
        for (std::int64_t step = first; step < std::min(first + BatchRows, steps + 1); ++step) {
            StepRow row{
                .step = step, .endNs = step * 1'000'000, .wallNs = 1'000'000, .samples = step * 60, .batch = 60};
            row.loss = (1.0 + 0.01 * number) / std::sqrt(1.0 + 0.001 * double(step)) * std::exp(noise(random));
            row.phaseNs.fill(100'000);
            batch.rows.push_back(row);
        }
        isStored = isStored && (*writer)->add(delta).isOk();
    }
    if (!isStored || !(*writer)->finish(analysis::RunStatus::Finished, "", run.summary)) {
        std::fprintf(stderr, "bench_overlay: the store cannot be written\n");
        std::exit(2);
    }
}

std::size_t heapBytes()
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

bool waitFor(const std::function<bool()>& isDone, int atMostMs)
{
    QElapsedTimer clock;
    clock.start();
    while (!isDone() && !clock.hasExpired(atMostMs)) {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
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

struct Frames {
    double perSecond = 0.0;
    double slowestMs = 0.0;
};

/// A frame: from the key until the chart is drawn with the points of its new window.
Frames framesOf(ui::ChartView& view, const std::vector<Qt::Key>& keys, int rounds)
{
    int painted = 0;
    QObject counter;
    QObject::connect(view.findChild<QCustomPlot*>(), &QCustomPlot::afterReplot, &counter, [&] { ++painted; });
    QTest::keyClick(&view, Qt::Key_0);
    waitFor([&] { return painted > 0 && !view.isZoomed(); }, 1000);
    waitFor([] { return false; }, 100);
    Frames frames;
    int count = 0;
    QElapsedTimer whole;
    whole.start();
    for (int round = 0; round < rounds; ++round) {
        for (const Qt::Key key : keys) {
            QElapsedTimer frame;
            frame.start();
            const std::vector<double> before = view.chart().series.back().x;
            QTest::keyClick(&view, key);
            waitFor([&] { return view.chart().series.back().x != before; }, 1000);
            painted = 0;
            waitFor([&] { return painted > 0; }, 1000);
            frames.slowestMs = std::max(frames.slowestMs, static_cast<double>(frame.nsecsElapsed()) / 1e6);
            ++count;
        }
    }
    frames.perSecond = count / (static_cast<double>(whole.nsecsElapsed()) / 1e9);
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
    const Frames zoom = framesOf(view, {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Minus}, 8);
    const Frames pan = framesOf(view, {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left}, 10);
    std::printf("%s: slowest frame of zooming %.0f ms, of moving %.0f ms\n", when, zoom.slowestMs, pan.slowestMs);
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
    {
        const auto store = session::RunStore::open(folder);
        auto spec = experiment::preset("optimizers");
        spec->repeats = 1;
        for (int i = (*store)->list().empty() ? 0 : runs; i < runs; ++i) {
            storeRun(**store, experiment::expand(*spec)->at(1), i, steps);
        }
    }
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
    isFast = showsFrames("while their rows are read", *view) && isFast && isDrawn;
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
