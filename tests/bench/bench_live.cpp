// bench_live [curves] [seconds] [ranks]: the window over a run of many fake ranks that send 1,000 steps a second each.
// Prints redraws a second, the cores that this process used (window, session, sockets and store), memory a stored
// point, and whether every row was stored. `curves` above 1 adds `curves` - 1 finished runs to the live one, with
// smoothing, each as long as the live one will be.
#include "base/clock.h"
#include "store/run_store.h"
#include "ui/shell/window_fixture.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <malloc.h>
#include <sys/resource.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int StepsPerSecond = 1000;

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Counts the paintings of the chart on the tab that is shown.
class RedrawCounter : public QObject {
public:
    explicit RedrawCounter(const ui::MainWindow& window)
    {
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            if (widget->inherits("QCustomPlot")) {
                widget->installEventFilter(this);
            }
        }
    }
    int count = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
};

void spin(const std::function<bool()>& isDone)
{
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (isDone()) {
            loop.quit();
        }
    });
    look.start(50);
    loop.exec();
}

std::size_t pointsShown(ui::MainWindow& window)
{
    std::size_t points = 0;
    for (const ui::RunFeed* feed : window.controller().feeds()) {
        points += feed->loss().size();
    }
    return points;
}

std::size_t heapBytes()
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

std::vector<std::int64_t> storedRows(const QString& folder, const RunId& id, int ranks)
{
    std::vector<std::int64_t> rows(static_cast<std::size_t>(ranks));
    const auto store = store::RunStore::open(folder);
    const auto read = (*store)->replay(id, [&](const store::Delta& delta) {
        for (const auto& steps : delta.steps) {
            rows.at(static_cast<std::size_t>(steps.rank)) += static_cast<std::int64_t>(steps.what.size());
        }
        return true;
    });
    if (!read) {
        std::fprintf(stderr, "bench_live: %s\n", read.error().message.c_str());
    }
    return rows;
}

} // namespace

int main(int argc, char** argv)
{
    const int curves = argc > 1 ? std::atoi(argv[1]) : 1;
    const int seconds = argc > 2 ? std::atoi(argv[2]) : 60;
    const int ranks = argc > 3 ? std::atoi(argv[3]) : 16;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
    QTemporaryDir settings;
    isolate(settings);
    const QApplication application(argc, argv);
    QTemporaryDir store;
    launch::SessionOptions options;
    options.ranks = ranks; // more than the strategy needs: fakes do not mind
    const auto window = openWindow(store.path(), {1280, 800}, options);
    const auto isIdle = [&] { return !window->controller().isBusy(); };
    const int steps = seconds * StepsPerSecond;

    std::vector<RunId> finished;
    qputenv("LOCKSTEP_FAKE", "rate=0,steps=" + QByteArray::number(steps));
    for (int i = 1; i < curves; ++i) {
        window->controller().start({window->form().runs().at(1)});
        spin(isIdle);
        finished.push_back(window->controller().feeds().back()->id());
    }

    qputenv("LOCKSTEP_FAKE", "rate=" + QByteArray::number(StepsPerSecond) + ",steps=" + QByteArray::number(steps));
    RedrawCounter redraws(*window);
    window->controller().start({window->form().runs().at(1)});
    const RunId live = window->controller().feeds().back()->id();
    const std::size_t heapBefore = heapBytes();
    for (const RunId& id : finished) {
        window->controller().showRun(id);
    }
    const std::size_t otherPoints = finished.size() * static_cast<std::size_t>(steps);
    spin([&] { return window->controller().progress().done > 0.02 && pointsShown(*window) >= otherPoints; });
    const double cpuBefore = cpuSeconds();
    const int redrawsBefore = redraws.count;
    QElapsedTimer clock;
    clock.start();
    spin([&] { return window->controller().progress().done > 0.98 || isIdle(); });
    const double wall = static_cast<double>(clock.elapsed()) / 1e3;
    const double cores = (cpuSeconds() - cpuBefore) / wall;
    const double redrawsPerSecond = (redraws.count - redrawsBefore) / wall;
    spin(isIdle);

    const std::vector<std::int64_t> rows = storedRows(store.path(), live, ranks);
    const bool isWhole = std::all_of(rows.begin(), rows.end(), [&](std::int64_t n) { return n == steps; });
    const double bytesPerPoint = static_cast<double>(heapBytes() - heapBefore)
        / static_cast<double>(std::max<std::size_t>(1, pointsShown(*window)));
    std::printf("{\"curves\":%d,\"ranks\":%d,\"seconds\":%.1f,\"redraws_per_second\":%.1f,\"cores\":%.2f,"
                "\"bytes_per_point\":%.0f,\"every_row_stored\":%s}\n",
        curves, ranks, wall, redrawsPerSecond, cores, bytesPerPoint, isWhole ? "true" : "false");
    const bool isQuick = curves == 1 ? redrawsPerSecond >= 28 && cores <= 0.5 : redrawsPerSecond >= 15 && cores <= 1.0;
    return isQuick && isWhole ? 0 : 1;
}
