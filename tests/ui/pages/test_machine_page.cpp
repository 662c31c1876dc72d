// The page of the machine, drawn from real runs in build/screenshots, over a scripted driver library.
#include "fakes/nvml_script.h"
#include "program/window_test.h"
#include "ui/cli/export_command.h"
#include "ui/models/charts/kinds/machine_charts.h"
#include "ui/models/feeds/run_state.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/pages_fixture.h"

#include <QComboBox>

#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;
using ui::MachineValue;

namespace {

/// A training of some seconds on two cards, the second of which reports less.
const QByteArray Gpus = R"({"driver": "580.65.06", "cuda": 13000, "gpus": [
    {"name": "NVIDIA H200", "uuid": "GPU-a", "memory": 150e9, "used": 2.9e9, "use": [12, 87, 93, 91, 95, 88, 90],
     "memory_use": [3, 31, 35, 33, 36], "power": [118, 402, 455, 448, 461], "limit": 700,
     "temperature": [38, 41, 44, 46, 47, 48], "sm": [1980, 1980, 1845, 1830, 1845], "clock": 3201,
     "reasons": [0, 0, 4, 4, 0], "bytes_per_child": 1.2e9},
    {"name": "NVIDIA T4", "uuid": "GPU-b", "memory": 16e9, "used": 4.1e8, "use": 0, "temperature": 33}]})";

} // namespace

class TestMachinePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!Pages::canRun()) {
            QSKIP("there is no lockstep-rank");
        }
        const NvmlScript script(Gpus);
        m_pages.run("aggregation", 2, [](experiment::Spec& spec) {
            spec.base["dataset.name"] = std::string("digits");
            spec.base["train.steps"] = std::int64_t{0};
            spec.base["train.epochs"] = std::int64_t{60};
            spec.base["world_size"] = std::int64_t{2};
            spec.base["rank.bind"] = false;
            spec.variants.resize(2);
        });
    }

    void page_data() { Pages::addLooks(); }

    void page()
    {
        const auto window = m_pages.open();
        QVERIFY(window != nullptr);
        const int tab = window->tabs().viewOf(*ui::findChart(u"machine"));
        auto* panel = qobject_cast<ui::ChartPanel*>(window->tabs().widget(tab));
        QVERIFY(panel != nullptr);
        m_pages.save(*window, tab, QStringLiteral("machine-of-runs"));
        const RunId second = window->controller().feeds().back()->id();
        window->controller().shown().toggle({second});
        QComboBox* choice = nullptr;
        for (QComboBox* each : panel->findChildren<QComboBox*>()) {
            choice = each->isVisible() ? each : choice;
        }
        QVERIFY(choice != nullptr);
        QCOMPARE(choice->count(), static_cast<int>(ui::MachineValues.size()));
        for (int i = 0; i < choice->count(); ++i) {
            choice->setCurrentIndex(i);
            const auto value = static_cast<MachineValue>(choice->currentData().toInt());
            QCOMPARE(panel->model().options().choice, static_cast<int>(value));
            QCOMPARE(choice->currentText(), ui::textOf(value));
            m_pages.save(*window, tab, QStringLiteral("machine-") + ui::nameOf(value));
            QVERIFY(!panel->model().fullChart().series.empty());
        }
        window->controller().shown().toggle({second});
        choice->setCurrentIndex(0);
        checkNumbers(*window);
    }

    /// The page appears with the first sample of the machine, during the run.
    void pageComesWithTheSamples()
    {
        ui::applyLanguage(ui::Language::English);
        const NvmlScript script(Gpus);
        const QTemporaryDir store;
        const auto window = openWindow(store.path());
        auto spec = experiment::preset("optimizers");
        QVERIFY(spec);
        spec->repeats = 1;
        spec->base["train.epochs"] = std::int64_t{1000};
        spec->variants.resize(1);
        spec->variants[0].values.erase("train.epochs");
        window->form().setSpec(*spec);
        QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
        const int tab = window->tabs().viewOf(*ui::findChart(u"machine"));
        QVERIFY(!window->tabs().isOffered(tab));
        window->controller().start(window->form().runs());
        QTRY_VERIFY(window->tabs().isOffered(tab));
        QVERIFY(window->controller().isBusy());
        window->tabs().setCurrentIndex(tab);
        const auto* panel = qobject_cast<ui::ChartPanel*>(window->tabs().widget(tab));
        QTRY_COMPARE(panel->model().choices().size(), ui::MachineValues.size());
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
    }

    /// A file for each value in the samples, with every point.
    void exports()
    {
        ui::applyLanguage(ui::Language::English);
        const QTemporaryDir out;
        QCOMPARE(ui::exportCommand({QStringLiteral("last"), QStringLiteral("--chart"), QStringLiteral("machine"),
                     QStringLiteral("--format"), QStringLiteral("csv,svg"), QStringLiteral("--store"), m_pages.store(),
                     QStringLiteral("--out"), out.path()}),
            0);
        for (const MachineValue value : ui::MachineValues) {
            const QString name = QStringLiteral("machine-") + ui::nameOf(value);
            QVERIFY2(QFileInfo(out.filePath(name + QStringLiteral(".svg"))).size() > 1000, qPrintable(name));
            QFile csv(out.filePath(name + QStringLiteral(".csv")));
            QVERIFY(csv.open(QIODevice::ReadOnly));
            QVERIFY2(csv.readAll().count('\n') > 4, qPrintable(name));
        }
        QFile power(out.filePath(QStringLiteral("machine-gpu-power.csv")));
        QVERIFY(power.open(QIODevice::ReadOnly));
        const QByteArray text = power.readAll();
        QVERIFY2(text.contains("Time since the first step (s),GPU power (W)"), text.constData());
        QVERIFY(text.contains(",All-reduce,gpu-power,") && text.contains(",402"));
    }

private:
    /// What is drawn is what is stored.
    void checkNumbers(ui::MainWindow& window) const
    {
        const auto store = store::RunStore::open(m_pages.store());
        QVERIFY(store.isOk());
        for (const ui::RunFeed* feed : window.controller().feeds()) {
            const auto record = (*store)->load(feed->id());
            QVERIFY(record.isOk());
            QCOMPARE(record->machines.size(), std::size_t{1});
            const analysis::MachineFigures& machine = record->machines.front();
            QCOMPARE(static_cast<std::size_t>(machine.samples), feed->state().machineSamples.size());
            QVERIFY(machine.samples > 0);
            QCOMPARE(machine.gpus.size(), std::size_t{2});
            QCOMPARE(machine.gpus[0].name, std::string("NVIDIA H200"));
            QVERIFY(std::isnan(machine.gpus[1].meanPowerW));
            QCOMPARE(machine.ranks.size(), std::size_t{2});
            QCOMPARE(machine.ranks[0].highestGpuBytes, 1.2e9);
            QVERIFY(machine.ranks[0].highestResidentBytes > 1e7);
        }
    }

    Pages m_pages;
};

LOCKSTEP_WINDOW_TEST(TestMachinePage)
#include "test_machine_page.moc"
