// Every page and every dialog, in both languages and themes: nothing is cut off, every control has a name.
//
// With LOCKSTEP_PICTURES=FOLDER all seven experiments are run by real ranks (the runs stay in FOLDER/store for the next
// time), at three sizes, and again at 200 %; each page and dialog is written to FOLDER for eyes. Otherwise fake ranks
// and two looks.
#include "program/window_test.h"
#include "session/store/run_store.h"
#include "ui/export/export_dialog.h"
#include "ui/models/ring_run.h"
#include "ui/pages/doctor_dialog.h"
#include "ui/pages/gallery.h"
#include "ui/pages/run_differences.h"
#include "ui/pages/runs_page.h"
#include "ui/ring/ring_panel.h"
#include "ui/ring/ring_view.h"
#include "ui/shell/window_checks.h"
#include "ui/shell/window_fixture.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QProcess>
#include <QTableView>
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

/// What was opened beside the window: dialogs, menus and popups.
QList<QWidget*> openedBeside(const QWidget& window)
{
    QList<QWidget*> opened;
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (widget != &window && widget->isVisible() && !widget->inherits("QTipLabel")) {
            opened << widget;
        }
    }
    return opened;
}

} // namespace

class TestScreenshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        isolate(m_settings);
        m_folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
        m_isFull = !m_folder.isEmpty();
        m_storeFolder = m_isFull ? m_folder + QStringLiteral("/store") : m_temporary.path();
        if (m_isFull) {
            QVERIFY2(QFileInfo(RealRank).isExecutable(), "pictures need lockstep-rank");
            QVERIFY(QDir().mkpath(m_storeFolder));
        }
        qputenv("LOCKSTEP_RANK", (m_isFull ? RealRank : FakeRank).toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=0,evaluate=50,log=50");
        if (QDir(m_storeFolder).entryList({QStringLiteral("*.run")}).isEmpty()) {
            fillStore();
        }
    }

    void looks_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        const double scale = qApp->devicePixelRatio();
        for (const bool isChinese : {false, true}) {
            for (const bool isDark : {false, true}) {
                for (const QSize size : {QSize(1280, 800), QSize(1024, 640), QSize(2560, 1440)}) {
                    if (m_isFull || (isChinese == isDark && size.width() == (isDark ? 1024 : 1280))) {
                        QTest::addRow("%s-%s-%d-%d", isChinese ? "zh" : "en", isDark ? "dark" : "light", size.width(),
                            int(100 * scale))
                            << isChinese << isDark << size;
                    }
                }
            }
        }
    }

    void looks()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        QSettings().clear();
        const auto window = openWindow(m_storeFolder, size);
        QTRY_VERIFY(window->controller().table().rowCount() > 3);
        m_problems.clear();
        for (const std::string_view name : experiment::presetNames()) {
            lookAtPages(*window, name);
        }
        lookAtDialogs(*window);
        for (const QString& problem : m_problems) { // a test's message would be cut off
            qWarning("%s", qPrintable(problem));
        }
        QVERIFY(m_problems.isEmpty());
    }

    void atTwiceTheScale()
    {
        if (!m_isFull || qApp->devicePixelRatio() > 1.0) {
            return;
        }
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
        again.setProcessEnvironment(environment);
        again.setProcessChannelMode(QProcess::ForwardedChannels);
        again.start(QCoreApplication::applicationFilePath(), {QStringLiteral("test_screenshots")});
        QVERIFY(again.waitForFinished(-1));
        QCOMPARE(again.exitCode(), 0);
    }

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
        auto store = session::RunStore::open(m_storeFolder);
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
            return feed->record().spec.text("strategy.name") == "collectives"
                || std::int64_t(feed->loss().size()) == feed->record().summary.steps;
        };
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(window.controller().feeds(), isRead), 20000);
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
        lookAtTheTable(window);
        window.form().setText("dataset.name", QStringLiteral("mnist"));
        window.form().setText("net.hidden", QStringLiteral("-1"));
        QTest::qWait(30);
        look(window, QStringLiteral("form-wrong"));
        window.form().setText("net.hidden", QStringLiteral("64"));
        window.form().setText("rank.program", QStringLiteral("python3 train.py"));
    }

    /// What keys open.
    void lookAtKeys(ui::MainWindow& window)
    {
        const auto press = [&](const QKeySequence& keys) {
            return [&window, keys] {
                for (QAction* action : window.actions()) {
                    if (action->shortcuts().contains(keys)) {
                        action->trigger();
                    }
                }
            };
        };
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
            auto* dialog = new ui::DoctorDialog([] { return session::examineMachine(QDir::tempPath()); }, &window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
            dialog->examine();
            QTRY_VERIFY_WITH_TIMEOUT(!dialog->isExamining(), 60000);
        });
        for (QToolButton* button : window.findChildren<QToolButton*>()) {
            if (button->menu() != nullptr && button->isVisible() && !button->accessibleName().isEmpty()) {
                lookAtOpened(window, QStringLiteral("menu-%1").arg(button->accessibleName().replace(u' ', u'_')),
                    [button] { button->menu()->popup(button->mapToGlobal(QPoint(0, button->height()))); });
            }
        }
    }

    /// The drawer with the table of runs, and what its menus open.
    void lookAtTheTable(ui::MainWindow& window)
    {
        auto* page = window.findChild<ui::RunsPage*>();
        auto* drawer = window.findChild<QToolButton*>(QStringLiteral("drawer:table"));
        drawer->click();
        QTest::qWait(60);
        QTableView* table = page->findChildren<QTableView*>().front();
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

    void lookAtOpened(ui::MainWindow& window, const QString& name, const std::function<void()>& open)
    {
        open();
        QTest::qWait(60);
        const QList<QWidget*> opened = openedBeside(window);
        if (opened.isEmpty()) {
            m_problems << QStringLiteral("%1 opens nothing").arg(name);
        }
        for (QWidget* widget : opened) {
            look(*widget, name);
            widget->close();
        }
        QTest::qWait(10);
    }

    void look(QWidget& widget, const QString& name)
    {
        QStringList cuts = cutOf(widget);
        for (int i = 0; i < 20 && !cuts.isEmpty(); ++i) { // layouts follow each other
            QTest::qWait(50);
            cuts = cutOf(widget);
        }
        for (const QString& cut : cuts) {
            m_problems << name + QStringLiteral(": ") + cut;
        }
        for (const QString& nameless : namelessIn(widget)) {
            m_problems << name + QStringLiteral(": no name or description: ") + nameless;
        }
        if (m_isFull) {
            QVERIFY(widget.grab().save(
                QStringLiteral("%1/%2-%3.png").arg(m_folder, name, QLatin1String(QTest::currentDataTag()))));
        }
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_temporary;
    QString m_folder;
    QString m_storeFolder;
    bool m_isFull = false;
    QStringList m_problems;
};

LOCKSTEP_WINDOW_TEST(TestScreenshots)
#include "test_screenshots.moc"
