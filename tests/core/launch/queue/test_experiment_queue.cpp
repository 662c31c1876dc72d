// The queue of experiments in one process: its order, what pausing and stopping mean, and what a crash leaves.
#include "base/clock.h"
#include "core/session_fixture.h"
#include "launch/queue/experiment_queue.h"
#include "launch/queue/queue_request.h"
#include "launch/queue/queue_server.h"
#include "launch/queue/queue_times.h"
#include "program/test_class.h"
#include "store/file/database.h"

#include <QLocalSocket>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <sys/stat.h>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::launch;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

std::vector<experiment::RunSpec> runsOf(std::int64_t seed, int count = 1)
{
    std::vector<experiment::RunSpec> runs;
    for (int variant = 0; variant < count; ++variant) {
        runs.push_back(fakeSpec());
        runs.back().name = "variant " + std::to_string(variant);
        runs.back().settings["train.seed"] = seed;
        runs.back().settings["measure.limit_s"] = 1.0;
    }
    return runs;
}

std::unique_ptr<ExperimentQueue> openQueue(const QString& folder)
{
    auto queue = ExperimentQueue::open(folder);
    if (!queue) {
        qWarning("%s", queue.error().text().c_str());
        return nullptr;
    }
    return *std::move(queue);
}

std::int64_t added(ExperimentQueue& queue, const std::vector<experiment::RunSpec>& runs)
{
    const auto id = queue.add("test", runs);
    return id ? *id : 0;
}

std::vector<std::int64_t> orderOf(const ExperimentQueue& queue)
{
    std::vector<std::int64_t> order;
    std::ranges::transform(queue.state().entries, std::back_inserter(order), &QueueEntry::id);
    return order;
}

void execute(const QString& folder, const QString& sql)
{
    auto database = Database::open(folder + QStringLiteral("/queue.sqlite"), Access::ReadWrite);
    QVERIFY(database.isOk());
    QVERIFY((*database)->exec(sql).isOk());
}

using Order = std::vector<std::int64_t>;

} // namespace

class TestExperimentQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isKept()
    {
        const QTemporaryDir folder;
        {
            const auto queue = openQueue(folder.path());
            QVERIFY(queue);
            QCOMPARE(added(*queue, runsOf(1, 2)), 1);
            QCOMPARE(added(*queue, runsOf(2)), 2);
            QCOMPARE(added(*queue, runsOf(3)), 3);
            QVERIFY(queue->move(3, 0).isOk());
            QVERIFY(queue->pause(1).isOk());
            QVERIFY(queue->remove(2).isOk());
            QVERIFY(queue->pause().isOk());
            const auto other = ExperimentQueue::open(folder.path());
            QVERIFY(other.isOk() && *other == nullptr); // there is one owner
            QCOMPARE(QueueLock::owner(folder.path()), QCoreApplication::applicationPid());
        }
        const auto queue = openQueue(folder.path());
        QVERIFY(queue);
        QCOMPARE(orderOf(*queue), (Order{3, 1}));
        QVERIFY(queue->state().isPaused);
        QVERIFY(!queue->state().entries[0].isPaused && queue->state().entries[1].isPaused);
        QCOMPARE(queue->state().entries[1].runs.size(), std::size_t{2});
        QCOMPARE(queue->state().entries[1].runs[1].spec.settings, withAbsolutePaths(runsOf(1, 2)[1]).settings);
        QCOMPARE(added(*queue, runsOf(4)), 4); // numbers are never used twice
        QVERIFY(queue->remove(4).isOk());
        QCOMPARE(added(*queue, runsOf(4)), 5);
        QVERIFY(queue->clear().isOk());
        QCOMPARE(orderOf(*queue), Order{});
    }

    void runsInOrder()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=0");
        const auto queue = openQueue(fixture.storeFolder());
        const std::int64_t first = added(*queue, runsOf(1, 2));
        const std::int64_t second = added(*queue, runsOf(2));
        const std::int64_t passedOver = added(*queue, runsOf(3));
        QVERIFY(queue->pause(passedOver).isOk());
        QSignalSpy began(queue.get(), &ExperimentQueue::began);
        QSignalSpy idle(queue.get(), &ExperimentQueue::idle);
        queue->carryOut(fixture.session());
        QTRY_COMPARE(idle.count(), 1);
        QCOMPARE(began.count(), 2);
        QCOMPARE(began[0][0].toLongLong(), first);
        QCOMPARE(began[1][0].toLongLong(), second);
        QCOMPARE(orderOf(*queue), Order{passedOver});
        const auto store = RunStore::open(fixture.storeFolder());
        QCOMPARE((*store)->list().size(), std::size_t{3});
        QVERIFY(queue->resume(passedOver).isOk());
        QTRY_COMPARE(idle.count(), 2);
        QCOMPARE(orderOf(*queue), Order{});
        QCOMPARE((*store)->list().size(), std::size_t{4});
    }

    /// All runs of the entry, those that take turns too.
    void pausesTogether()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=1000");
        const auto queue = openQueue(fixture.storeFolder());
        queue->carryOut(fixture.session());
        const std::int64_t id = added(*queue, runsOf(1, 2));
        const std::vector<RunId> runs = queue->activeRuns();
        QCOMPARE(runs.size(), std::size_t{2});
        for (const RunId& run : runs) {
            QVERIFY(fixture.waitForStatus(run, RunStatus::Running));
        }
        QVERIFY(queue->pause(id).isOk());
        for (const RunId& run : runs) {
            QTRY_COMPARE(fixture.record(run).status, RunStatus::Paused);
        }
        QVERIFY(queue->state().entries.front().isPaused);
        QVERIFY(queue->resume(id).isOk());
        for (const RunId& run : runs) {
            QTRY_COMPARE(fixture.record(run).status, RunStatus::Running);
        }
        QVERIFY(!queue->move(id, 0).isOk());
        QVERIFY(!queue->remove(id).isOk());
        QVERIFY(queue->stop(id).isOk());
        QTRY_COMPARE(orderOf(*queue), Order{});
        QCOMPARE(fixture.record(runs[0]).status, RunStatus::Stopped);
        QCOMPARE(fixture.record(runs[1]).status, RunStatus::Stopped);
    }

    void stopsThisOrAll()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=1000");
        const auto queue = openQueue(fixture.storeFolder());
        const std::int64_t first = added(*queue, runsOf(1));
        const std::int64_t second = added(*queue, runsOf(2));
        const std::int64_t third = added(*queue, runsOf(3));
        queue->carryOut(fixture.session());
        QVERIFY(queue->stop(first).isOk()); // the next one begins
        QTRY_COMPARE(orderOf(*queue), (Order{second, third}));
        QCOMPARE(queue->state().active()->id, second);
        QVERIFY(queue->stop().isOk()); // none begins
        QTRY_COMPARE(orderOf(*queue), Order{third});
        QVERIFY(queue->state().isPaused && queue->state().active() == nullptr);
        // What the user starts by hand begins all the same.
        const auto atOnce = queue->add("now", runsOf(4), ExperimentQueue::Begin::AtOnce);
        QVERIFY(atOnce.isOk());
        QCOMPARE(queue->state().active()->id, *atOnce);
        QVERIFY(queue->stop().isOk());
        QTRY_COMPARE(orderOf(*queue), Order{third});
    }

    /// A row says that its entry runs, and no process has it.
    void crashLeavesAnInterruptedEntry()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=0");
        const RunId finished = fixture.start("steps=20,rate=0");
        QVERIFY(fixture.waitForEnd(finished));
        const QString folder = fixture.storeFolder();
        {
            const auto rows = QueueRows::open(folder);
            QueueEntry entry{.name = "half", .state = EntryState::Running};
            for (const auto& run : runsOf(1, 3)) {
                entry.runs.push_back({run});
            }
            entry.runs[0].id = finished;
            entry.runs[1].id = makeRunId(wallNs() / 1'000'000'000, 7); // it was not started in time
            QVERIFY((*rows)->add(entry).isOk());
            entry.runs.resize(1);
            QVERIFY((*rows)->add(entry).isOk()); // all its runs had ended
        }
        const auto queue = openQueue(folder);
        QCOMPARE(orderOf(*queue), Order{1});
        QCOMPARE(queue->state().entries[0].state, EntryState::Interrupted);
        QSignalSpy idle(queue.get(), &ExperimentQueue::idle);
        queue->carryOut(fixture.session());
        QCOMPARE(idle.count(), 1); // it does not start by itself
        QVERIFY(queue->resume(1).isOk());
        QCOMPARE(queue->activeRuns().size(), std::size_t{2});
        QTRY_COMPARE(idle.count(), 2);
        QCOMPARE(orderOf(*queue), Order{});
        QCOMPARE((*RunStore::open(folder))->list().size(), std::size_t{3});
    }

    void interruptKeepsTheEntry()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=1000");
        {
            const auto queue = openQueue(fixture.storeFolder());
            queue->carryOut(fixture.session());
            QCOMPARE(added(*queue, runsOf(1)), 1);
            QCOMPARE(added(*queue, runsOf(2)), 2);
            QVERIFY(fixture.waitForStatus(queue->activeRuns().front(), RunStatus::Running));
            QSignalSpy idle(queue.get(), &ExperimentQueue::idle);
            queue->interrupt();
            QTRY_VERIFY(idle.count() > 0);
        }
        const auto queue = openQueue(fixture.storeFolder());
        QCOMPARE(orderOf(*queue), (Order{1, 2}));
        QCOMPARE(queue->state().entries[0].state, EntryState::Interrupted);
        QCOMPARE(queue->state().entries[1].state, EntryState::Waiting);
    }

    void aDamagedFileIsSetAside()
    {
        SessionFixture fixture;
        QFile file(fixture.storeFolder() + "/queue.sqlite");
        QVERIFY(QDir().mkpath(fixture.storeFolder()) && file.open(QIODevice::WriteOnly));
        file.write(QByteArray(4096, 'x'));
        file.close();
        for (int time = 0; time < 2; ++time) { // it is said until the entry is removed
            const auto queue = openQueue(fixture.storeFolder());
            QCOMPARE(queue->state().entries.size(), std::size_t{1});
            QCOMPARE(queue->state().entries.front().state, EntryState::Damaged);
            QVERIFY(queue->state().entries.front().problem.english.find("queue.sqlite.damaged") != std::string::npos);
        }
        QVERIFY(QFile::exists(fixture.storeFolder() + "/queue.sqlite.damaged"));
    }

    /// It is told in one line, stays, and does not keep others from running.
    void damagedRow()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=0");
        {
            const auto queue = openQueue(fixture.storeFolder());
            QCOMPARE(added(*queue, runsOf(1)), 1);
            QCOMPARE(added(*queue, runsOf(2)), 2);
        }
        execute(fixture.storeFolder(), QStringLiteral("UPDATE entries SET runs = '[{\"spec\"' WHERE id = 1"));
        const auto queue = openQueue(fixture.storeFolder());
        QCOMPARE(queue->state().entries[0].state, EntryState::Damaged);
        QCOMPARE(
            queue->state().entries[0].problem.english, std::string("this entry cannot be read: its runs are not JSON"));
        QSignalSpy idle(queue.get(), &ExperimentQueue::idle);
        queue->carryOut(fixture.session());
        QTRY_COMPARE(idle.count(), 1);
        QCOMPARE(orderOf(*queue), Order{1});
        QVERIFY(!queue->resume(1).isOk());
        QVERIFY(queue->remove(1).isOk());
        QCOMPARE(orderOf(*queue), Order{});
    }

    void foreignFiles()
    {
        const QTemporaryDir later;
        openQueue(later.path()).reset();
        execute(later.path(), QStringLiteral("PRAGMA user_version = 9"));
        const auto newer = ExperimentQueue::open(later.path());
        QVERIFY(!newer && newer.error().text().ends_with("queue.sqlite is from a later version of Lockstep"));
        const QTemporaryDir other;
        QFile file(other.filePath(QStringLiteral("queue.sqlite")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(5000, 'x')) == 5000);
        file.close();
        const auto garbage = ExperimentQueue::open(other.path());
        QVERIFY(garbage.isOk()); // it was set aside
    }

    void requests_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("says");
        QTest::addRow("bytes") << QByteArray("\x00\xff\xfe{{", 5) << QByteArray("is not a line of JSON");
        QTest::addRow("empty") << QByteArray() << QByteArray("is not a line of JSON");
        QTest::addRow("a list") << QByteArray("[1]") << QByteArray("is not a line of JSON");
        QTest::addRow("deep") << QByteArray(100000, '[') << QByteArray("is not a line of JSON");
        QTest::addRow("unknown") << QByteArray("{\"do\":\"dance\"}") << QByteArray("\\\"dance\\\" is not a request");
        QTest::addRow("no id") << QByteArray("{\"do\":\"remove\"}") << QByteArray("lacks an \\\"id\\\"");
        QTest::addRow("id as text") << QByteArray("{\"do\":\"remove\",\"id\":\"1\"}") << QByteArray("not the number");
        QTest::addRow("no entry") << QByteArray("{\"do\":\"remove\",\"id\":77}") << QByteArray("there is no entry 77");
        QTest::addRow("no place") << QByteArray("{\"do\":\"move\",\"id\":1}") << QByteArray("needs a position");
        QTest::addRow("behind") << QByteArray("{\"do\":\"move\",\"id\":1,\"to\":-3}")
                                << QByteArray("-3 is not a position");
        QTest::addRow("stop what waits") << QByteArray("{\"do\":\"stop\",\"id\":1}") << QByteArray("is not running");
        QTest::addRow("no runs") << QByteArray("{\"do\":\"add\",\"name\":\"x\",\"runs\":[]}")
                                 << QByteArray("not a list of runs");
        QTest::addRow("wrong run") << QByteArray(
            "{\"do\":\"add\",\"name\":\"x\",\"runs\":[{\"spec\":{\"version\":1,\"experiment\":\"own\","
            "\"name\":\"a\",\"repeat\":0,\"base\":{\"train.batch\":-4}}}]}")
                                   << QByteArray("train.batch");
    }

    /// Over the socket: one line each, and the queue is as it was.
    void requests()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, says);
        const QTemporaryDir folder;
        const auto queue = openQueue(folder.path());
        QCOMPARE(added(*queue, runsOf(1)), 1);
        QueueServer server(*queue);
        QVERIFY(server.listen(folder.path()).isOk());
        const QString address = *queueSocket(folder.path());
        QVERIFY(address.toUtf8().size() < 108);
        struct stat status { };
        QCOMPARE(stat(address.toUtf8().constData(), &status), 0);
        QCOMPARE(status.st_mode & 07777U, 0600U);
        QLocalSocket socket;
        socket.connectToServer(address);
        QVERIFY(socket.waitForConnected());
        socket.write(line + '\n');
        QTRY_VERIFY(socket.canReadLine());
        const QByteArray answer = socket.readLine();
        QVERIFY2(answer.startsWith("{\"ok\":false,\"error\":\"") && answer.contains(says), answer.constData());
        QCOMPARE(answer.count('\n'), 1);
        QCOMPARE(orderOf(*queue), Order{1});
        socket.write("{\"do\":\"watch\"}\n");
        QTRY_VERIFY(socket.canReadLine());
        QCOMPARE(stateOf(socket.readLine())->entries.size(), std::size_t{1});
        QVERIFY(queue->clear().isOk());
        QTRY_VERIFY(socket.canReadLine()); // a watcher hears of every change
        QCOMPARE(stateOf(socket.readLine())->entries.size(), std::size_t{0});
    }

    void endlessRequest()
    {
        const QTemporaryDir folder;
        const auto queue = openQueue(folder.path());
        QueueServer server(*queue);
        QVERIFY(server.listen(folder.path()).isOk());
        QLocalSocket socket;
        socket.connectToServer(*queueSocket(folder.path()));
        QVERIFY(socket.waitForConnected());
        socket.write(QByteArray(LongestRequest + 1000, 'x'));
        QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
        QVERIFY(queue->clear().isOk());
    }

    void timesAreEstimated()
    {
        QueueState queue;
        QueueEntry entry{.id = 1, .name = "two"};
        for (const auto& run : runsOf(1, 2)) {
            entry.runs.push_back({run});
        }
        queue.entries = {entry, QueueEntry{.id = 2, .name = {}, .state = EntryState::Damaged}};
        const double both = secondsOf(queue, {}).whole;
        QVERIFY(both > 0.0);
        QCOMPARE(secondsOf(queue, {}).entries.front(), both);
        analysis::RunRecord finished;
        finished.id = RunId{"20261120-221403-k3f9"};
        finished.spec = entry.runs[0].spec;
        finished.status = RunStatus::Failed; // it is not run again, and no measure of the other's time
        queue.entries[0].runs[0].id = finished.id;
        QCOMPARE(secondsOf(queue, {&finished, 1}).whole, both / 2.0);
    }
};

LOCKSTEP_TEST(TestExperimentQueue)
#include "test_experiment_queue.moc"
