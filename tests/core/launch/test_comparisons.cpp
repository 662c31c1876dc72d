// Runs that take turns, on fake ranks: alive together, one at a time, in the order in which they were asked for.
#include "core/session_fixture.h"
#include "program/busy_machine.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/account/run_account.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

/// The variants of one comparison; fakes do not mind what they are told to train.
std::vector<experiment::RunSpec> variants(int count, int repeats = 1)
{
    std::vector<experiment::RunSpec> runs;
    for (int variant = 0; variant < count; ++variant) {
        for (int repeat = 0; repeat < repeats; ++repeat) {
            runs.push_back(fakeSpec());
            runs.back().name = "variant " + std::to_string(variant);
            runs.back().repeat = repeat;
            runs.back().settings["measure.limit_s"] = 1.0;
        }
    }
    return runs;
}

analysis::RunRecord recordOf(const store::Delta& delta)
{
    store::RunAccount account;
    account.add(delta);
    analysis::RunRecord record;
    account.fill(record);
    return record;
}

/// Numbers of the rounds that count.
std::vector<std::int64_t> keptRounds(const std::vector<analysis::MeasuredBlock>& blocks)
{
    std::vector<std::int64_t> kept;
    for (const analysis::MeasuredBlock& block : blocks) {
        if (!block.isLeftOut) {
            kept.push_back(block.number);
        }
    }
    return kept;
}

bool areAllEnded(SessionFixture& fixture, const std::vector<RunId>& ids)
{
    return std::all_of(ids.begin(), ids.end(), [&](const RunId& id) { return fixture.waitForEnd(id); });
}

} // namespace

