// Every way in which a rank can end or misbehave: the run ends as failed, in time, with the rank and the cause, no
// process is left, and received data is stored.
#include "core/session_fixture.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

#include <csignal>

#include <sys/resource.h>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

class TestSessionFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void rankEnds_data();
    void rankEnds();
    void otherRanksAreEndedWithin2s();
    void killLosesNothingReceived();
    void programIsMissing_data();
    void programIsMissing();
    void aDeadRanksLastStepIsNoStep();
    void silenceAtTheStart();
    void strangersDisturbNothing();
    void fullDisk();
    void nextRunStartsAfterAFailure();
    /// A sanitizer would make an exit code of a segmentation fault.
    void initTestCase()
    {
        for (const char* options : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) {
            qputenv(options, qgetenv(options) + ":handle_segv=0");
        }
    }
};

void TestSessionFaults::rankEnds_data()
{
    QTest::addColumn<QByteArray>("fake");
    QTest::addColumn<QString>("message");
    QTest::addColumn<bool>("isRefused");
    QTest::addRow("killed at once") << QByteArray("kill=0")
                                    << "rank 0 was killed by signal 9 \\(Killed\\) before its first step.*" << false;
    QTest::addRow("killed at 42") << QByteArray("kill=42")
                                  << "rank 0 was killed by signal 9 \\(Killed\\) after step \\d+.*" << false;
    QTest::addRow("segmentation fault") << QByteArray("kill=20:11")
                                        << "rank 0 was killed by signal 11 \\(Segmentation fault\\) after step \\d+.*"
                                        << false;
    QTest::addRow("exit code") << QByteArray("exit=20:7") << "rank 0 ended with exit code 7 after step \\d+.*" << false;
    QTest::addRow("exit before it prepared")
        << QByteArray("exit=0:7") << "rank 0 ended with exit code 7 before its first step.*" << false;
    QTest::addRow("no goodbye") << QByteArray("steps=20,no_goodbye")
                                << "rank 0 ended with exit code 0 after step 20 without a final report.*" << false;
    QTest::addRow("noise") << QByteArray("garbage=20") << "rank 0: a frame of .*" << false;
    QTest::addRow("4 GiB frame") << QByteArray("oversize=20") << "rank 0: a frame of 4294967295 bytes.*" << false;
    QTest::addRow("refuses") << QByteArray("refuse") << "train.batch: this fake refuses every run" << true;
    QTest::addRow("NaN") << QByteArray("nan=17") << "rank 0: loss became NaN at step 17" << false;
    QTest::addRow("fails") << QByteArray("fail=9") << "rank 0: this fake fails at step 9" << false;
}

void TestSessionFaults::rankEnds()
{
    QFETCH(QByteArray, fake);
    QFETCH(QString, message);
    QFETCH(bool, isRefused);
    SessionFixture fixture;
    const RunId id = fixture.start(fake);
    QVERIFY(fixture.waitForEnd(id));
    const analysis::RunRecord record = fixture.record(id);
    QCOMPARE(analysis::nameOf(record.status), analysis::nameOf(RunStatus::Failed));
    const QString said = QString::fromStdString(record.message);
    QVERIFY2(QRegularExpression(QRegularExpression::anchoredPattern(message)).match(said).hasMatch(), qPrintable(said));
    QCOMPARE(fixture.session().isRefused(id), isRefused);
    QCOMPARE(fixture.statuses(id).last(), QStringLiteral("failed"));
    QTRY_VERIFY(childProcesses().empty());

    const auto store = store::RunStore::open(fixture.storeFolder());
    QVERIFY(store.isOk());
    const auto loaded = (*store)->load(id);
    QVERIFY(loaded.isOk());
    QCOMPARE(analysis::nameOf(loaded->status), analysis::nameOf(RunStatus::Failed));
    QCOMPARE(loaded->message, record.message);
    QCOMPARE(static_cast<std::int64_t>(loaded->loss.step.size()), record.summary.steps);
}

void TestSessionFaults::otherRanksAreEndedWithin2s()
{
    SessionFixture fixture(withRanks(4));
    QElapsedTimer clock;
    const RunId id = fixture.start("rank=1,kill=40,steps=100000,ignore_term");
    QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
    QCOMPARE(childProcesses().size(), std::size_t{4});
    QTRY_COMPARE(childProcesses().size() < 4, true);
    clock.start();
    QVERIFY(fixture.waitForEnd(id));
    QVERIFY2(isWithin(clock.elapsed(), 2000), qPrintable(QString::number(clock.elapsed())));
    QVERIFY(fixture.record(id).message.starts_with("rank 1 was killed by signal 9 (Killed) after step "));
    QVERIFY(childProcesses().empty());
    const store::Delta all = fixture.stored(id);
    for (std::int32_t rank = 0; rank < 4; ++rank) {
        QVERIFY2(stepsOf(all, rank).size() >= 20, qPrintable(QString::number(rank)));
    }
}

