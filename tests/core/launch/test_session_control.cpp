// Stop, pause, the queue, two sessions, and the end of a session.
#include "core/session_fixture.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

class TestSessionControl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void stop_data();
    void stop();
    void pauseAndResume();
    void pauseThenStop();
    void runsGoOneAfterTheOther();
    void queuedRunsCanBeDropped();
    void killAllIsImmediate();
    void twoSessionsSideBySide();
    void closingEndsTheRanks_data();
    void closingEndsTheRanks();
    void whatHasEndedIsLetGo();
    void lingeringRankHasFinished();
};

void TestSessionControl::stop_data()
{
    QTest::addColumn<QByteArray>("fake");
    QTest::addColumn<int>("limitMs");
    QTest::addRow("asked") << QByteArray("steps=100000") << 1000;
    QTest::addRow("deaf to stop") << QByteArray("steps=100000,ignore_stop") << 2900;
    QTest::addRow("deaf to stop and SIGTERM") << QByteArray("steps=100000,ignore_stop,ignore_term") << 3400;
    QTest::addRow("hangs") << QByteArray("steps=100000,hang=1") << 2900;
    QTest::addRow("SIGSTOP") << QByteArray("steps=100000,freeze=3") << 3400;
    QTest::addRow("not connected yet") << QByteArray("no_connect") << 1000;
}

void TestSessionControl::stop()
{
    QFETCH(QByteArray, fake);
    QFETCH(int, limitMs);
    SessionFixture fixture;
    const RunId id = fixture.start(fake);
    QVERIFY(fixture.waitForStatus(id, fake == "no_connect" ? RunStatus::Starting : RunStatus::Running));
    QTest::qWait(100);
    QElapsedTimer clock;
    clock.start();
    fixture.session().stop(id);
    QVERIFY(fixture.waitForEnd(id));
    QVERIFY2(isWithin(clock.elapsed(), limitMs), qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Stopped));
    QVERIFY(fixture.statuses(id).contains(QStringLiteral("stopping")));
    QVERIFY(childProcesses().empty());
}

void TestSessionControl::whatHasEndedIsLetGo()
{
    SessionFixture fixture;
    const RunId ended = fixture.start("steps=5");
    QVERIFY(fixture.waitForEnd(ended));
    const RunId alive = fixture.start("steps=100000");
    QVERIFY(fixture.waitForStatus(alive, RunStatus::Running));
    fixture.session().forget({ended, alive});
    QVERIFY(fixture.session().record(ended).id.isEmpty());
    QVERIFY(fixture.session().liveSource(ended) == nullptr);
    QCOMPARE(fixture.session().record(alive).id, alive);
    fixture.session().stop(alive);
    QVERIFY(fixture.waitForEnd(alive));
}

void TestSessionControl::pauseAndResume()
{
    SessionFixture fixture;
    const RunId id = fixture.start("steps=400");
    QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
    fixture.session().send(id, {wire::Command::Pause});
    QVERIFY(fixture.waitForStatus(id, RunStatus::Paused));
    const auto source = fixture.session().liveSource(id);
    QVERIFY(source);
    QTest::qWait(200);
    QVERIFY(source->take() != nullptr);
    QTest::qWait(300);
    const store::DeltaPtr whilePaused = source->take();
    QVERIFY(!whilePaused || whilePaused->steps.empty());
    fixture.session().send(id, {wire::Command::Resume});
    QVERIFY(fixture.waitForEnd(id));
    QCOMPARE(fixture.statuses(id), QStringList({"queued", "starting", "running", "paused", "running", "finished"}));
    const store::Delta all = fixture.stored(id);
    QCOMPARE(stepsOf(all, 0).size(), std::size_t{400});
    QCOMPARE(all.applied.size(), std::size_t{2});
}

void TestSessionControl::pauseThenStop()
{
    SessionFixture fixture;
    const RunId id = fixture.start("steps=100000");
    QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
    fixture.session().send(id, {wire::Command::Pause});
    QVERIFY(fixture.waitForStatus(id, RunStatus::Paused));
    fixture.session().stop(id);
    QVERIFY(fixture.waitForEnd(id));
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Stopped));
}

