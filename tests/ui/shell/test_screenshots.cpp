// Every page of every experiment, and what keys, buttons and the table of runs open, in both languages and themes:
// nothing is cut off, every control has a name. What depends on a state is in test_state_screenshots.
//
// With LOCKSTEP_PICTURES=FOLDER LOCKSTEP_LONG=1 all seven experiments are run by real ranks (the runs stay in
// FOLDER/store for the next time), at three sizes, and again at 200 %; each page and dialog is written to FOLDER for
// eyes, which takes a quarter of an hour. Otherwise fake ranks and two looks.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/export/export_dialog.h"
#include "ui/models/ring_run.h"
#include "ui/pages/hosts_answer.h"
#include "ui/pages/machine/doctor_dialog.h"
#include "ui/pages/machine/hosts_page.h"
#include "ui/pages/report/report_preview.h"
#include "ui/pages/runs/gallery.h"
#include "ui/pages/runs/run_differences.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_view.h"
#include "ui/ring/ring_panel.h"
#include "ui/ring/ring_view.h"
#include "ui/shell/pictures.h"
#include "ui/shell/views/centre_pages.h"

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <functional>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

/// Those of the newest batch of an experiment.
std::vector<RunId> newestRuns(const std::vector<analysis::RunRecord>& records, std::string_view experiment)
{
    constexpr std::size_t TimeOfId = 15;
    std::string newest;
    for (const analysis::RunRecord& record : records) {
        if (record.spec.experiment == experiment) {
            newest = std::max(newest, record.id.text.substr(0, TimeOfId));
        }
    }
    std::vector<RunId> runs;
    for (const analysis::RunRecord& record : records) {
        if (record.spec.experiment == experiment && record.id.text.starts_with(newest)) {
            runs.push_back(record.id);
        }
    }
    return runs;
}

} // namespace

class TestScreenshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_pictures.begin();
        m_isFull = m_pictures.isFull();
        m_storeFolder = m_pictures.store(QStringLiteral("store"));
        if (QDir(m_storeFolder).entryList({QStringLiteral("*.run")}).isEmpty()) {
            fillStore();
        }
    }

    void looks_data() { m_pictures.addLooks(); }
    void looks()
    {
        const QSize size = m_pictures.startLook();
        const auto window = openWindow(m_storeFolder, size);
        QTRY_VERIFY(window->controller().table().rowCount() > 3);
        for (const std::string_view name : experiment::presetNames()) {
            lookAtPages(*window, name);
        }
        lookAtDialogs(*window);
        m_pictures.endLook();
    }

    void atTwiceTheScale() { m_pictures.repeatAtTwiceTheScale(QStringLiteral("test_screenshots")); }