void TestSessionFaults::killLosesNothingReceived()
{
    // The rank sends every 50 ms; at 200 steps a second at most the last 20 steps may be missing, none in between.
    SessionFixture fixture;
    const RunId id = fixture.start("kill=200,steps=300");
    QVERIFY(fixture.waitForEnd(id));
    const std::vector<std::int64_t> steps = stepsOf(fixture.stored(id), 0);
    QVERIFY2(steps.size() >= 179 && steps.size() <= 199, qPrintable(QString::number(steps.size())));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        QCOMPARE(steps[i], static_cast<std::int64_t>(i) + 1);
    }
}

void TestSessionFaults::programIsMissing_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("message");
    QTest::addRow("no such file") << "/nowhere/lockstep-rank"
                                  << "rank 0 could not be started";
    QTest::addRow("not a program") << QStringLiteral(LOCKSTEP_SOURCE_DIR "/CMakeLists.txt")
                                   << "rank 0 could not be started";
}

void TestSessionFaults::programIsMissing()
{
    QFETCH(QString, program);
    QFETCH(QString, message);
    launch::SessionOptions options = withRanks(2);
    options.rankProgram = program;
    SessionFixture fixture(options);
    const RunId id = fixture.start("");
    QVERIFY(fixture.waitForEnd(id));
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Failed));
    QVERIFY2(fixture.record(id).message.starts_with(message.toStdString()), fixture.record(id).message.c_str());
}

void TestSessionFaults::aDeadRanksLastStepIsNoStep()
{
    SessionFixture fixture(withRanks(2));
    // Rank 0 is far ahead when rank 1 dies.
    const RunId id = fixture.start("steps=100000,rate=1000,rank=1,delay_ms=200,kill=60");
    QVERIFY(fixture.waitForEnd(id));
    const auto store = store::RunStore::open(fixture.storeFolder());
    const auto record = (*store)->load(id);
    QVERIFY(record.isOk());
    QVERIFY(stepsOf(fixture.stored(id), 0).size() > stepsOf(fixture.stored(id), 1).size());
    QCOMPARE(record->loss.step.size(), stepsOf(fixture.stored(id), 1).size());
    QCOMPARE(record->loss.value.back(), record->summary.finalLoss);
}

void TestSessionFaults::silenceAtTheStart()
{
    launch::SessionOptions options = withRanks(2);
    options.startTimeout = std::chrono::milliseconds(300);
    SessionFixture fixture(options);
    const RunId never = fixture.start("no_connect");
    QVERIFY(fixture.waitForEnd(never));
    QVERIFY(QString::fromStdString(fixture.record(never).message).contains(QStringLiteral("it has not connected")));
    // The other rank keeps training and sending.
    const RunId frozen = fixture.start("steps=100000,rank=1,freeze=0");
    QVERIFY(fixture.waitForEnd(frozen));
    QVERIFY(fixture.record(frozen).message.starts_with("rank 1 was silent"));
    QVERIFY(childProcesses().empty());
}

void TestSessionFaults::strangersDisturbNothing()
{
    SessionFixture fixture;
    const RunId id = fixture.start("strangers,steps=800");
    QVERIFY(fixture.waitForEnd(id));
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Finished));
    const store::Delta all = fixture.stored(id);
    QCOMPARE(stepsOf(all, 0).size(), std::size_t{800});
    int cutOff = 0;
    for (const auto& [rank, line] : all.logs) {
        const QString text = QString::fromStdString(line.text);
        const QRegularExpressionMatch match
            = QRegularExpression(QStringLiteral("stranger (\\w+): cut off after (\\d+) ms")).match(text);
        QVERIFY2(line.level != wire::LogLevel::Error, qPrintable(text));
        if (match.hasMatch()) {
            ++cutOff;
            QVERIFY2(match.captured(2).toInt() < 3000, qPrintable(text));
        }
    }
    QCOMPARE(cutOff, 10);
}

void TestSessionFaults::fullDisk()
{
    // A file may grow to 256 KiB and no further: what a full disk is to the store, without needing one.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    SessionFixture fixture;
    const RunId id = fixture.start("steps=1000000,rate=0,spans");
    QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
    rlimit small = before;
    small.rlim_cur = 256 << 10;
    setrlimit(RLIMIT_FSIZE, &small);
    const bool hasEnded = fixture.waitForEnd(id);
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(hasEnded);
    QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Failed));
    QVERIFY2(
        fixture.record(id).message.starts_with("the run could not be stored: "), fixture.record(id).message.c_str());
    QVERIFY(childProcesses().empty());
}

void TestSessionFaults::nextRunStartsAfterAFailure()
{
    SessionFixture fixture;
    const RunId broken = fixture.start("kill=5");
    QVERIFY(fixture.waitForEnd(broken));
    const RunId good = fixture.start("steps=20");
    QVERIFY(fixture.waitForEnd(good));
    QCOMPARE(analysis::nameOf(fixture.record(good).status), analysis::nameOf(RunStatus::Finished));
}

LOCKSTEP_TEST(TestSessionFaults)
#include "test_session_faults.moc"
