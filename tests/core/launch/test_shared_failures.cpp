// A failure that holds for several runs of an experiment ends it once: the runs in line are not started, and the run
// that failed counts them.
#include "core/session_fixture.h"
#include "program/full_disk.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;
using launch::FailureReach;

namespace {

/// They follow each other; one for each path of a data set.
std::vector<experiment::RunSpec> runsOn(std::initializer_list<const char*> dataSets)
{
    std::vector<experiment::RunSpec> runs;
    for (const char* path : dataSets) {
        runs.push_back(fakeSpec());
        runs.back().name = "run " + std::to_string(runs.size());
        runs.back().settings["dataset.path"] = std::string(path);
        runs.back().settings["measure.interleave"] = false;
    }
    return runs;
}

bool waitForAll(SessionFixture& fixture, const std::vector<RunId>& ids)
{
    return std::all_of(ids.begin(), ids.end(), [&](const RunId& id) { return fixture.waitForEnd(id); });
}

bool waitForAllOnFullDisk(SessionFixture& fixture, const std::vector<RunId>& ids)
{
    const test::FullDisk disk(256 << 10);
    return waitForAll(fixture, ids);
}

QStringList statusesOf(const SessionFixture& fixture, const std::vector<RunId>& ids)
{
    QStringList names;
    for (const RunId& id : ids) {
        names += QString::fromUtf8(analysis::nameOf(fixture.record(id).status));
    }
    return names;
}

std::size_t storedRuns(const SessionFixture& fixture)
{
    const auto store = store::RunStore::open(fixture.storeFolder());
    return store ? (*store)->list().size() : 0;
}

} // namespace

class TestSharedFailures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aDataSetEndsTheRunsThatReadIt()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "refuse_data");
        const auto ids = fixture.session().start(runsOn({"/a", "/b", "/a", "/a", "/b"}));
        QVERIFY(waitForAll(fixture, ids));
        QCOMPARE(statusesOf(fixture, ids), QStringList({"failed", "failed", "stopped", "stopped", "stopped"}));
        QCOMPARE(fixture.record(ids[0]).message,
            std::string("dataset.path: this fake finds no data; 2 runs were not started"));
        QCOMPARE(fixture.record(ids[1]).message,
            std::string("dataset.path: this fake finds no data; 1 run was not started"));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            QCOMPARE(fixture.session().reach(ids[i]), i < 2 ? FailureReach::Others : FailureReach::FromAnother);
            QCOMPARE(fixture.session().isRefused(ids[i]), i < 2);
        }
        QCOMPARE(fixture.record(ids[2]).message, std::string(analysis::StoppedBeforeStart));
        QCOMPARE(storedRuns(fixture), std::size_t{2});
        const auto store = store::RunStore::open(fixture.storeFolder());
        QCOMPARE((*store)->load(ids[0])->message, fixture.record(ids[0]).message);
    }

    void whatConcernsOneRunEndsOne_data()
    {
        QTest::addColumn<QByteArray>("fake");
        QTest::addRow("another parameter") << QByteArray("refuse");
        QTest::addRow("NaN") << QByteArray("nan=3");
        QTest::addRow("a lost rank") << QByteArray("kill=3");
    }

    void whatConcernsOneRunEndsOne()
    {
        QFETCH(QByteArray, fake);
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", fake);
        const auto ids = fixture.session().start(runsOn({"/a", "/a", "/a"}));
        QVERIFY(waitForAll(fixture, ids));
        QCOMPARE(statusesOf(fixture, ids), QStringList({"failed", "failed", "failed"}));
        for (const RunId& id : ids) {
            QCOMPARE(fixture.session().reach(id), FailureReach::Itself);
            QVERIFY(fixture.record(id).message.find("not started") == std::string::npos);
        }
        QCOMPARE(storedRuns(fixture), std::size_t{3});
    }

    void aProgramThatCannotBeStarted()
    {
        launch::SessionOptions options = withRanks(2);
        options.rankProgram = QStringLiteral("/nowhere/lockstep-rank");
        SessionFixture fixture(options);
        const auto ids = fixture.session().start(runsOn({"/a", "/b", "/c"}));
        QVERIFY(waitForAll(fixture, ids));
        QCOMPARE(statusesOf(fixture, ids), QStringList({"failed", "stopped", "stopped"}));
        const std::string said = fixture.record(ids[0]).message;
        QVERIFY2(said.starts_with("rank 0 could not be started") && said.ends_with("; 2 runs were not started"),
            said.c_str());
        QCOMPARE(storedRuns(fixture), std::size_t{1});
    }

    void aFullDisk()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=1000000,rate=0,spans");
        const auto ids = fixture.session().start(runsOn({"/a", "/b", "/c"}));
        QVERIFY(fixture.waitForStatus(ids[0], RunStatus::Running));
        QVERIFY(waitForAllOnFullDisk(fixture, ids));
        QCOMPARE(statusesOf(fixture, ids), QStringList({"failed", "stopped", "stopped"}));
        const std::string said = fixture.record(ids[0]).message;
        QVERIFY2(said.starts_with("the run could not be stored: ") && said.ends_with("; 2 runs were not started"),
            said.c_str());
        QCOMPARE(storedRuns(fixture), std::size_t{1});
    }

    /// Runs that take turns are alive when the disk is full: the first one speaks for all.
    void runsThatTakeTurnsSayItOnce()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=1000000,rate=0,spans");
        auto runs = runsOn({"/a", "/b"});
        for (experiment::RunSpec& run : runs) {
            run.settings["measure.interleave"] = true;
        }
        const auto ids = fixture.session().start(runs);
        QVERIFY(fixture.waitForStatus(ids[0], RunStatus::Running) && fixture.waitForStatus(ids[1], RunStatus::Running));
        QVERIFY(waitForAllOnFullDisk(fixture, ids));
        QCOMPARE(statusesOf(fixture, ids), QStringList({"failed", "failed"}));
        const bool isFirst = fixture.session().reach(ids[0]) == FailureReach::Others;
        QCOMPARE(fixture.session().reach(ids[isFirst ? 0 : 1]), FailureReach::Others);
        QCOMPARE(fixture.session().reach(ids[isFirst ? 1 : 0]), FailureReach::FromAnother);
    }
};

LOCKSTEP_TEST(TestSharedFailures)
#include "test_shared_failures.moc"
