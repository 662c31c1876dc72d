// What the window shows in one state only, as test_screenshots has what it always shows: the first start, a run under
// way, stopped, failed or interrupted, the queue, replay, presenter mode, two charts, panels, charts against a
// parameter, saved views, annotations, bundle, script, details, one's own program, every section of the form.
//
// With LOCKSTEP_PICTURES=FOLDER the finished runs are those of real ranks, in FOLDER/states; runs under way are fake.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/forms/about_editor.h"
#include "ui/forms/fold.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/variant_edits.h"
#include "ui/models/ring_run.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/chart_view_menu.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/pages/charts/small_multiples.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/report/script_dialog.h"
#include "ui/pages/runs/gallery.h"
#include "ui/pages/runs/run_list.h"
#include "ui/pages/runs/runs_actions.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_view.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/pictures.h"
#include "ui/shell/runs/replay_session.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/view_menu.h"
#include "ui/shell/views/view_modes.h"

#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QTableWidget>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr auto Long = "steps=100000,rate=500,log=50";

void clickNamed(const ui::MainWindow& window, const char* name)
{
    auto* button = window.findChild<QAbstractButton*>(QLatin1String(name));
    QVERIFY2(button != nullptr && button->isEnabled(), name);
    button->click();
}

/// As a context menu is asked for.
void askForMenu(QWidget& view, const QPoint& at)
{
    Q_EMIT view.customContextMenuRequested(at);
}

ui::ChartPanel& panelOf(ui::MainWindow& window, QStringView chart)
{
    window.tabs().setCurrentIndex(window.tabs().viewOf(*ui::findChart(chart)));
    return *qobject_cast<ui::ChartPanel*>(window.tabs().currentWidget());
}

std::vector<RunId> runsOf(ui::MainWindow& window, std::string_view experiment)
{
    std::vector<RunId> runs;
    for (const analysis::RunRecord& record : window.controller().table().records()) {
        if (record.spec.experiment == experiment) {
            runs.push_back(record.id);
        }
    }
    return runs;
}

} // namespace

class TestStateScreenshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_pictures.begin();
        m_store = m_pictures.store(QStringLiteral("states"));
        if (QDir(m_store).entryList({QStringLiteral("*.run")}).isEmpty()) {
            fillStore();
        }
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
    }

    void ofRuns_data() { m_pictures.addLooks(); }
    void ofRuns()
    {
        const QSize size = m_pictures.startLook();
        const QTemporaryDir store;
        lookAtFirstStart(store.path(), size);
        lookAtWork(store.path(), size);
        lookAtFailures(store.path(), size);
        m_pictures.endLook();
    }

    void ofCharts_data() { m_pictures.addLooks(); }
    void ofCharts()
    {
        const QSize size = m_pictures.startLook();
        const auto window = openWindow(m_store, size);
        QTRY_VERIFY(window->controller().table().rowCount() > 3);
        lookAtParameters(*window);
        show(*window, "optimizers");
        lookAtReplay(*window, size);
        lookAtTwoCharts(*window);
        lookAtViews(*window);
        m_pictures.endLook();
    }

    void ofDialogs_data() { m_pictures.addLooks(); }
    void ofDialogs()
    {
        const QSize size = m_pictures.startLook();
        const auto window = openWindow(m_store, size);
        QTRY_VERIFY(window->controller().table().rowCount() > 3);
        show(*window, "optimizers");
        lookAtOneRun(*window);
        lookAtMenus(*window);
        lookAtForm(*window);
        lookAtOwnProgram(*window);
        m_pictures.endLook();
    }

    void atTwiceTheScale() { m_pictures.repeatAtTwiceTheScale(QStringLiteral("test_state_screenshots")); }