void TestSessionControl::runsGoOneAfterTheOther()
{
    SessionFixture fixture;
    qputenv("LOCKSTEP_FAKE", "steps=30");
    const std::vector<RunId> ids = fixture.session().start({fakeSpec(), fakeSpec(), fakeSpec()});
    QVERIFY(fixture.session().isBusy());
    for (const RunId& id : ids) {
        QVERIFY(fixture.waitForEnd(id));
        QCOMPARE(fixture.statuses(id), QStringList({"queued", "starting", "running", "finished"}));
    }
    QVERIFY(!fixture.session().isBusy());
    for (std::size_t i = 1; i < ids.size(); ++i) {
        const store::Delta before = fixture.stored(ids[i - 1]);
        const store::Delta after = fixture.stored(ids[i]);
        QVERIFY(before.statuses.back().wallNs <= after.statuses.front().wallNs);
    }
}

void TestSessionControl::queuedRunsCanBeDropped()
{
    SessionFixture fixture;
    qputenv("LOCKSTEP_FAKE", "steps=100000");
    const std::vector<RunId> ids = fixture.session().start({fakeSpec(), fakeSpec(), fakeSpec()});
    QVERIFY(fixture.waitForStatus(ids[0], RunStatus::Running));
    fixture.session().stop(ids[1]);
    QVERIFY(fixture.waitForEnd(ids[1]));
    QCOMPARE(fixture.record(ids[1]).message, std::string("stopped before it started"));
    QCOMPARE(analysis::nameOf(fixture.record(ids[0]).status), analysis::nameOf(RunStatus::Running));
    fixture.session().stopAll();
    QVERIFY(fixture.waitForEnd(ids[2]));
    QVERIFY(fixture.waitForEnd(ids[0]));
    QCOMPARE(analysis::nameOf(fixture.record(ids[0]).status), analysis::nameOf(RunStatus::Stopped));
    QVERIFY(!fixture.session().isBusy());
}

void TestSessionControl::killAllIsImmediate()
{
    SessionFixture fixture(withRanks(3));
    const RunId id = fixture.start("steps=100000,ignore_stop,ignore_term");
    QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
    QElapsedTimer clock;
    clock.start();
    fixture.session().killAll();
    QVERIFY(fixture.waitForEnd(id));
    QVERIFY2(isWithin(clock.elapsed(), 700), qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Stopped));
}

void TestSessionControl::twoSessionsSideBySide()
{
    SessionFixture first(withRanks(2));
    SessionFixture second(withRanks(2));
    const RunId one = first.start("steps=200");
    // The fakes of both read the same variable: the first one's must be alive before it changes.
    QVERIFY(first.waitForStatus(one, RunStatus::Running));
    const RunId other = second.start("steps=200,kill=100");
    QVERIFY(first.waitForEnd(one));
    QVERIFY(second.waitForEnd(other));
    QCOMPARE(analysis::nameOf(first.record(one).status), analysis::nameOf(RunStatus::Finished));
    QCOMPARE(analysis::nameOf(second.record(other).status), analysis::nameOf(RunStatus::Failed));
    QVERIFY(first.session().liveSource(other) == nullptr);
}

void TestSessionControl::closingEndsTheRanks_data()
{
    QTest::addColumn<QByteArray>("fake");
    QTest::addRow("obedient") << QByteArray("steps=100000");
    QTest::addRow("deaf") << QByteArray("steps=100000,ignore_stop,ignore_term");
    QTest::addRow("not connected yet") << QByteArray("no_connect,ignore_term");
}

void TestSessionControl::closingEndsTheRanks()
{
    QFETCH(QByteArray, fake);
    SessionFixture fixture(withRanks(2));
    const RunId id = fixture.start(fake);
    QVERIFY(fixture.waitForStatus(id, fake.startsWith("no_connect") ? RunStatus::Starting : RunStatus::Running));
    QElapsedTimer clock;
    clock.start();
    fixture.closeSession();
    QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QString::number(clock.elapsed())));
    QVERIFY(childProcesses().empty());
    const auto store = store::RunStore::open(fixture.storeFolder());
    QVERIFY(store.isOk());
    QCOMPARE(analysis::nameOf((*store)->load(id)->status), analysis::nameOf(RunStatus::Stopped));
}

void TestSessionControl::lingeringRankHasFinished()
{
    SessionFixture fixture;
    const RunId id = fixture.start("steps=20,linger");
    QVERIFY(fixture.waitForEnd(id));
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Finished));
    QVERIFY(childProcesses().empty());
}

LOCKSTEP_TEST(TestSessionControl)
#include "test_session_control.moc"
