// Stored runs replayed in the window, and two charts side by side, with fake ranks that use the real protocol.
#include "program/window_test.h"
#include "ui/charts/qcp.h"
#include "ui/charts/read_out.h"
#include "ui/models/charts/chart_model.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/pages/replay_bar.h"
#include "ui/pages/runs/run_list.h"
#include "ui/shell/runs/replay_session.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/view_modes.h"
#include "ui/shell/window_fixture.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QCryptographicHash>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

/// What is in each file of the store.
QMap<QString, QByteArray> contentsOf(const QString& folder)
{
    QMap<QString, QByteArray> contents;
    for (const QString& name :
        QDir(folder).entryList({QStringLiteral("*.run"), QStringLiteral("index.sqlite")}, QDir::Files)) {
        QFile file(QDir(folder).filePath(name));
        if (file.open(QIODevice::ReadOnly)) {
            contents[name] = QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256);
        }
    }
    return contents;
}

std::vector<std::size_t> stepsOf(ui::MainWindow& window)
{
    std::vector<std::size_t> steps;
    for (const ui::RunFeed* feed : window.controller().feeds()) {
        steps.push_back(feed->loss().size());
    }
    return steps;
}

QAction* actionOf(const ui::MainWindow& window, const QKeySequence& key)
{
    const QList<QAction*> actions = window.actions();
    const auto found
        = std::ranges::find_if(actions, [&](const QAction* action) { return action->shortcuts().contains(key); });
    return found == actions.end() ? nullptr : *found;
}

