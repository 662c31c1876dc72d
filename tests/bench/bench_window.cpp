// bench_window SPEC.json FOLDER [WIDTHxHEIGHT [RUNSxSTEPS]]: runs an experiment in the window, as a user who presses
// Run, with real ranks and a fresh store in FOLDER; beside so many stored runs of so many steps, which are drawn
// already. Prints one JSON line a run: its name, ms a step, and how many cores the workbench kept busy. window_ratio.py
// compares it with the command line. Offscreen unless QT_QPA_PLATFORM says otherwise. With - for the experiment it
// stores the runs to draw, and no more.
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

/// Draws all stored runs, and waits until they have been read. Gives their ids.
std::set<RunId> overlay(ui::MainWindow& window, int runs)
{
    ui::RunController& controller = window.controller();
    bool isDrawn = QTest::qWaitFor([&] { return controller.table().rowCount() == runs; }, 60'000);
    std::set<RunId> drawn;
    for (int row = 0; row < runs; ++row) {
        drawn.insert(controller.table().idAt(row));
        controller.showRun(controller.table().idAt(row));
    }
    const auto isRead = [](const ui::RunFeed* feed) { return feed->loss().size() > 0 && !feed->isReading(); };
    isDrawn = isDrawn && QTest::qWaitFor([&] { return std::ranges::all_of(controller.feeds(), isRead); }, 600'000);
    if (!isDrawn) {
        std::fputs("bench_window: the stored runs cannot be read\n", stderr);
        std::exit(2);
    }
    QTest::qWait(runs > 0 ? 2000 : 0); // until they are smoothed
    return drawn;
}

int printRuns(const QString& folder, const std::set<RunId>& others)
{
    const auto store = session::RunStore::open(folder);
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
        std::fputs("bench_window SPEC.json FOLDER [WIDTHxHEIGHT [RUNSxSTEPS]]\n", stderr);
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
    QSize size(1280, 800);
    if (argc > 3) {
        const QStringList words = QString::fromLocal8Bit(argv[3]).split(u'x');
        size = {words.value(0).toInt(), words.value(1).toInt()};
    }
    std::set<RunId> others;
    {
        const auto window = openWindow(folder, size);
        others = overlay(*window, drawn.value(0).toInt());
        window->form().setSpec(*spec);
        if (!window->form().problem().isEmpty()) {
            std::fprintf(stderr, "bench_window: %s\n", qPrintable(window->form().problem()));
            return 2;
        }
        window->controller().start(window->form().runs());
        waitUntilIdle(*window);
    }
    return printRuns(folder, others);
}
