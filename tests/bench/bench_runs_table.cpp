// bench_runs_table [N]: a store of N runs (1,000), then the time until the table of the window is usable, of a key
// typed into its filter, of grouping. Fails above 500 ms, 50 ms and 100 ms. The store's files are in the page cache.
#include "experiment/spec.h"
#include "session/store/run_store.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/language.h"
#include "ui/shell/store_worker.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace lockstep;

namespace {

/// Runs of all presets with several learning rates and seeds.
void fillStore(const QString& folder, int count)
{
    const auto store = session::RunStore::open(folder);
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

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QTemporaryDir folder;
    fillStore(folder.path(), argc > 1 ? std::atoi(argv[1]) : 1000);

    QElapsedTimer timer;
    timer.start();
    ui::RunsTableModel model;
    ui::RunsPage page(model);
    page.resize(1280, 500);
    page.show();
    ui::StoreWorker worker(folder.path());
    QEventLoop loop;
    QObject::connect(&worker, &ui::StoreWorker::listed, &page, [&](const ui::Records& records) {
        model.setRecords(*records);
        settle(page);
        loop.quit();
    });
    worker.open();
    loop.exec();
    bool isFast = isWithin("opening until the table is painted", msOf(timer), 500);

    double slowest = 0.0;
    const QString text = QStringLiteral("accuracy > 0.94 and (net = mlp or optimizer ~ adam) finished");
    for (qsizetype size = 1; size <= text.size(); ++size) {
        timer.restart();
        page.filter().setText(text.left(size));
        settle(page);
        slowest = std::max(slowest, msOf(timer));
    }
    isFast = isWithin("the slowest key of a filter", slowest, 50) && isFast;
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
    return isFast ? 0 : 1;
}
