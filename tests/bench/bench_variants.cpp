// bench_variants [N]: a window whose form has N variants (1,000), then the time of a key typed into a field that all of
// them share, of a value put into a cell, of a tick. Fails above 50 ms each, the window painted.
#include "experiment/spec.h"
#include "ui/shell/desktop.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTreeView>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace lockstep;

namespace {

experiment::Spec manyVariants(int count)
{
    auto spec = *experiment::preset("optimizers");
    spec.repeats = 1;
    spec.variants.clear();
    for (int i = 0; i < count; ++i) {
        spec.variants.push_back({"v" + std::to_string(i),
            {{"optimizer.lr", 0.001 * (1 + i % 100)}, {"train.batch", std::int64_t{16 + i / 100}}}});
    }
    return spec;
}

/// The slowest of some, with all that follows and the window painted.
bool isFast(const char* what, ui::MainWindow& window, const std::function<void(int)>& change)
{
    double slowest = 0.0;
    for (int i = 0; i < 8; ++i) {
        QElapsedTimer timer;
        timer.start();
        change(i);
        QApplication::processEvents();
        window.repaint();
        slowest = std::max(slowest, static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    constexpr double LimitMs = 50.0;
    std::printf("%-34s %8.1f ms, at most %.0f\n", what, slowest, LimitMs);
    return slowest <= LimitMs;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir folder;
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("LockstepBench"));
    ui::loadResources();
    ui::MainWindow window(folder.path());
    window.resize(1280, 800);
    window.show();
    window.open();
    window.form().setSpec(manyVariants(argc > 1 ? std::atoi(argv[1]) : 1000));
    QApplication::processEvents();
    auto& table = *window.findChild<QTreeView*>(QStringLiteral("variants"))->model();
    const QModelIndex cell = table.index(3, 1);
    const auto key = [&](int i) { window.form().setText("train.steps", QString::number(100 + i)); };
    bool isDone = isFast("a key in a field of all", window, key);
    isDone = isFast("a value of a cell", window, [&](int i) {
        table.setData(cell, QString::number(0.01 * (i + 1)), Qt::EditRole);
    }) && isDone;
    isDone = isFast("a tick", window, [&](int i) {
        const auto state = i % 2 == 0 ? Qt::Unchecked : Qt::Checked;
        table.setData(table.index(5, 0), state, Qt::CheckStateRole);
    }) && isDone;
    return isDone ? 0 : 1;
}