class TestComparisons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void variantsTakeTurns()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=300,rate=1000");
        const auto ids = fixture.session().start(variants(3));
        QVERIFY(areAllEnded(fixture, ids));
        std::vector<std::vector<analysis::MeasuredBlock>> blocks;
        for (const RunId& id : ids) {
            QCOMPARE(fixture.statuses(id), QStringList({"queued", "starting", "running", "finished"}));
            const store::Delta all = fixture.stored(id);
            QCOMPARE(stepsOf(all, 0).size(), std::size_t{300}); // measuring adds no rows
            QVERIFY(all.applied.empty()); // turns are no interventions
            blocks.push_back(recordOf(all).blocks);
            QVERIFY2(blocks.back().size() >= 5, qPrintable(QString::number(blocks.back().size())));
            QCOMPARE(keptRounds(blocks.back()), keptRounds(blocks.front()));
            store::RunAccount account;
            account.add(all);
            QCOMPARE(account.summary().msPerStepTypical, fixture.record(id).summary.msPerStepTypical);
            // Without the time in which the others ran.
            QVERIFY(fixture.record(id).summary.trainSeconds < 0.7);
        }
        // One at a time: no two blocks overlap.
        std::vector<analysis::MeasuredBlock> all;
        for (const auto& run : blocks) {
            all.insert(all.end(), run.begin(), run.end());
        }
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.startNs < b.startNs; });
        for (std::size_t i = 1; i < all.size(); ++i) {
            QVERIFY(all[i].startNs >= all[i - 1].endNs);
        }
    }

    void theFirstStartsBeforeTheOthersLoad()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=200,prepare_ms=150");
        const auto ids = fixture.session().start(variants(3));
        QVERIFY(areAllEnded(fixture, ids));
        const auto startOf = [&](std::size_t run) { return fixture.stored(ids[run]).statuses.front().wallNs; };
        const store::Delta first = fixture.stored(ids[0]);
        QVERIFY(startOf(1) >= first.statuses[1].wallNs); // "running"
        QVERIFY(startOf(2) > startOf(1));
        for (const RunId& id : ids) {
            // Holding for the others is not part of the time to the first loss.
            QVERIFY(isWithin(1e3 * fixture.record(id).summary.secondsToFirstLoss, 400));
        }
    }

    void repeatsGoSeedBySeed()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=30,rate=1000");
        const auto ids = fixture.session().start(variants(2, 2)); // a, a #2, b, b #2
        QVERIFY(areAllEnded(fixture, ids));
        const auto beganAt = [&](std::size_t run) { return fixture.stored(ids[run]).statuses.front().wallNs; };
        const auto endedAt = [&](std::size_t run) { return fixture.stored(ids[run]).statuses.back().wallNs; };
        for (const std::size_t first : {0, 2}) {
            for (const std::size_t second : {1, 3}) {
                QVERIFY(endedAt(first) <= beganAt(second));
            }
        }
        QVERIFY(beganAt(2) < endedAt(0)); // those of a seed are alive together
    }

    void aSweepFollowsTheRunsThatTakeTurns()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=30,rate=1000");
        auto runs = variants(3);
        runs[1].name = "link";
        runs[1].settings["strategy.name"] = std::string("collectives");
        const auto ids = fixture.session().start(runs);
        QVERIFY(areAllEnded(fixture, ids));
        QVERIFY(fixture.stored(ids[1]).held.empty());
        for (const std::size_t place : {0, 2}) {
            QVERIFY(!recordOf(fixture.stored(ids[place])).blocks.empty());
            QVERIFY(
                fixture.stored(ids[place]).statuses.back().wallNs <= fixture.stored(ids[1]).statuses.front().wallNs);
        }
    }

    /// A fake's steps are a sweep's sizes.
    void sweepsTakeTurns()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=5,rate=1000,prepare_ms=50");
        auto runs = variants(2);
        for (auto& run : runs) {
            run.settings["strategy.name"] = std::string("collectives");
            run.settings["sweep.max_bytes"] = std::int64_t{1024};
        }
        const auto ids = fixture.session().start(runs);
        QVERIFY(areAllEnded(fixture, ids));
        for (const RunId& id : ids) {
            QCOMPARE(fixture.statuses(id).back(), QStringLiteral("finished"));
            const store::Delta all = fixture.stored(id);
            QCOMPARE(stepsOf(all, 0).size(), std::size_t{5});
            QVERIFY(all.held.size() >= 4); // between two sizes, and before the first
        }
    }

    void withoutTurnsRunsFollowEachOther_data()
    {
        QTest::addColumn<bool>("isOff");
        QTest::addRow("off") << true;
        QTest::addRow("no memory") << false;
    }
    void withoutTurnsRunsFollowEachOther()
    {
        QFETCH(bool, isOff);
        launch::SessionOptions options;
        options.freeMemoryBytes = isOff ? -1 : 100'000'000;
        SessionFixture fixture(options);
        QSignalSpy lines(&fixture.session(), &launch::Session::noted);
        qputenv("LOCKSTEP_FAKE", "steps=30,rate=1000");
        auto runs = variants(2);
        for (auto& run : runs) {
            run.settings["measure.interleave"] = !isOff;
        }
        const auto ids = fixture.session().start(runs);
        QVERIFY(areAllEnded(fixture, ids));
        QVERIFY(fixture.stored(ids[0]).statuses.back().wallNs <= fixture.stored(ids[1]).statuses.front().wallNs);
        QVERIFY(fixture.stored(ids[0]).held.empty());
        QCOMPARE(lines.size(), isOff ? 0 : 1);
        if (!isOff) {
            const QString line = QString::fromStdString(lines.front().front().value<Text>().english);
            QVERIFY2(
                line.contains("measure.interleave") && line.contains("2 ranks") && line.contains("0.1 GB are free"),
                qPrintable(line));
            QVERIFY(logLines(fixture.stored(ids[0])).contains(line));
        }
    }

    void aRunThatIsStoppedLeavesTheOthersTheirTurns()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=600,rate=1000");
        const auto ids = fixture.session().start(variants(3));
        QVERIFY(fixture.waitForStatus(ids[2], RunStatus::Running));
        QTest::qWait(300);
        fixture.session().stop(ids[1]);
        QVERIFY(areAllEnded(fixture, ids));
        QCOMPARE(analysis::nameOf(fixture.record(ids[0]).status), analysis::nameOf(RunStatus::Finished));
        QCOMPARE(analysis::nameOf(fixture.record(ids[1]).status), analysis::nameOf(RunStatus::Stopped));
        QCOMPARE(analysis::nameOf(fixture.record(ids[2]).status), analysis::nameOf(RunStatus::Finished));
    }

    void aRankThatIsLostLeavesTheOthersTheirTurns()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=300,rate=1000");
        const auto ids = fixture.session().start(variants(2));
        QVERIFY(fixture.waitForStatus(ids[1], RunStatus::Running));
        const auto hellos = [&] { return fixture.stored(ids[1]).hellos; };
        QTRY_VERIFY(!hellos().empty());
        QVERIFY(sendSignal(hellos().front().what.pid, SIGKILL));
        QVERIFY(areAllEnded(fixture, ids));
        QCOMPARE(analysis::nameOf(fixture.record(ids[0]).status), analysis::nameOf(RunStatus::Finished));
        QCOMPARE(analysis::nameOf(fixture.record(ids[1]).status), analysis::nameOf(RunStatus::Failed));
    }

    void pausingOneHoldsThemAll()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=400,rate=1000");
        const auto ids = fixture.session().start(variants(2));
        QVERIFY(fixture.waitForStatus(ids[1], RunStatus::Running));
        QTest::qWait(200);
        fixture.session().send(ids[0], {wire::Command::Pause});
        QVERIFY(fixture.waitForStatus(ids[0], RunStatus::Paused));
        QTest::qWait(300); // for the turn under way
        const auto other = fixture.session().liveSource(ids[1]);
        QVERIFY(other);
        static_cast<void>(other->take());
        QTest::qWait(300);
        const store::DeltaPtr whilePaused = other->take();
        QVERIFY(!whilePaused || whilePaused->steps.empty());
        fixture.session().send(ids[0], {wire::Command::Resume});
        QVERIFY(areAllEnded(fixture, ids));
        QCOMPARE(analysis::nameOf(fixture.record(ids[0]).status), analysis::nameOf(RunStatus::Finished));
        QCOMPARE(analysis::nameOf(fixture.record(ids[1]).status), analysis::nameOf(RunStatus::Finished));
    }

    /// Whether the machine is quiet or not: the wait is limited, and over as soon as it is stopped.
    void differentNumbersOfRanksWaitForQuiet_data()
    {
        QTest::addColumn<int>("mostMs");
        QTest::addColumn<bool>("isStopped");
        QTest::addRow("to the end") << 600 << false;
        QTest::addRow("stopped") << 3'600'000 << true;
    }
    void differentNumbersOfRanksWaitForQuiet()
    {
        QFETCH(int, mostMs);
        QFETCH(bool, isStopped);
        launch::SessionOptions options;
        options.quietTimeout = std::chrono::milliseconds(mostMs);
        SessionFixture fixture(options);
        qputenv("LOCKSTEP_FAKE", "steps=30,rate=1000");
        auto runs = variants(2);
        runs[1].settings["strategy.name"] = std::string("data");
        runs[1].settings["world_size"] = std::int64_t{2};
        const auto ids = fixture.session().start(runs);
        QVERIFY(fixture.statuses(ids[0]).size() <= 1); // no rank has been started
        if (isStopped) {
            fixture.session().stopAll();
        }
        QVERIFY(areAllEnded(fixture, ids));
        QTRY_VERIFY(!fixture.session().isBusy());
        for (const RunId& id : ids) {
            const RunStatus expected = isStopped ? RunStatus::Stopped : RunStatus::Finished;
            QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(expected));
        }
    }

    /// Runs that are killed, and so say no goodbye, leave out the rounds that stalled.
    void killedRunsKnowWhichRoundsCount()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=1000");
        const auto ids = fixture.session().start(variants(2));
        for (const RunId& id : ids) {
            QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
        }
        const auto holds = [&](std::size_t run) { return fixture.stored(ids[run]).held.size(); };
        QTRY_VERIFY_WITH_TIMEOUT(holds(0) >= 4 && holds(1) >= 4, 60'000);
        const auto sendBoth = [&](int signal) {
            return std::ranges::all_of(
                ids, [&](const RunId& id) { return sendSignal(fixture.stored(id).hellos.front().what.pid, signal); });
        };
        QVERIFY(sendBoth(SIGSTOP)); // one of them has the turn
        QTest::qWait(1000);
        QVERIFY(sendBoth(SIGCONT));
        QTRY_VERIFY_WITH_TIMEOUT(holds(0) >= 15 && holds(1) >= 15, 60'000);
        fixture.session().killAll();
        QVERIFY(areAllEnded(fixture, ids));
        QVERIFY(!fixture.stored(ids[0]).leftOut.empty() || !fixture.stored(ids[1]).leftOut.empty());
    }

    void stoppingAllStopsThemAll()
    {
        SessionFixture fixture;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=1000");
        const auto ids = fixture.session().start(variants(3));
        QVERIFY(fixture.waitForStatus(ids[1], RunStatus::Running));
        fixture.session().stopAll();
        for (const RunId& id : ids) {
            QVERIFY(fixture.waitForEnd(id));
            QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Stopped));
        }
        QVERIFY(childProcesses().empty());
    }
};

LOCKSTEP_TEST(TestComparisons)
#include "test_comparisons.moc"
