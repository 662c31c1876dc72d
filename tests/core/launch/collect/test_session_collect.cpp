// What ranks send arrives whole: in the live source, in the store, in the summary.
#include "core/session_fixture.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include "launch/collect/live_feed.h"
#include "launch/rank_environment.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <thread>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

class TestSessionCollect : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyRowArrives_data();
    void everyRowArrives();
    void liveAndStoredAreTheSame();
    void whatHasNoEffectIsInTheLog();
    void unreadFeedIsReplayedAfterTheEnd();
    void feedKeepsOneDelta();
    void feedIsThreadSafe();
    void environmentOfARank();
    void secretsDiffer();
};

void TestSessionCollect::everyRowArrives_data()
{
    QTest::addColumn<int>("worldSize");
    QTest::addColumn<QByteArray>("fake");
    QTest::addRow("one rank") << 1 << QByteArray("steps=300,evaluate=100,spans");
    QTest::addRow("two ranks, full speed") << 2 << QByteArray("steps=20000,rate=0");
    QTest::addRow("eight ranks") << 8 << QByteArray("steps=400,rate=400");
}

void TestSessionCollect::everyRowArrives()
{
    QFETCH(int, worldSize);
    QFETCH(QByteArray, fake);
    SessionFixture fixture(withRanks(worldSize));
    const RunId id = fixture.start(fake);
    QVERIFY(fixture.waitForEnd(id));
    const analysis::RunRecord record = fixture.record(id);
    QVERIFY2(record.status == RunStatus::Finished, record.message.c_str());
    const store::Delta all = fixture.stored(id);
    const auto expected = static_cast<std::size_t>(all.prepared.front().what.totalSteps);
    QCOMPARE(all.hellos.size(), static_cast<std::size_t>(worldSize));
    for (int rank = 0; rank < worldSize; ++rank) {
        const std::vector<std::int64_t> steps = stepsOf(all, rank);
        QCOMPARE(steps.size(), expected);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i], static_cast<std::int64_t>(i) + 1);
        }
    }
    QCOMPARE(record.summary.steps, static_cast<std::int64_t>(expected));
    QVERIFY(record.summary.secondsToFirstLoss > 0 && isWithin(1e3 * record.summary.secondsToFirstLoss, 5000));
    QVERIFY(record.summary.testAccuracy > 0);
}

void TestSessionCollect::liveAndStoredAreTheSame()
{
    SessionFixture fixture(withRanks(2));
    const RunId id = fixture.start("steps=200,evaluate=50,log=20");
    const auto source = fixture.session().liveSource(id);
    QVERIFY(source);
    QVERIFY(fixture.session().liveSource(id) == nullptr);
    store::Delta live;
    const auto read = [&] {
        while (const store::DeltaPtr delta = source->take()) {
            live.append(*delta);
        }
    };
    while (!fixture.waitForEnd(id, 20) && fixture.session().isBusy()) {
        read();
    }
    QVERIFY(fixture.waitForEnd(id));
    read();
    const store::Delta stored = fixture.stored(id);
    QCOMPARE(stepsOf(live, 0), stepsOf(stored, 0));
    QCOMPARE(stepsOf(live, 1), stepsOf(stored, 1));
    QCOMPARE(logLines(live), logLines(stored));
    QCOMPARE(live.evaluations.size(), std::size_t{8});
    QCOMPARE(live.evaluations.size(), stored.evaluations.size());
    QCOMPARE(live.statuses.size(), stored.statuses.size());
    QCOMPARE(analysis::nameOf(live.statuses.back().status), analysis::nameOf(RunStatus::Finished));
}

