// bench_runs_table [N]: a store of N runs (1,000), then the time until the window is mapped and the table usable, of a
// key typed into its filter, of grouping, of a run that changes its status. Fails above 300, 500, 50, 100 and 10 ms.
// Says how many bytes a stored run takes in the table.
// The store's files are in the page cache; the load of the machine is printed, because it changes the figures.
#include "base/clock.h"
#include "experiment/spec.h"
#include "store/run_store.h"
#include "ui/models/runs/run_cost.h"
#include "ui/pages/runs/run_list.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/desktop.h"
#include "ui/shell/main_window.h"
#include "ui/shell/runs/store_worker.h"
#include "ui/theme/window_language.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <malloc.h>

using namespace lockstep;

namespace {

/// Runs of all presets with several learning rates and seeds.
void fillStore(const QString& folder, int count)
{
    const auto store = store::RunStore::open(folder);
    std::vector<experiment::RunSpec> specs;
    for (const std::string_view name : experiment::presetNames()) {
        auto spec = experiment::preset(name);
        spec->repeats = 1;
        const auto runs = experiment::expand(*spec);
        specs.insert(specs.end(), runs->begin(), runs->end());
    }
    for (int i = 0; i < count; ++i) {
        analysis::RunRecord run;
        run.id = makeRunId(1'790'000'000 + i, static_cast<std::uint32_t>(i));
        run.spec = specs[static_cast<std::size_t>(i) % specs.size()];
        run.spec.settings["train.seed"] = std::int64_t{1 + i / 40};
        run.spec.settings["optimizer.lr"] = 0.001 * (1 + i % 7);
        run.status = analysis::RunStatus::Finished;
        run.createdNs = (1'790'000'000LL + i) * 1'000'000'000;
        run.summary.finalLoss = 0.1 + 0.0001 * (i * 7919 % 1000);
        run.summary.testAccuracy = 0.9 + 0.00009 * (i * 104729 % 1000);
        run.summary.msPerStep = 1.0 + 0.001 * i;
        auto writer = (*store)->create(run);
        if (!writer || !(*writer)->finish(run.status, "", run.summary)) {
            std::fprintf(stderr, "bench_runs_table: the store cannot be written\n");
            std::exit(2);
        }
    }
}

bool isWithin(const char* what, double ms, double limit)
{
    std::printf("%-34s %8.1f ms, at most %.0f\n", what, ms, limit);
    return ms <= limit;
}

double msOf(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// All that has been scheduled, and the page painted.
void settle(QWidget& page)
{
    QApplication::processEvents();
    page.repaint();
}

/// Until the window is on screen; its store is opened after that.
bool isWindowFast(const QString& folder)
{
    QElapsedTimer timer;
    timer.start();
    ui::MainWindow window(folder);
    window.show();
    window.open();
    settle(window);
    return isWithin("the window until it is painted", msOf(timer), 300);
}

/// What the window does when one run of many begins or ends: the table's row, the list at the left, the time left.
bool isStatusFast(ui::RunsTableModel& model)
{
    ui::RunList list(nullptr);
    list.setRuns(model.records(), {});
    analysis::RunRecord changed = model.records().front();
    std::vector<experiment::RunSpec> waiting(10, changed.spec);
    QElapsedTimer timer;
    timer.start();
    const std::int64_t spentNs = threadProcessorNs();
    changed.status = analysis::RunStatus::Failed;
    model.upsert(changed);
    list.setRuns(model.records(), {});
    bool isFast = isWithin("one run changes its status", msOf(timer), 10);
    std::printf("  of this processor time %14.1f ms\n", static_cast<double>(threadProcessorNs() - spentNs) / 1e6);
    timer.restart();
    model.upsert(changed); // only its figures are others
    isFast = isWithin("one run has other figures", msOf(timer), 1) && isFast;
    timer.restart();
    const ui::RunCost cost = ui::costOf(waiting, model.records());
    return isWithin("the estimate of ten runs", msOf(timer), 50) && !cost.text.isEmpty() && isFast;
}

/// By malloc, in all arenas and mapped.
std::size_t allocatedBytes()
{
    const struct mallinfo2 facts = mallinfo2();
    return facts.uordblks + facts.hblkhd;
}

void printLoad()
{
    std::array<double, 3> load{};
    if (getloadavg(load.data(), 3) == 3) {
        std::printf("load of the machine: %.1f %.1f %.1f\n", load[0], load[1], load[2]);
    }
}

/// Of typing a filter.
double slowestKeyMs(ui::RunsPage& page)
{
    double slowest = 0.0;
    QElapsedTimer timer;
    const QString text = QStringLiteral("accuracy > 0.94 and (net = mlp or optimizer ~ adam) finished");
    for (qsizetype size = 1; size <= text.size(); ++size) {
        timer.restart();
        page.filter().setText(text.left(size));
        settle(page);
        slowest = std::max(slowest, msOf(timer));
    }
    return slowest;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QTemporaryDir folder;
    const QTemporaryDir settings;
    QCoreApplication::setOrganizationName(QStringLiteral("LockstepTests"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    ui::loadResources();
    printLoad();
    const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    fillStore(folder.path(), count);

    bool isFast = isWindowFast(folder.path());
    QElapsedTimer timer;
    timer.start();
    ui::RunsTableModel model;
    ui::RunsPage page(model);
    page.resize(1280, 500);
    page.show();
    ui::StoreWorker worker(folder.path());
    QEventLoop loop;
    std::size_t modelBytes = 0;
    QObject::connect(&worker, &ui::StoreWorker::listed, &page, [&](const ui::Records& records) {
        const std::size_t before = allocatedBytes();
        model.setRecords(*records);
        modelBytes = allocatedBytes() - before;
        settle(page);
        loop.quit();
    });
    worker.open();
    loop.exec();
    isFast = isWithin("opening until the table is painted", msOf(timer), 500) && isFast;

    std::printf("%-34s %8.0f bytes, wanted at most 2000\n", "a stored run in the table",
        static_cast<double>(modelBytes) / count);
    isFast = isWithin("the slowest key of a filter", slowestKeyMs(page), 50) && isFast;
    page.filter().setText({});
    settle(page);
    timer.restart();
    page.groupBy({analysis::findColumn("optimizer.name")});
    settle(page);
    isFast = isWithin("grouping by a parameter", msOf(timer), 100) && isFast;
    timer.restart();
    page.groupBy({});
    settle(page);
    isFast = isWithin("grouping by variant", msOf(timer), 100) && isFast;
    page.ungroup();
    settle(page);
    isFast = isStatusFast(model) && isFast;
    printLoad();
    return isFast ? 0 : 1;
}
