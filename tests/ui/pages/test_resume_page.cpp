// A checkpoint requested in the window, a stop, and Resume in the table, with real ranks.
#include "program/window_test.h"
#include "store/checkpoints.h"
#include "ui/shell/window_fixture.h"

#include <QAbstractItemModel>

using namespace lockstep;
using namespace lockstep::tests;
using ui::RunsTableModel;

class TestResumePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RealRank).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
        isolate(m_settings);
        qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
        ui::applyLanguage(ui::Language::English);
    }

    void stopAndGoOn()
    {
        const auto window = openWindow(m_store.path());
        ui::RunController& controller = window->controller();
        RunsTableModel& table = controller.table();
        auto spec = experiment::preset("partitioning");
        spec->repeats = 1;
        spec->variants = {spec->variants.at(1)}; // the first one is the single process
        spec->base["world_size"] = std::int64_t{2};
        spec->base["train.steps"] = std::int64_t{1'000'000};
        spec->base["dataset.train_samples"] = std::int64_t{1000};
        spec->base["aggregation.what"] = std::string("gradients");
        spec->base["rank.bind"] = false;
        window->form().setSpec(*spec);
        QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
        controller.start(window->form().runs());
        QTRY_VERIFY(!controller.feeds().empty() && controller.feeds().front()->loss().size() > 20);
        const RunId first = controller.feeds().front()->id();
        const auto checkpoints
            = [&](const RunId& id) { return store::checkpointsOf(m_store.path(), *table.record(id)); };
        QVERIFY(checkpoints(first).empty());

        controller.send({wire::Command::Checkpoint});
        QTRY_COMPARE(checkpoints(first).size(), std::size_t{1});
        QVERIFY(checkpoints(first).front().isWhole);
        const auto isMarked = [&] {
            return std::ranges::any_of(controller.feeds().front()->interventions(), [&](const ui::Intervention& each) {
                return each.command == wire::Command::Checkpoint && each.step == checkpoints(first).front().step + 1;
            });
        };
        QTRY_VERIFY(isMarked());
        controller.stopAll();
        QTRY_VERIFY(!controller.isBusy());
        QTRY_COMPARE(checkpoints(first).size(), std::size_t{2}); // a stop leaves one, too
        const std::int64_t stoppedAt = checkpoints(first).back().step;
        // The table learns of a run's end from the store, which waits for the disk.
        QTRY_COMPARE(table.record(first)->summary.steps, stoppedAt);

        controller.resume({first});
        QTRY_VERIFY(controller.isBusy() && controller.feeds().size() == 2);
        const ui::RunFeed& rest = *controller.feeds().back();
        QVERIFY(rest.id() != first);
        QCOMPARE(rest.record().spec.name, "random from " + std::to_string(stoppedAt));
        QTRY_COMPARE(rest.color(), controller.feeds().front()->color()); // the variant's, for good
        QTRY_VERIFY(rest.loss().size() > 20);
        QCOMPARE(rest.loss().step.front(), stoppedAt + 1);
        QTRY_VERIFY(controller.feeds().front()->loss().size() == static_cast<std::size_t>(stoppedAt));
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/resumed.png")));
        controller.stopAll();
        QTRY_VERIFY(!controller.isBusy());
    }

    void withoutACheckpointItIsSaid()
    {
        const auto window = openWindow(m_store.path());
        ui::RunController& controller = window->controller();
        QTRY_COMPARE(controller.table().rowCount(), 2);
        const RunId id = controller.table().idAt(0);
        QVERIFY(QDir(store::checkpointFolderOf(m_store.path(), id)).removeRecursively());
        const RunId older = controller.table().idAt(1);
        QVERIFY(QDir(store::checkpointFolderOf(m_store.path(), older)).removeRecursively());
        QString said;
        connect(
            &controller, &ui::RunController::storeFailed, this, [&said](const QString& message) { said = message; });
        const RunId begun = controller.table().record(id)->spec.settings->checkpoint.from.empty() ? id : older;
        controller.resume({begun});
        QCOMPARE(said,
            QString::fromStdString(begun.text)
                + " has no checkpoint; checkpoint.every writes them during a run, and stopping a run writes one");
        QVERIFY(!controller.isBusy());
    }

private:
    QTemporaryDir m_settings;
    QTemporaryDir m_store;
};

LOCKSTEP_WINDOW_TEST(TestResumePage)
#include "test_resume_page.moc"
