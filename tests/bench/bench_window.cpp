// bench_window SPEC.json FOLDER [WIDTHxHEIGHT]: runs an experiment in the window, as a user who presses Run, with real
// ranks and a fresh store in FOLDER. Prints one JSON line a run: its name, ms a step, and how many cores the workbench
// kept busy. window_ratio.py compares it with the command line. Offscreen unless QT_QPA_PLATFORM says otherwise.
#include "ui/shell/window_fixture.h"

#include "session/store/run_store.h"

#include <nlohmann/json.hpp>

#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <cstdio>

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

int printRuns(const QString& folder)
{
    const auto store = session::RunStore::open(folder);
    if (!store) {
        std::fprintf(stderr, "bench_window: %s\n", store.error().message.c_str());
        return 3;
    }
    bool haveAllFinished = true;
    for (const analysis::RunRecord& listed : (*store)->list()) {
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
        std::fputs("bench_window SPEC.json FOLDER [WIDTHxHEIGHT]\n", stderr);
        return 2;
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
    QTemporaryDir settings;
    isolate(settings);
    const QApplication application(argc, argv);
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
    const QString folder = QString::fromLocal8Bit(argv[2]);
    {
        const auto window = openWindow(folder, size);
        window->form().setSpec(*spec);
        if (!window->form().problem().isEmpty()) {
            std::fprintf(stderr, "bench_window: %s\n", qPrintable(window->form().problem()));
            return 2;
        }
        window->controller().start(window->form().runs());
        waitUntilIdle(*window);
    }
    return printRuns(folder);
}
