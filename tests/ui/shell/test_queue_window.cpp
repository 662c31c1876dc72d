// The queue in the window: Run while something runs, the drawer, what Stop asks, two windows, and closing without
// stopping.
#include "program/window_test.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/runs/queue_panel.h"
#include "ui/shell/window_fixture.h"

#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using launch::EntryState;

namespace {

constexpr auto LongRun = "steps=100000,rate=500";

QTreeWidget& rowsOf(const ui::MainWindow& window)
{
    return *window.findChild<QTreeWidget*>(QStringLiteral("queue"));
}

std::vector<std::int64_t> orderOf(ui::MainWindow& window)
{
    std::vector<std::int64_t> order;
    for (const launch::QueueEntry& entry : window.controller().queue().state().entries) {
        order.push_back(entry.id);
    }
    return order;
}

void press(const ui::MainWindow& window, const QString& text)
{
    for (QPushButton* button : noticesOf(window).findChildren<QPushButton*>()) {
        if (button->text() == text) {
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("there is no button ") + text));
}

void pressRun(const ui::MainWindow& window)
{
    QTest::mouseClick(window.findChild<QPushButton*>(QStringLiteral("run")), Qt::LeftButton);
}

void openDrawer(const ui::MainWindow& window)
{
    if (!window.findChild<ui::QueuePanel*>()->isVisible()) {
        QTest::mouseClick(window.findChild<QToolButton*>(QStringLiteral("drawer:queue")), Qt::LeftButton);
    }
}

using Order = std::vector<std::int64_t>;

} // namespace

class TestQueueWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_settings = std::make_unique<QTemporaryDir>();
        m_store = std::make_unique<QTemporaryDir>();
        isolate(*m_settings);
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        qputenv("LOCKSTEP_FAKE", LongRun);
        ui::applyLanguage(ui::Language::English);
    }

    void runWhileSomethingRuns()
    {
        const auto window = openWindow(m_store->path());
        pressRun(*window);
        QVERIFY(window->controller().isBusy());
        pressRun(*window);
        QVERIFY2(noticesOf(*window).text().contains(QStringLiteral("is in the queue, behind 1 experiment")),
            qPrintable(noticesOf(*window).text()));
        QCOMPARE(orderOf(*window), (Order{1, 2}));
        const auto* drawer = window->findChild<QToolButton*>(QStringLiteral("drawer:queue"));
        QCOMPARE(drawer->text(), QStringLiteral("Queue (2 experiments)"));
        openDrawer(*window);
        QCOMPARE(rowsOf(*window).topLevelItemCount(), 2);
        QCOMPARE(rowsOf(*window).topLevelItem(0)->text(1), QStringLiteral("running"));
        QCOMPARE(rowsOf(*window).topLevelItem(1)->text(1), QStringLiteral("waiting"));
        QCOMPARE(rowsOf(*window).topLevelItem(1)->text(2), QStringLiteral("3"));

        auto* stop = window->findChild<QToolButton*>(QStringLiteral("stop"));
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(noticesOf(*window).text().contains(QStringLiteral("1 other experiment waits")));
        QCOMPARE(orderOf(*window), (Order{1, 2})); // nothing is stopped yet
        press(*window, QStringLiteral("Stop “Optimizers”"));
        QTRY_COMPARE(orderOf(*window), Order{2});
        QVERIFY(window->controller().isBusy());
        QCOMPARE(rowsOf(*window).topLevelItem(0)->text(1), QStringLiteral("running"));
        QTest::mouseClick(stop, Qt::LeftButton); // no other waits: it stops
        QTRY_VERIFY(!window->controller().isBusy());
        QCOMPARE(drawer->text(), QStringLiteral("Queue"));
    }

    void orderByKeysAndByDragging()
    {
        const auto window = openWindow(m_store->path());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        for (int i = 0; i < 4; ++i) {
            pressRun(*window);
        }
        openDrawer(*window);
        QTreeWidget& rows = rowsOf(*window);
        rows.setFocus();
        rows.setCurrentItem(rows.topLevelItem(3));
        QTest::keyClick(&rows, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(orderOf(*window), (Order{1, 2, 4, 3}));
        QCOMPARE(rows.currentItem(), rows.topLevelItem(2)); // the same entry is chosen
        QTest::keyClick(&rows, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(orderOf(*window), (Order{1, 4, 2, 3}));
        drop(rows, 1, 4); // below the last
        QCOMPARE(orderOf(*window), (Order{1, 2, 3, 4}));
        drop(rows, 3, 1);
        QCOMPARE(orderOf(*window), (Order{1, 4, 2, 3}));
        drop(rows, 2, 0); // not before what runs
        QCOMPARE(orderOf(*window), (Order{1, 2, 4, 3}));
        rows.setCurrentItem(rows.topLevelItem(2));
        QTest::keyClick(&rows, Qt::Key_Space);
        QCOMPARE(rows.topLevelItem(2)->text(1), QStringLiteral("paused"));
        QTest::keyClick(&rows, Qt::Key_Delete);
        QCOMPARE(orderOf(*window), (Order{1, 2, 3}));
        auto* pause = window->findChild<QToolButton*>(QStringLiteral("queue:pause"));
        QTest::mouseClick(pause, Qt::LeftButton);
        QVERIFY(window->controller().queue().state().isPaused);
        QCOMPARE(pause->text(), QStringLiteral("Resume the queue"));
        stopAll(*window);
        QCOMPARE(orderOf(*window), (Order{2, 3}));
    }

    /// What waited is there again, and nothing starts by itself.
    void isThereAgain()
    {
        {
            const auto window = openWindow(m_store->path());
            pressRun(*window);
            pressRun(*window);
            stopAll(*window);
            QVERIFY(window->close());
        }
        const auto window = openWindow(m_store->path());
        QCOMPARE(orderOf(*window), Order{2});
        QVERIFY(!window->controller().isBusy());
        QVERIFY(window->controller().queue().state().isPaused);
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=0");
        openDrawer(*window);
        QTest::mouseClick(window->findChild<QToolButton*>(QStringLiteral("queue:pause")), Qt::LeftButton);
        QVERIFY(window->controller().isBusy());
        QTRY_COMPARE(orderOf(*window), Order{});
        QCOMPARE(window->controller().feeds().size(), std::size_t{3});
    }

    /// One line for two windows; the second follows what the first carries out, and takes over when it ends.
    void twoWindows()
    {
        auto first = openWindow(m_store->path());
        const auto second = openWindow(m_store->path());
        QVERIFY(first->controller().queue().isOwner() && !second->controller().queue().isOwner());
        pressRun(*first);
        QTRY_COMPARE(orderOf(*second), Order{1});
        QTRY_VERIFY(second->controller().isBusy());
        pressRun(*second);
        QTRY_COMPARE(orderOf(*first), (Order{1, 2}));
        QTRY_COMPARE(orderOf(*second), (Order{1, 2}));
        openDrawer(*second);
        const QString owner = QStringLiteral("run by process ") + QString::number(QCoreApplication::applicationPid());
        const auto labels = second->findChild<ui::QueuePanel*>()->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(owner); }));
        // The run's curve grows here too.
        QTRY_VERIFY(!second->controller().feeds().empty());
        QTRY_VERIFY(second->controller().feeds().front()->loss().size() > 10);
        const std::size_t before = second->controller().feeds().front()->loss().size();
        QTRY_VERIFY(second->controller().feeds().front()->loss().size() > before + 100);
        second->controller().queue().togglePause();
        QTRY_VERIFY(second->controller().queue().state().entries.front().isPaused);
        second->controller().queue().togglePause();
        // The second window's Stop reaches the first one's runs.
        second->controller().queue().stopActive();
        QTRY_COMPARE(orderOf(*first), Order{2});
        QVERIFY(second->close()); // nothing to ask: the runs are another's
        second->show();
        first.reset(); // as if its process had ended
        QTRY_VERIFY(second->controller().queue().isOwner());
        QCOMPARE(orderOf(*second), Order{2});
        QCOMPARE(second->controller().queue().state().entries.front().state, EntryState::Interrupted);
        second->controller().queue().change(QStringLiteral("resume"), 2, 0);
        QVERIFY(second->controller().isBusy());
        stopAll(*second);
    }

    void closingLeavesRunsRunning()
    {
        const auto window = openWindow(m_store->path());
        pressRun(*window);
        QVERIFY(!window->close());
        press(*window, QStringLiteral("Leave them running"));
        QVERIFY(!window->isVisible());
        QVERIFY(window->controller().isBusy());
        const auto next = openWindow(m_store->path());
        QTRY_COMPARE(orderOf(*next), Order{1});
        QTRY_VERIFY(!next->controller().feeds().empty());
        next->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
        QGuiApplication::setQuitOnLastWindowClosed(true);
    }

    void looks_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addRow("en") << false;
        QTest::addRow("zh") << true;
    }

    /// Pictures, and that no button is cut at 1024 x 640 with all drawers open.
    void looks()
    {
        QFETCH(bool, isChinese);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        const auto window = openWindow(m_store->path(), {1024, 640});
        for (int i = 0; i < 3; ++i) {
            pressRun(*window);
        }
        for (const char* drawer : {"drawer:log", "drawer:queue", "drawer:table"}) {
            QTest::mouseClick(window->findChild<QToolButton*>(QLatin1String(drawer)), Qt::LeftButton);
        }
        rowsOf(*window).setCurrentItem(rowsOf(*window).topLevelItem(1));
        QTRY_VERIFY(window->controller().feeds().front()->loss().size() > 100);
        const auto* panel = window->findChild<ui::QueuePanel*>();
        QVERIFY(panel->isVisible() && panel->rect().isValid());
        QCOMPARE(window->width(), 1024);
        for (const QWidget* child : panel->findChildren<QToolButton*>()) {
            QVERIFY2(child->width() >= child->sizeHint().width(), qPrintable(child->accessibleName()));
            QVERIFY(!child->accessibleName().isEmpty() && !child->accessibleDescription().isEmpty());
        }
        const QString name = isChinese ? QStringLiteral("queue-zh") : QStringLiteral("queue-en");
        QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots"));
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/%1.png").arg(name)));
        QVERIFY(!window->close());
        QCoreApplication::processEvents(); // the buttons are shown
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/%1-close.png").arg(name)));
        QTest::mouseClick(window->findChild<QToolButton*>(QStringLiteral("stop")), Qt::LeftButton);
        QCoreApplication::processEvents();
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/%1-stop.png").arg(name)));
        stopAll(*window);
    }

private:
    static void stopAll(ui::MainWindow& window)
    {
        window.controller().stopAll();
        QTRY_VERIFY(!window.controller().isBusy());
    }

    /// What a drop of this row before another one tells.
    static void drop(QTreeWidget& rows, int from, int before)
    {
        rows.setCurrentItem(rows.topLevelItem(from));
        QVERIFY(QMetaObject::invokeMethod(&rows, "droppedBefore", Q_ARG(int, before)));
    }

    std::unique_ptr<QTemporaryDir> m_settings;
    std::unique_ptr<QTemporaryDir> m_store;
};

LOCKSTEP_WINDOW_TEST(TestQueueWindow)
#include "test_queue_window.moc"