private:
    /// Three optimizers, and a grid of momentum and batch size.
    void fillStore()
    {
        const auto window = openWindow(m_store);
        const auto run = [&](const experiment::Spec& spec) {
            window->form().setSpec(spec);
            QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
            window->controller().start(window->form().runs());
            QTRY_VERIFY_WITH_TIMEOUT(!window->controller().isBusy(), 300000);
        };
        auto optimizers = *experiment::preset("optimizers");
        optimizers.repeats = 1;
        optimizers.base["dataset.train_samples"] = std::int64_t(2000);
        run(optimizers);
        auto grid = *experiment::preset("own");
        grid.base["dataset.train_samples"] = std::int64_t(1000);
        grid.base["train.epochs"] = std::int64_t(2);
        grid.base["optimizer.name"] = std::string("momentum");
        grid.repeats = 2;
        grid.variants.clear();
        for (const double momentum : {0.5, 0.9, 0.99}) {
            for (const std::int64_t batch : {16, 64}) {
                experiment::Variant variant;
                variant.name = "momentum=" + std::to_string(momentum).substr(0, 4) + " batch=" + std::to_string(batch);
                variant.values["optimizer.momentum"] = momentum;
                variant.values["train.batch"] = batch;
                grid.variants.push_back(variant);
            }
        }
        run(grid);
    }

    static void show(ui::MainWindow& window, std::string_view experiment)
    {
        showOnly(window.controller(), runsOf(window, experiment));
        QTRY_VERIFY(std::ranges::all_of(window.controller().feeds(),
            [](const ui::RunFeed* feed) { return std::int64_t(feed->loss().size()) == feed->record().summary.steps; }));
        QTest::qWait(150);
    }

    void look(QWidget& widget, const char* name)
    {
        QTest::qWait(60);
        m_pictures.look(widget, QLatin1String(name));
    }
    void lookAtOpened(const QWidget& window, const char* name, const std::function<void()>& open)
    {
        m_pictures.lookAtOpened(window, QLatin1String(name), open);
    }

    void lookAtFirstStart(const QString& store, const QSize& size)
    {
        const auto window = openWindow(store, size);
        look(*window, "first-start");
    }

    /// A run at work with two that wait, and the questions of Stop and of closing the window.
    void lookAtWork(const QString& store, const QSize& size)
    {
        qputenv("LOCKSTEP_FAKE", Long);
        const auto window = openWindow(store, size);
        window->findChild<ui::Gallery*>()->choose(1);
        window->form().setRepeats(1);
        clickNamed(*window, "run");
        look(*window, "starting");
        QTRY_VERIFY(!window->controller().feeds().empty() && window->controller().feeds().front()->loss().size() > 300);
        look(*window, "running");
        panelOf(*window, u"loss");
        look(*window, "running-loss");
        clickNamed(*window, "run");
        clickNamed(*window, "run");
        look(*window, "queued");
        for (const char* drawer : {"drawer:log", "drawer:queue", "drawer:table"}) {
            clickNamed(*window, drawer);
        }
        auto* rows = window->findChild<QTreeWidget*>(QStringLiteral("queue"));
        rows->setCurrentItem(rows->topLevelItem(1));
        look(*window, "drawers");
        for (const char* drawer : {"drawer:log", "drawer:table"}) {
            clickNamed(*window, drawer);
        }
        look(*window, "drawer-queue");
        clickNamed(*window, "drawer:queue");
        QVERIFY(!window->close());
        look(*window, "question-close");
        clickNamed(*window, "stop");
        look(*window, "question-stop");
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
        look(*window, "stopped");
    }

    /// A rank that is killed, folders that are missing, and what is offered after a crash.
    void lookAtFailures(const QString& store, const QSize& size)
    {
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=0,log=10,kill=60");
        {
            const auto window = openWindow(store, size);
            window->controller().start(window->form().runs());
            QTRY_VERIFY(!window->controller().isBusy());
            look(*window, "failed");
            window->tabs().setCurrentWidget(window->findChild<QWidget*>(QStringLiteral("findings")));
            look(*window, "failed-findings");
            window->form().setText("dataset.name", QStringLiteral("idx"));
            window->form().setText("dataset.path", QStringLiteral("/nowhere"));
            window->controller().start(window->form().runs());
            look(*window, "no-folder");
        }
        {
            auto opened = store::RunStore::open(store);
            QVERIFY(opened.isOk());
            test::RingRun run(4);
            auto writer = opened.value()->create(run.record());
            QVERIFY(writer.isOk() && writer.value()->add(run.hello()).isOk()
                && writer.value()->add(run.step(true)).isOk()
                && writer.value()->finish(analysis::RunStatus::Interrupted, "lockstep ended", {}).isOk());
        }
        const auto window = openWindow(store, size);
        QTRY_VERIFY(noticesOf(*window).isVisible());
        look(*window, "interrupted");
    }

    /// A summary against one and two parameters, and small multiples by one of them.
    void lookAtParameters(ui::MainWindow& window)
    {
        show(window, "own");
        panelOf(window, u"parameter");
        look(window, "parameter");
        panelOf(window, u"heat-map");
        look(window, "heat-map");
        ui::ChartPanel& loss = panelOf(window, u"loss");
        ui::ChartOptions options = loss.model().options();
        options.panelsBy = QStringLiteral("optimizer.momentum");
        loss.setOptions(options);
        const auto* multiples = loss.findChild<ui::SmallMultiples*>();
        QTRY_VERIFY(multiples != nullptr && multiples->isVisible());
        look(window, "small-multiples");
        options.panelsBy.clear();
        loss.setOptions(options);
        window.tabs().setCurrentWidget(window.findChild<QWidget*>(QStringLiteral("findings")));
        look(window, "parameter-findings");
    }

    void lookAtReplay(ui::MainWindow& window, const QSize& size)
    {
        panelOf(window, u"loss");
        pressKeys(window, Qt::CTRL | Qt::Key_R);
        QTRY_VERIFY(window.controller().shown().isReplaying());
        pressKeys(window, Qt::ALT | Qt::Key_P);
        window.modes().replay().seek(0.06);
        window.modes().replay().setSpeed(0.5);
        look(window, "replay");
        const auto present = [&] {
            pressKeys(window, Qt::SHIFT | Qt::Key_F11);
            window.setWindowState(Qt::WindowNoState); // the offscreen platform's screen is small
            window.resize(size);
            QTest::qWait(300);
        };
        const auto endPresenting = [&] {
            pressKeys(window, Qt::SHIFT | Qt::Key_F11);
            window.resize(size);
        };
        present();
        look(window, "presenter-replay");
        endPresenting();
        window.modes().replay().leave();
        present();
        panelOf(window, u"time");
        look(window, "presenter");
        endPresenting();
    }

    void lookAtTwoCharts(ui::MainWindow& window)
    {
        panelOf(window, u"loss");
        pressKeys(window, Qt::CTRL | Qt::SHIFT | Qt::Key_T);
        window.modes().twoCharts().second().choose(QStringLiteral("accuracy"));
        look(window, "two-charts");
        pressKeys(window, Qt::CTRL | Qt::SHIFT | Qt::Key_T);
    }

    /// Annotations, and views under a name.
    void lookAtViews(ui::MainWindow& window)
    {
        ui::ChartPanel& loss = panelOf(window, u"loss");
        ui::ChartOptions options = loss.model().options();
        options.annotations = {{"optimizers", ui::XAxis::Step, 40.0, QStringLiteral("warm-up ends")}};
        loss.setOptions(options);
        lookAtOpened(
            window, "annotations", [&] { Q_EMIT loss.findChild<ui::ChartViewMenu*>()->annotationsRequested(); });
        look(window, "annotated");
        options.annotations.clear();
        loss.setOptions(options);
        window.views().save(QStringLiteral("Adam beside SGD"));
        for (QMenu* menu : window.findChildren<QMenu*>()) {
            if (menu->title() == ui::ViewMenu::tr("Saved views")) {
                lookAtOpened(window, "saved-views", [&] { menu->popup(window.mapToGlobal(QPoint(200, 200))); });
            }
        }
        for (QAction* action : window.actions()) {
            if (action->text() == ui::ViewMenu::tr("Save this view…")) {
                lookAtOpened(window, "save-view", [action] { action->trigger(); });
                break;
            }
        }
    }

    /// What the table offers for a single run.
    void lookAtOneRun(ui::MainWindow& window)
    {
        clickNamed(window, "drawer:table");
        QTest::qWait(60);
        auto* page = window.findChild<ui::RunsPage*>();
        auto* table = page->findChild<ui::RunsView*>();
        table->selectRow(0);
        const ui::RunsActions& actions = page->actions();
        lookAtOpened(window, "details", [&] {
            actions.differences->trigger();
            QTest::qWait(200); // the environment is read from the store
        });
        qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
        lookAtOpened(window, "pytorch", [&] {
            actions.pytorch->trigger();
            auto* dialog = window.findChild<ui::ScriptDialog*>();
            QVERIFY(dialog != nullptr);
            QTRY_VERIFY(!dialog->isWorking());
        });
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        lookAtOpened(window, "bundle", [&] {
            actions.bundle->trigger();
            QTRY_VERIFY(std::ranges::any_of(
                window.findChildren<QTableWidget*>(), [](const QTableWidget* each) { return each->rowCount() == 1; }));
            QTest::qWait(100);
        });
        lookAtOpened(window, "menu-run", [&] { askForMenu(*table, {20, 10}); });
        clickNamed(window, "drawer:table");
    }

    void lookAtMenus(ui::MainWindow& window)
    {
        auto* list = window.findChild<ui::RunList*>()->findChild<QTreeWidget*>();
        const QTreeWidgetItem* batch = list->topLevelItem(0)->child(0);
        list->topLevelItem(0)->setExpanded(true);
        lookAtOpened(window, "menu-batch", [&] { askForMenu(*list, list->visualItemRect(batch).center()); });
        auto* variants = window.findChild<QTreeView*>(QStringLiteral("variants"));
        lookAtOpened(window, "menu-column", [&] {
            askForMenu(*variants->header(), {variants->header()->sectionViewportPosition(1) + 4, 4});
        });
    }

    /// Every section of the form, and an experiment of one's own.
    void lookAtForm(ui::MainWindow& window)
    {
        window.documents().create->trigger();
        window.form().setVariants(
            QStringLiteral("Add"), ui::withAdded(window.form().variants(), QStringLiteral("Mine")));
        for (ui::Fold* fold : window.findChildren<ui::Fold*>()) {
            fold->setOpen(qobject_cast<ui::AboutEditor*>(fold) != nullptr);
        }
        look(window, "form-about");
        for (const std::string_view name : {"aggregation", "model-parallel", "scaling"}) {
            window.form().setSpec(*experiment::preset(name));
            for (ui::Fold* fold : window.findChildren<ui::Fold*>()) {
                fold->setOpen(true);
            }
            look(window, ("form-" + std::string(name)).c_str());
            for (QScrollArea* area : window.findChildren<QScrollArea*>()) {
                if (area->isVisible() && area->findChild<ui::Fold*>() != nullptr) {
                    m_pictures.save(*area->widget(),
                        QStringLiteral("form-whole-") + QString::fromUtf8(name.data(), int(name.size())));
                }
            }
        }
    }

    void lookAtOwnProgram(ui::MainWindow& window)
    {
        auto spec = *experiment::preset("own");
        spec.base["rank.program"] = "python3 '" LOCKSTEP_SOURCE_DIR "/tests/end_to_end/scripts/line.py'";
        window.form().setSpec(spec);
        window.findChild<QPushButton*>(QStringLiteral("read_own_parameters"))->click();
        look(window, "own-program");
        window.controller().start(window.form().runs());
        auto* question = window.findChild<QMessageBox*>(QStringLiteral("confirmation"));
        QVERIFY(question != nullptr);
        look(*question, "own-confirmation");
        question->reject();
        QVERIFY(!window.controller().isBusy());
    }

    Pictures m_pictures;
    QString m_store;
};

LOCKSTEP_WINDOW_TEST(TestStateScreenshots)
#include "test_state_screenshots.moc"