private:
    void fillStore()
    {
        storeRingRun();
        const auto window = openWindow(m_storeFolder);
        for (const std::string_view name : experiment::presetNames()) {
            auto spec = experiment::preset(name);
            QVERIFY(spec);
            spec->repeats = name == "optimizers" ? 2 : 1;
            if (!m_isFull && name != "optimizers" && name != "aggregation") {
                continue;
            }
            shorten(*spec);
            window->form().setSpec(*spec);
            QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
            window->controller().start(window->form().runs());
            QTRY_VERIFY_WITH_TIMEOUT(!window->controller().isBusy(), 300000);
        }
    }

    /// A few seconds of each; of the scaling no more ranks than a small machine can run at once.
    static void shorten(experiment::Spec& spec)
    {
        if (spec.experiment == "collectives") {
            spec.base["sweep.max_bytes"] = std::int64_t(1 << 20);
            spec.base["sweep.calls"] = std::int64_t(20);
            return;
        }
        spec.base["dataset.train_samples"] = std::int64_t(spec.experiment == "optimizers" ? 2000 : 512);
        if (spec.experiment == "aggregation") {
            spec.base["train.steps"] = std::int64_t(60);
        } else if (spec.experiment != "optimizers") {
            spec.base["train.epochs"] = std::int64_t(1);
        }
        std::erase_if(spec.variants,
            [](const experiment::Variant& variant) { return variant.name.starts_with("8") || variant.name == "rpc"; });
    }

    /// With messages, so that ring and timeline have something to show; in the last step rank 2 stops half way.
    void storeRingRun()
    {
        auto store = store::RunStore::open(m_storeFolder);
        QVERIFY(store.isOk());
        test::RingRun run(4);
        auto writer = store.value()->create(run.record());
        QVERIFY(writer.isOk());
        QVERIFY(writer.value()->add(run.hello()).isOk());
        for (int step = 1; step < 200; ++step) {
            QVERIFY(writer.value()->add(run.step(step % 10 == 0)).isOk());
        }
        QVERIFY(writer.value()->add(run.step(true, 2, 3)).isOk());
        QVERIFY(writer.value()->finish(analysis::RunStatus::Failed, "rank 2 has not answered", {}).isOk());
    }

    /// The experiment's form and its newest runs, read to their ends.
    static void showRuns(ui::MainWindow& window, std::string_view name)
    {
        const auto names = experiment::presetNames();
        window.findChild<ui::Gallery*>()->choose(int(std::ranges::find(names, name) - names.begin()));
        showOnly(window.controller(), newestRuns(window.controller().table().records(), name));
        const auto isRead = [](const ui::RunFeed* feed) {
            return experiment::isSweep(feed->record().spec)
                || std::int64_t(feed->loss().size()) == feed->record().summary.steps;
        };
        QTRY_VERIFY(std::ranges::all_of(window.controller().feeds(), isRead));
        QTest::qWait(150);
    }

    /// All views that are offered for the experiment's runs; without runs its empty page.
    void lookAtPages(ui::MainWindow& window, std::string_view name)
    {
        showRuns(window, name);
        const auto pictureOf
            = [&](const QString& view) { return QString::fromUtf8(name.data(), qsizetype(name.size())) + u'-' + view; };
        if (window.controller().feeds().empty()) {
            look(window, pictureOf(QStringLiteral("empty")));
            return;
        }
        for (int view = 0; view < window.tabs().count(); ++view) {
            if (window.tabs().isOffered(view)) {
                window.tabs().setCurrentIndex(view);
                QTest::qWait(60);
                if (const auto* report = window.tabs().widget(view)->findChild<ui::ReportPreview*>()) {
                    QTRY_VERIFY(report->pageCount() > 0);
                }
                look(window, pictureOf(window.tabs().nameOf(view)));
            }
        }
        window.tabs().setCurrentIndex(0);
    }

    void lookAtDialogs(ui::MainWindow& window)
    {
        showRuns(window, "optimizers");
        window.tabs().setCurrentIndex(0);
        lookAtKeys(window);
        lookAtButtons(window);
        lookAtHosts(window);
        lookAtTheTable(window);
        window.form().setText("dataset.name", QStringLiteral("mnist"));
        window.form().setText("net.hidden", QStringLiteral("-1"));
        QTest::qWait(30);
        look(window, QStringLiteral("form-wrong"));
        window.form().setText("net.hidden", QStringLiteral("64"));
    }

    /// What keys open.
    void lookAtKeys(ui::MainWindow& window)
    {
        const auto press = [&](const QKeySequence& keys) { return [&window, keys] { pressKeys(window, keys); }; };
        lookAtOpened(window, QStringLiteral("export"), press(Qt::CTRL | Qt::Key_E));
        lookAtOpened(window, QStringLiteral("palette"), press(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
        lookAtOpened(window, QStringLiteral("help"), press(QKeySequence::HelpContents));
        window.tabs().setCurrentWidget(window.findChild<QWidget*>(QStringLiteral("findings")));
        lookAtOpened(window, QStringLiteral("export-findings"), press(Qt::CTRL | Qt::Key_E));
        window.tabs().setCurrentIndex(0);
        press(Qt::Key_F11)();
        QTest::qWait(30);
        look(window, QStringLiteral("chart-alone"));
        press(Qt::Key_F11)();
        press(Qt::CTRL | Qt::ALT | Qt::Key_4)();
        QTest::qWait(30);
        look(window, QStringLiteral("drawer-log"));
        press(Qt::CTRL | Qt::ALT | Qt::Key_4)();
    }

    void lookAtButtons(ui::MainWindow& window)
    {
        const auto click = [&](const char* name) {
            return [&window, name] { window.findChild<QAbstractButton*>(QLatin1String(name))->click(); };
        };
        lookAtOpened(window, QStringLiteral("vary"), click("vary"));
        lookAtOpened(window, QStringLiteral("combine"), click("combine"));
        QWidget* chart = window.tabs().currentWidget();
        lookAtOpened(window, QStringLiteral("data"),
            [chart] { chart->findChild<QAbstractButton*>(QStringLiteral("data"))->click(); });
        lookAtOpened(window, QStringLiteral("doctor"), [&window] {
            auto* dialog = new ui::DoctorDialog([] { return launch::examineMachine(QDir::tempPath()); }, &window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
            dialog->examine();
            QTRY_VERIFY(!dialog->isExamining());
        });
        for (QToolButton* button : window.findChildren<QToolButton*>()) {
            if (button->menu() != nullptr && button->isVisible() && !button->accessibleName().isEmpty()) {
                lookAtOpened(window, QStringLiteral("menu-%1").arg(button->accessibleName().replace(u' ', u'_')),
                    [button] { button->menu()->popup(button->mapToGlobal(QPoint(0, button->height()))); });
            }
        }
    }

    /// The page about hosts, before and after they have answered.
    void lookAtHosts(ui::MainWindow& window)
    {
        const FakeProgram program(AnswerHosts);
        window.findChild<ui::CentrePages*>()->showHosts();
        auto* page = window.findChild<ui::HostsPage*>();
        QTest::qWait(60);
        look(window, QStringLiteral("hosts-empty"));
        page->setProgram(program.path());
        page->findChild<QPlainTextEdit*>()->setPlainText(HostsList);
        page->findChild<QCheckBox*>()->click();
        QSignalSpy asked(page, &ui::HostsPage::asked);
        page->findChild<QPushButton*>(QStringLiteral("measure"))->click();
        QVERIFY(asked.wait(60'000));
        QTest::qWait(60);
        look(window, QStringLiteral("hosts"));
        page->findChild<QCheckBox*>()->click();
        pressKeys(window, Qt::Key_Escape);
    }

    /// The drawer with the table of runs, and what its menus open.
    void lookAtTheTable(ui::MainWindow& window)
    {
        auto* page = window.findChild<ui::RunsPage*>();
        auto* drawer = window.findChild<QToolButton*>(QStringLiteral("drawer:table"));
        drawer->click();
        QTest::qWait(60);
        auto* table = page->findChild<ui::RunsView*>();
        table->selectAll();
        QTest::qWait(30);
        look(window, QStringLiteral("drawer-table"));
        for (QToolButton* button : page->findChildren<QToolButton*>()) {
            if (button->isVisible() && button->menu() == nullptr) {
                lookAtOpened(
                    window, QStringLiteral("table-%1").arg(button->accessibleName()), [button] { button->click(); });
            }
        }
        for (QToolButton* button : page->findChildren<QToolButton*>()) {
            const QList<QAction*> actions = button->menu() == nullptr ? QList<QAction*>() : button->menu()->actions();
            for (QAction* action : actions) {
                if (action->text().endsWith(u'…') && action->isEnabled()
                    && !action->text().contains(QStringLiteral("CSV"))
                    && !action->text().contains(QStringLiteral("LaTeX"))) {
                    lookAtOpened(window,
                        QStringLiteral("table-%1").arg(action->text().remove(u'…').replace(u' ', u'_')),
                        [action] { action->trigger(); });
                }
            }
        }
        page->groupBy({});
        QTest::qWait(60);
        look(window, QStringLiteral("drawer-groups"));
        page->offerUndo(window.controller().table().idAt(0), QStringLiteral("Adam"));
        QTest::qWait(60);
        look(window, QStringLiteral("drawer-undo"));
        drawer->click();
    }

    void look(QWidget& widget, const QString& name) { m_pictures.look(widget, name); }
    void lookAtOpened(const QWidget& window, const QString& name, const std::function<void()>& open)
    {
        m_pictures.lookAtOpened(window, name, open);
    }

    Pictures m_pictures;
    QString m_storeFolder;
    bool m_isFull = false;
};

LOCKSTEP_WINDOW_TEST(TestScreenshots)
#include "test_screenshots.moc"
