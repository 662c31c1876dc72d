// Pictures of every page in both languages and themes, from one real run, in build/screenshots: for eyes. What is
// asserted is that the pages show the store's numbers, and that nothing is wider than the window.
#include "program/window_test.h"
#include "session/store/run_store.h"
#include "ui/models/numbers.h"
#include "ui/models/ring_model.h"
#include "ui/models/ring_run.h"
#include "ui/pages/findings_page.h"
#include "ui/ring/ring_panel.h"
#include "ui/ring/ring_view.h"
#include "ui/shell/window_fixture.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QDir>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using ui::RunsTableModel;

class TestScreenshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        isolate(m_settings);
        const bool isReal = QFileInfo(RealRank).isExecutable();
        qputenv("LOCKSTEP_RANK", (isReal ? RealRank : FakeRank).toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=625,rate=0,evaluate=125,log=100,spans");
        QVERIFY(QDir().mkpath(m_folder));
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
        const auto window = openWindow(m_store.path());
        window->form().setText("dataset.train_samples", QStringLiteral("4000"));
        window->form().setVariantText(0, "train.epochs", QStringLiteral("20"));
        QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
        QTest::qWait(100);
        QVERIFY(window->grab().save(m_folder + QStringLiteral("/empty-en-light-1280.png")));
        window->controller().start(window->form().runs());
        QTRY_VERIFY_WITH_TIMEOUT(window->controller().log().rowCount() > 3, 60000);
        QTest::qWait(300);
        QVERIFY(window->grab().save(m_folder + QStringLiteral("/running-en-light-1280.png")));
        QTRY_VERIFY_WITH_TIMEOUT(!window->controller().isBusy(), 180000);
    }

    void pages_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        for (const bool isChinese : {false, true}) {
            for (const bool isDark : {false, true}) {
                for (const QSize size : {QSize(1280, 800), QSize(1024, 640)}) {
                    QTest::addRow("%s-%s-%d", isChinese ? "zh" : "en", isDark ? "dark" : "light", size.width())
                        << isChinese << isDark << size;
                }
            }
        }
    }

    void pages()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        const auto window = openWindow(m_store.path(), size);
        RunsTableModel& table = window->controller().table();
        QTRY_COMPARE(table.rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            table.setData(table.index(row, RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
        }
        QTRY_VERIFY(allDrawn(*window));
        QTest::qWait(200);
        QCOMPARE(window->size(), size);
        for (int tab = 0; tab < window->tabs().count(); ++tab) {
            window->tabs().setCurrentIndex(tab);
            QTest::qWait(150);
            QVERIFY(window->grab().save(
                QStringLiteral("%1/tab%2-%3.png").arg(m_folder).arg(tab).arg(QLatin1String(QTest::currentDataTag()))));
        }
        checkNumbers(*window);
        window->form().setText("dataset.name", QStringLiteral("mnist"));
        window->form().setVariantText(0, "optimizer.lr", QStringLiteral("-1"));
        QTest::qWait(50);
        QVERIFY(window->grab().save(
            QStringLiteral("%1/wrong-%2.png").arg(m_folder, QLatin1String(QTest::currentDataTag()))));
    }

    /// A stored run of several ranks: its timeline near and far, its ring in the middle of a step and at the end.
    void ranks_data() { pages_data(); }
    void ranks()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        const int world = size.width() > 1100 ? 4 : 8;
        QTemporaryDir folder;
        storeRingRun(folder.path(), world);
        const auto window = openWindow(folder.path(), size);
        RunsTableModel& table = window->controller().table();
        QTRY_COMPARE(table.rowCount(), 1);
        table.setData(table.index(0, RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
        QTRY_VERIFY(!window->controller().feeds().empty());
        QTRY_COMPARE(window->controller().feeds().front()->ring().steps().size(), std::size_t(20));
        window->tabs().setCurrentWidget(&window->tabs().timeline());
        ui::TimelineView& timeline = window->tabs().timeline().view();
        QTest::qWait(100);
        save(*window, "timeline");
        timeline.showWhole();
        QTest::mouseMove(&timeline, QPoint(timeline.width() / 2, timeline.height() / 2));
        QTest::qWait(100);
        save(*window, "timeline-whole");
        const auto from = timeline.shownWindow().fromNs;
        timeline.setShownWindow({from + 5'000'000, from + 5'400'000});
        QTest::qWait(50);
        save(*window, "timeline-near");
        window->tabs().setCurrentWidget(&window->tabs().ring());
        ui::RingView& ring = window->tabs().ring().view();
        ring.choose(20);
        for (int i = 0; i < world * (world - 1) + 3; ++i) {
            ring.stepOne();
        }
        QTest::qWait(100);
        save(*window, "ring");
        ring.setMessagesPerSecond(64.0);
        ring.togglePlay();
        QTest::qWait(120);
        ring.togglePlay();
        save(*window, "ring-flying");
        ring.choose(200);
        while (!ring.player().isAtEnd()) {
            ring.stepOne();
        }
        save(*window, "ring-waiting");
    }

private:
    void save(ui::MainWindow& window, const char* name)
    {
        QVERIFY(window.grab().save(
            QStringLiteral("%1/%2-%3.png").arg(m_folder, QLatin1String(name), QLatin1String(QTest::currentDataTag()))));
    }

    /// 200 steps, every tenth with its messages; in the last one rank 2 stops half way.
    static void storeRingRun(const QString& folder, int world)
    {
        auto store = session::RunStore::open(folder);
        QVERIFY(store.isOk());
        test::RingRun run(world);
        auto writer = store.value()->create(run.record());
        QVERIFY(writer.isOk());
        QVERIFY(writer.value()->add(run.hello()).isOk());
        for (int step = 1; step < 200; ++step) {
            QVERIFY(writer.value()->add(run.step(step % 10 == 0)).isOk());
            if (step == 196) {
                QVERIFY(writer.value()->add(run.straggler(2, 5.0)).isOk());
            }
        }
        QVERIFY(writer.value()->add(run.step(true, 2, world - 1)).isOk());
        QVERIFY(writer.value()->finish(analysis::RunStatus::Failed, "rank 2 has not answered", {}).isOk());
    }

    static bool allDrawn(ui::MainWindow& window)
    {
        return std::ranges::all_of(window.controller().feeds(),
            [](const ui::RunFeed* feed) { return std::int64_t(feed->loss().size()) == feed->record().summary.steps; });
    }

    void checkNumbers(ui::MainWindow& window)
    {
        const auto store = session::RunStore::open(m_store.path());
        QVERIFY(store.isOk());
        const QString findings = window.findChild<ui::FindingsPage*>()->toPlainText();
        const RunsTableModel& table = window.controller().table();
        for (int row = 0; row < table.rowCount(); ++row) {
            const auto record = store.value()->load(table.idAt(row));
            QVERIFY(record.isOk());
            const analysis::Summary& summary = record.value().summary;
            const auto text = [&](int column) { return table.index(row, column).data(Qt::DisplayRole).toString(); };
            QCOMPARE(text(RunsTableModel::Loss), ui::numberText(summary.finalLoss));
            QCOMPARE(text(RunsTableModel::Accuracy), ui::percentText(summary.testAccuracy));
            QVERIFY(findings.contains(ui::numberText(summary.finalLoss)));
            QVERIFY(findings.contains(ui::percentText(summary.testAccuracy)));
            QVERIFY(findings.contains(ui::countText(summary.steps)));
        }
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    const QString m_folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");
};

LOCKSTEP_WINDOW_TEST(TestScreenshots)
#include "test_screenshots.moc"