void TestSessionCollect::whatHasNoEffectIsInTheLog()
{
    SessionFixture fixture;
    qputenv("LOCKSTEP_FAKE", "steps=5");
    experiment::RunSpec spec = fakeSpec();
    spec.notes = {"pipeline.microbatches: has no effect in this run"};
    const RunId id = fixture.session().start({spec}).front();
    QVERIFY(fixture.waitForEnd(id));
    const store::Delta stored = fixture.stored(id);
    const auto& lines = stored.logs;
    const auto note = std::find_if(lines.begin(), lines.end(), [&](const auto& each) {
        return each.what.text == spec.notes.front() && each.what.level == wire::LogLevel::Warning;
    });
    QVERIFY(note != lines.end());
}

void TestSessionCollect::unreadFeedIsReplayedAfterTheEnd()
{
    SessionFixture fixture;
    const RunId id = fixture.start("steps=50");
    QVERIFY(fixture.waitForEnd(id));
    const auto source = fixture.session().liveSource(id);
    QVERIFY(source);
    store::Delta all;
    QTRY_VERIFY(([&] {
        if (const store::DeltaPtr delta = source->take()) {
            all.append(*delta);
        }
        return stepsOf(all, 0).size() == 50;
    })());
}

void TestSessionCollect::feedKeepsOneDelta()
{
    launch::LiveFeed feed;
    QVERIFY(feed.claim());
    QVERIFY(!feed.claim());
    for (int i = 0; i < 3; ++i) {
        auto delta = std::make_shared<store::Delta>();
        delta->logs.push_back({0, {i, wire::LogLevel::Info, std::to_string(i)}});
        feed.publish(std::move(delta));
    }
    const store::DeltaPtr all = feed.take();
    QCOMPARE(logLines(*all), QStringList({"0", "1", "2"}));
    QVERIFY(feed.take() == nullptr);
    QVERIFY(!feed.releaseIfUnclaimed());
}

void TestSessionCollect::feedIsThreadSafe()
{
    launch::LiveFeed feed;
    QVERIFY(feed.claim());
    constexpr int Count = 20000;
    std::jthread writer([&feed] {
        for (int i = 0; i < Count; ++i) {
            auto delta = std::make_shared<store::Delta>();
            delta->vitals.push_back({0, {i, i, 0}});
            feed.publish(std::move(delta));
        }
    });
    std::int64_t next = 0;
    QElapsedTimer clock;
    clock.start();
    while (next < Count && clock.elapsed() < 60'000) {
        if (const store::DeltaPtr delta = feed.take()) {
            for (const auto& [rank, vitals] : delta->vitals) {
                QCOMPARE(vitals.timeNs, next++);
            }
        }
    }
    QCOMPARE(next, std::int64_t{Count});
}

void TestSessionCollect::environmentOfARank()
{
    const experiment::RunSpec spec = fakeSpec();
    const launch::Rendezvous where{RunId{"20261120-221403-k3f9"}, 4, 4000, 4001, launch::makeSecret()};
    const QProcessEnvironment environment = launch::rankEnvironment(where, spec, 2);
    const QMap<QString, QString> expected{{"RANK", "2"}, {"LOCAL_RANK", "2"}, {"WORLD_SIZE", "4"},
        {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "4001"}, {"LOCKSTEP_TELEMETRY", "127.0.0.1:4000"},
        {"LOCKSTEP_RUN", "20261120-221403-k3f9"}, {"OMP_NUM_THREADS", "1"}, {"OPENBLAS_NUM_THREADS", "1"}};
    for (auto entry = expected.begin(); entry != expected.end(); ++entry) {
        QCOMPARE(environment.value(entry.key()), entry.value());
    }
    const auto secret = wire::secretFromHex(environment.value("LOCKSTEP_SECRET").toStdString());
    QVERIFY(secret.isOk());
    QVERIFY(wire::equalInConstantTime(*secret, where.secret));
}

void TestSessionCollect::secretsDiffer()
{
    QVERIFY(!wire::equalInConstantTime(launch::makeSecret(), launch::makeSecret()));
}

LOCKSTEP_TEST(TestSessionCollect)
#include "test_session_collect.moc"