/// A replay of the shown runs, paused at its beginning.
void startReplay(ui::MainWindow& window)
{
    actionOf(window, Qt::CTRL | Qt::Key_R)->trigger();
    QTRY_VERIFY(window.controller().shown().isReplaying());
    actionOf(window, Qt::ALT | Qt::Key_P)->trigger();
    window.modes().replay().seek(0.0);
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        isolate(m_settings);
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=2000,evaluate=100,log=50");
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
        m_window = openWindow(m_store.path());
        runAll(*m_window);
        QCOMPARE(stepsOf(*m_window), (std::vector<std::size_t>{200, 200, 200}));
    }

    void cleanupTestCase() { m_window.reset(); }

    void replayPlaysStepsAndWritesNothing()
    {
        ui::MainWindow& window = *m_window;
        auto* bar = window.findChild<ui::ReplayBar*>();
        auto* time = window.findChild<QLabel*>(QStringLiteral("replayTime"));
        const auto before = contentsOf(m_store.path());
        const std::vector<ui::RunFeed*> shown = window.controller().feeds();
        const int lines = window.controller().log().rowCount();
        QVERIFY(!bar->isVisible());

        startReplay(window);
        QVERIFY(bar->isVisible());
        QCOMPARE(stepsOf(window), (std::vector<std::size_t>{0, 0, 0}));
        QVERIFY(window.controller().log().rowCount() < lines);
        actionOf(window, Qt::ALT | Qt::Key_Right)->trigger();
        const auto after = stepsOf(window);
        QCOMPARE(*std::ranges::max_element(after), std::size_t(1));
        QVERIFY2(time->text().startsWith(QStringLiteral("step 1 · 0.")), qPrintable(time->text()));
        QVERIFY2(time->text().endsWith(QStringLiteral("at 1×")), qPrintable(time->text()));

        window.modes().replay().seek(1e9);
        QCOMPARE(stepsOf(window), (std::vector<std::size_t>{200, 200, 200}));
        window.findChild<QSlider*>(QStringLiteral("replayScrubber"))->setValue(0);
        QCOMPARE(stepsOf(window), (std::vector<std::size_t>{0, 0, 0}));
        window.modes().replay().setSpeed(100.0);
        actionOf(window, Qt::ALT | Qt::Key_P)->trigger();
        QTRY_COMPARE(stepsOf(window), (std::vector<std::size_t>{200, 200, 200}));

        actionOf(window, Qt::Key_Escape)->trigger();
        QVERIFY(!bar->isVisible());
        QCOMPARE(window.controller().feeds(), shown);
        QCOMPARE(window.controller().log().rowCount(), lines);
        QCOMPARE(contentsOf(m_store.path()), before);
    }

    /// What is shown changes: the charts are no longer a replay.
    void tickingARunLeavesTheReplay()
    {
        ui::MainWindow& window = *m_window;
        startReplay(window);
        ui::RunsTableModel& table = window.controller().table();
        table.setData(table.index(0, ui::RunsTableModel::Name), Qt::Unchecked, Qt::CheckStateRole);
        QVERIFY(!window.modes().replay().isOn());
        QCOMPARE(window.controller().feeds().size(), std::size_t(2));
        table.setData(table.index(0, ui::RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
        QTRY_COMPARE(stepsOf(window), (std::vector<std::size_t>{200, 200, 200}));
    }

    void theListOfRunsOffersAReplay()
    {
        ui::MainWindow& window = *m_window;
        auto* list = window.findChild<ui::RunList*>()->findChild<QTreeWidget*>();
        QTreeWidgetItem* experiment = list->topLevelItem(0);
        QTRY_VERIFY(experiment != nullptr && experiment->childCount() > 0 && experiment->child(0)->childCount() == 3);
        experiment->setExpanded(true);
        experiment->child(0)->setExpanded(true);
        QTreeWidgetItem* second = experiment->child(0)->child(1);
        list->scrollToItem(second);
        Q_EMIT list->customContextMenuRequested(list->visualItemRect(second).center());
        auto* menu = window.findChild<ui::RunList*>()->findChild<QMenu*>();
        QVERIFY(menu != nullptr);
        const QList<QAction*> entries = menu->actions();
        const auto entry = std::ranges::find_if(
            entries, [](const QAction* each) { return each->text() == QLatin1String("Replay"); });
        QVERIFY(entry != entries.end());
        (*entry)->trigger();
        menu->close();
        QTRY_VERIFY(window.controller().shown().isReplaying());
        QCOMPARE(window.controller().feeds().size(), std::size_t(1));
        window.modes().replay().leave();
        QCOMPARE(window.controller().feeds().size(), std::size_t(3));
    }

    void aNewRunLeavesTheReplay()
    {
        ui::MainWindow& window = *m_window;
        startReplay(window);
        runAll(window);
        QVERIFY(!window.modes().replay().isOn());
        QCOMPARE(stepsOf(window), std::vector<std::size_t>(3, 200)); // its own
        // Runs go on behind a replay of others, and are there when it is left.
        window.controller().start(window.form().runs());
        const std::vector<RunId> first{window.controller().table().records().back().id};
        window.modes().replay().start(first);
        QTRY_VERIFY(window.controller().shown().isReplaying());
        QTRY_VERIFY(!window.controller().isBusy());
        QVERIFY(window.modes().replay().isOn());
        window.modes().replay().leave();
        QCOMPARE(stepsOf(window), std::vector<std::size_t>(3, 200));
    }

    void presenterModeHasLargeTypeAndTheChartAlone()
    {
        ui::MainWindow& window = *m_window;
        const double size = QApplication::font().pointSizeF();
        auto* list = window.findChild<ui::RunList*>();
        QAction* presenter = actionOf(window, Qt::SHIFT | Qt::Key_F11);
        presenter->trigger();
        QVERIFY(QApplication::font().pointSizeF() > 1.5 * size);
        QVERIFY(window.isFullScreen() && !list->isVisible());
        auto* title = window.findChild<QLabel*>(QStringLiteral("presented"));
        QVERIFY(title->isVisible() && !title->text().isEmpty());
        QCOMPARE(ui::typeScale(), 1.8); // the lines of charts follow it
        actionOf(window, Qt::Key_Escape)->trigger();
        QCOMPARE(QApplication::font().pointSizeF(), size);
        QVERIFY(!window.isFullScreen() && list->isVisible());
        QVERIFY(!title->isVisible());
        QCOMPARE(ui::typeScale(), 1.0);
        QVERIFY(!presenter->isChecked());
    }

    /// Two charts over one axis have one cursor, and the second one costs nothing once it is closed.
    void twoChartsShareTheirCursor()
    {
        ui::MainWindow& window = *m_window;
        ui::RunTabs& tabs = window.tabs();
        tabs.setCurrentIndex(tabs.viewOf(*ui::findChart(u"loss")));
        QAction* two = actionOf(window, Qt::CTRL | Qt::SHIFT | Qt::Key_T);
        two->trigger();
        ui::SecondChart& second = window.modes().twoCharts().second();
        second.choose(QStringLiteral("accuracy"));
        QTest::qWait(150);
        auto* first = qobject_cast<ui::ChartPanel*>(tabs.currentWidget());
        const auto readOutOf = [](const ui::ChartPanel* panel) { return panel->findChild<ui::ReadOutSheet*>(); };
        QVERIFY(second.isVisible() && second.panel() != nullptr);
        QVERIFY(std::abs(second.height() - first->height()) < 60 || std::abs(second.width() - first->width()) < 60);
        auto* plot = first->findChild<QCustomPlot*>();
        QTest::mouseMove(plot, plot->axisRect()->center());
        QTRY_VERIFY(!readOutOf(first)->shown().rows.empty());
        QTRY_VERIFY(!readOutOf(second.panel())->shown().rows.empty());
        QVERIFY(window.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/two-charts.png")));
        second.choose(QStringLiteral("time")); // not over steps
        QTest::qWait(50);
        QTest::mouseMove(plot, plot->axisRect()->center() + QPoint(20, 0));
        QTest::qWait(50);
        QVERIFY(readOutOf(second.panel())->shown().rows.empty());
        second.choose(QStringLiteral("accuracy"));
        two->trigger();
        QVERIFY(!second.isVisible());
        QVERIFY(second.panel() == nullptr);
        two->trigger();
        QCOMPARE(QLatin1String(second.panel()->model().kind().id), QLatin1String("accuracy"));
        two->trigger();
    }

    /// Also in the smallest window: neither is pressed flat by what another page needs.
    void twoChartsShareTheSmallestWindow()
    {
        ui::MainWindow& window = *m_window;
        const QSize before = window.size();
        window.resize(1024, 640);
        window.tabs().setCurrentIndex(window.tabs().viewOf(*ui::findChart(u"loss")));
        QAction* two = actionOf(window, Qt::CTRL | Qt::SHIFT | Qt::Key_T);
        two->trigger();
        ui::SecondChart& second = window.modes().twoCharts().second();
        second.choose(QStringLiteral("accuracy"));
        QTest::qWait(150);
        const int height = second.panel()->findChild<QCustomPlot*>()->height();
        two->trigger();
        window.resize(before);
        QVERIFY2(height > 105, qPrintable(QString::number(height)));
    }

    /// For eyes.
    void pictures_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("en-light-1280") << false << false << QSize(1280, 800);
        QTest::newRow("zh-dark-1024") << true << true << QSize(1024, 640);
    }

    void pictures()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::MainWindow& window = *m_window;
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        window.resize(size);
        startReplay(window);
        window.modes().replay().seek(0.06);
        window.modes().replay().setSpeed(0.5);
        const auto save = [&](const char* name) {
            QTest::qWait(150);
            QVERIFY(window.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/%1-%2.png")
                                           .arg(QLatin1String(name), QLatin1String(QTest::currentDataTag()))));
        };
        save("replay");
        window.tabs().setCurrentIndex(window.tabs().viewOf(*ui::findChart(u"time")));
        save("replay-time");
        window.tabs().setCurrentIndex(window.tabs().viewOf(*ui::findChart(u"loss")));
        QAction* presenter = actionOf(window, Qt::SHIFT | Qt::Key_F11);
        presenter->trigger();
        window.resize(size);
        save("presenter");
        presenter->trigger();
        window.modes().replay().leave();
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
    }

private:
    void runAll(ui::MainWindow& window)
    {
        window.controller().start(window.form().runs());
        QTRY_VERIFY(!window.controller().isBusy());
        const auto hasEnded = [&window](const ui::RunFeed* feed) {
            return feed->loss().size() == 200
                && analysis::isFinal(window.controller().table().record(feed->id())->status);
        };
        QTRY_VERIFY(std::ranges::all_of(window.controller().feeds(), hasEnded));
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    std::unique_ptr<ui::MainWindow> m_window;
};

LOCKSTEP_WINDOW_TEST(TestReplay)
#include "test_replay.moc"
