// bench_window SPEC.json FOLDER [WIDTHxHEIGHT [RUNSxSTEPS [curves|heat-map|replay]]]: runs an experiment in the window,
// as a user who presses Run, with real ranks and a fresh store in FOLDER; beside so many stored runs of so many steps,
// which are drawn in the same chart, also as a heat map in a second one, or are replayed meanwhile, each step in 1 ms.
// Prints one JSON line a run: its name, ms a step, and how many cores the workbench kept busy. window_ratio.py compares
// it with the command line. Offscreen unless QT_QPA_PLATFORM says otherwise. With - for the experiment it stores the
// runs to draw, and no more.
#include "ui/models/charts/chart_model.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/shell/runs/replay_session.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/view_modes.h"
#include "ui/shell/window_fixture.h"

#include "bench/long_runs.h"

#include <nlohmann/json.hpp>

#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

void waitUntilIdle(ui::MainWindow& window)
{
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (!window.controller().isBusy()) {
            loop.quit();
        }
    });
    look.start(200);
    loop.exec();
}

[[noreturn]] void fail(const char* why)
{
    std::fprintf(stderr, "bench_window: %s\n", why);
    std::exit(2);
}

/// The stored runs, once they are listed.
std::set<RunId> storedRuns(ui::MainWindow& window, int runs)
{
    const ui::RunsTableModel& table = window.controller().table();
    if (!QTest::qWaitFor([&] { return table.rowCount() == runs; }, 60'000)) {
        fail("the stored runs are not listed");
    }
    std::set<RunId> ids;
    for (int row = 0; row < runs; ++row) {
        ids.insert(table.idAt(row));
    }
    return ids;
}

/// Draws these runs, and waits until they have been read.
void overlay(ui::MainWindow& window, const std::set<RunId>& runs)
{
    ui::RunController& controller = window.controller();
    for (const RunId& id : runs) {
        controller.showRun(id);
    }
    const auto isRead = [](const ui::RunFeed* feed) { return feed->loss().size() > 0 && !feed->isReading(); };
    if (!QTest::qWaitFor([&] { return std::ranges::all_of(controller.feeds(), isRead); }, 600'000)) {
        fail("the stored runs cannot be read");
    }
    QTest::qWait(runs.empty() ? 0 : 2000); // until they are smoothed
}

void drawHeatMap(ui::MainWindow& window)
{
    window.modes().twoCharts().setOn(true);
    ui::SecondChart& second = window.modes().twoCharts().second();
    second.choose(QStringLiteral("heat-map"));
    const auto isMap = [&] {
        return second.panel() != nullptr
            && QLatin1String(second.panel()->model().kind().id) == QLatin1String("heat-map");
    };
    if (!QTest::qWaitFor(isMap, 10'000)) {
        fail("the stored runs have no heat map");
    }
}

void replay(ui::MainWindow& window, const std::set<RunId>& runs)
{
    window.modes().replay().start({runs.begin(), runs.end()});
    if (!QTest::qWaitFor([&] { return window.controller().shown().isReplaying(); }, 60'000)) {
        fail("the stored runs cannot be replayed");
    }
}

void runExperiment(
    ui::MainWindow& window, const experiment::Spec& spec, const std::set<RunId>& stored, std::string_view view)
{
    if (view != "replay") {
        overlay(window, stored);
    }
    if (view == "heat-map") {
        drawHeatMap(window);
    }
    QTest::qWait(2000); // the runs begin in a window that is at rest
    window.form().setSpec(spec);
    if (!window.form().problem().isEmpty()) {
        fail(qPrintable(window.form().problem()));
    }
    window.controller().start(window.form().runs());
    if (view == "replay") {
        replay(window, stored);
    }
    waitUntilIdle(window);
    if (view == "replay" && !window.modes().replay().isOn()) {
        fail("the replay has ended before the runs");
    }
}

int printRuns(const QString& folder, const std::set<RunId>& others)
{
    const auto store = store::RunStore::open(folder);
    if (!store) {
        std::fprintf(stderr, "bench_window: %s\n", store.error().message.c_str());
        return 3;
    }
    bool haveAllFinished = true;
    for (const analysis::RunRecord& listed : (*store)->list()) {
        if (others.contains(listed.id)) {
            continue;
        }
        const auto run = (*store)->load(listed.id);
        haveAllFinished = haveAllFinished && run && run->status == analysis::RunStatus::Finished;
        if (!run) {
            continue;
        }
        nlohmann::ordered_json line{{"name", run->spec.name}, {"ms_per_step", run->summary.msPerStep}};
        for (const analysis::MachineFigures& machine : run->machines) {
            line["workbench_cores"] = machine.workbenchCores;
        }
        std::puts(line.dump().c_str());
    }
    return haveAllFinished ? 0 : 3;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fputs("bench_window SPEC.json FOLDER [WIDTHxHEIGHT [RUNSxSTEPS [curves|heat-map|replay]]]\n", stderr);
        return 2;
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    // Found as a user's window finds it: ranks that LOCKSTEP_RANK names are not forked from the ready process.
    qputenv("PATH", QFileInfo(RealRank).path().toUtf8() + ':' + qgetenv("PATH"));
    qunsetenv("LOCKSTEP_RANK");
    QTemporaryDir settings;
    isolate(settings);
    const QApplication application(argc, argv);
    const QString folder = QString::fromLocal8Bit(argv[2]);
    const QStringList drawn = QString::fromLocal8Bit(argc > 4 ? argv[4] : "0x0").split(u'x');
    if (drawn.value(0).toInt() > 0) {
        bench::storeLongRuns(folder, drawn.value(0).toInt(), drawn.value(1).toLongLong());
    }
    if (std::string_view(argv[1]) == "-") {
        return 0;
    }
    QFile file(QString::fromLocal8Bit(argv[1]));
    auto spec = file.open(QIODevice::ReadOnly) ? experiment::parseSpec(file.readAll().toStdString())
                                               : Result<experiment::Spec>(Error{"the file cannot be read"});
    if (!spec) {
        std::fprintf(stderr, "bench_window: %s: %s\n", argv[1], spec.error().message.c_str());
        return 2;
    }
    const std::string_view view = argc > 5 ? argv[5] : "curves";
    if (view != "curves" && view != "heat-map" && view != "replay") {
        fail("the view is not curves, heat-map or replay");
    }
    QSize size(1280, 800);
    if (argc > 3) {
        const QStringList words = QString::fromLocal8Bit(argv[3]).split(u'x');
        size = {words.value(0).toInt(), words.value(1).toInt()};
    }
    std::set<RunId> others;
    {
        const auto window = openWindow(folder, size);
        others = storedRuns(*window, drawn.value(0).toInt());
        runExperiment(*window, *spec, others, view);
    }
    return printRuns(folder, others);
}
