// A replay: what has been received by when, where it stops, and that going on after going back repeats nothing.
#include "program/test_class.h"
#include "ui/models/feeds/replay_player.h"
#include "ui/models/feeds/run_feed.h"

#include <QTest>

using namespace lockstep;
using ui::ReplayPlayer;

namespace {

constexpr std::int64_t ReplayBeginNs = 7'000'000'000;
constexpr std::int64_t ReplayStepNs = 100'000'000;

/// Two ranks, the second one 10 ms behind; a message a rank and step, a span; sent two steps at a time. The first step
/// begins at ReplayBeginNs.
store::ReplayedRunPtr recordingOf(int steps)
{
    auto recording = std::make_shared<store::ReplayedRun>();
    auto first = std::make_shared<store::Delta>();
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        wire::Hello hello;
        hello.rank = rank;
        hello.worldSize = 2;
        first->hellos.push_back({rank, hello});
        wire::Prepared facts;
        facts.trainSamples = 100;
        facts.totalSteps = steps;
        first->prepared.push_back({rank, facts});
    }
    first->logs.push_back({0, {ReplayBeginNs - 5'000, wire::LogLevel::Info, "starts"}});
    first->statuses.push_back({analysis::RunStatus::Running, {}, 1});
    recording->add(first);
    for (int from = 1; from <= steps; from += 2) {
        auto delta = std::make_shared<store::Delta>();
        for (std::int32_t rank = 0; rank < 2; ++rank) {
            wire::StepBatch batch;
            wire::TrafficBatch traffic;
            for (int step = from; step < from + 2; ++step) {
                const std::int64_t endNs = ReplayBeginNs + step * ReplayStepNs + rank * 10'000'000;
                batch.rows.push_back({.step = step,
                    .endNs = endNs,
                    .wallNs = ReplayStepNs + (step == 1) * rank * 10'000'000,
                    .samples = step,
                    .batch = 1,
                    .loss = 1.0 / step});
                traffic.rows.push_back({step, 0, 1 - rank, 1 - rank, 8, endNs - 30'000'000, 5'000'000});
            }
            traffic.dropped = from == 1 ? 3 : 0;
            delta->steps.push_back({rank, batch});
            delta->traffic.push_back({rank, traffic});
        }
        recording->add(delta);
    }
    auto last = std::make_shared<store::Delta>();
    last->ranks.push_back({0, store::RankState::Finished, {}});
    last->statuses.push_back({analysis::RunStatus::Finished, {}, 2});
    recording->add(last);
    recording->complete();
    return recording;
}

struct Played {
    explicit Played(const ReplayPlayer& player)
        : feed(ui::recordAtStart({}), player.source(0))
    { }
    [[nodiscard]] std::size_t steps()
    {
        feed.pull();
        return feed.loss().size();
    }
    ui::RunFeed feed;
};

} // namespace

class TestReplayPlayer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsComeAtTheirTime()
    {
        ReplayPlayer player({recordingOf(6)});
        QCOMPARE(player.length(), 0.61);
        Played played(player);
        QCOMPARE(played.steps(), std::size_t(0)); // who runs is known before the first step
        QCOMPARE(played.feed.ranks().size(), std::size_t(2));
        QCOMPARE(played.feed.record().status, analysis::RunStatus::Running);
        player.seek(0.109); // one rank's row only
        QCOMPARE(played.steps(), std::size_t(0));
        player.seek(0.110);
        QCOMPARE(played.steps(), std::size_t(1));
        QCOMPARE(played.feed.loss().seconds.back(), 0.11);
        player.seek(player.length());
        QCOMPARE(played.steps(), std::size_t(6));
        QCOMPARE(played.feed.record().status, analysis::RunStatus::Finished);
        QVERIFY(player.isAtEnd());
    }

    void timePassesAtTheChosenSpeed_data()
    {
        QTest::addColumn<double>("speed");
        QTest::addColumn<double>("seconds");
        QTest::newRow("slowest") << 0.1 << 0.02;
        QTest::newRow("as it was") << 1.0 << 0.2;
        QTest::newRow("slower than there is") << 0.001 << 0.02;
        QTest::newRow("fastest, to the end") << 100.0 << 0.61;
    }

    void timePassesAtTheChosenSpeed()
    {
        QFETCH(double, speed);
        QFETCH(double, seconds);
        ReplayPlayer player({recordingOf(6)});
        player.setSpeed(speed);
        player.advance(0.1);
        player.advance(0.1);
        QCOMPARE(player.seconds(), seconds);
        QCOMPARE(player.isPlaying(), speed < 50.0);
        player.pause();
        player.advance(1.0);
        QCOMPARE(player.seconds(), seconds);
    }

    void stepsAndMessagesAreStops()
    {
        ReplayPlayer player({recordingOf(4)});
        Played played(player);
        player.stepForward();
        QVERIFY(!player.isPlaying());
        QCOMPARE(player.seconds(), 0.11);
        QCOMPARE(played.steps(), std::size_t(1));
        player.stepForward();
        QCOMPARE(played.steps(), std::size_t(2));
        player.nextMessage(); // of rank 0 in the third step
        QCOMPARE(player.seconds(), 0.275);
        player.nextMessage();
        QCOMPARE(player.seconds(), 0.285);
        player.stepBack();
        QCOMPARE(player.seconds(), 0.21);
        player.stepBack();
        player.stepBack();
        QCOMPARE(player.seconds(), 0.0);
        player.seek(0.41);
        player.stepForward();
        QVERIFY(player.isAtEnd());
        player.play();
        QCOMPARE(player.seconds(), 0.0);
    }

    void goingBackNeedsAnotherSource()
    {
        ReplayPlayer player({recordingOf(6)});
        Played played(player);
        player.seek(0.5);
        QCOMPARE(played.steps(), std::size_t(4));
        player.seek(0.2);
        QCOMPARE(played.steps(), std::size_t(4)); // nothing twice
        Played other(player);
        QCOMPARE(other.steps(), std::size_t(1));
        player.seek(0.6);
        QCOMPARE(other.steps(), std::size_t(5));
    }

    void droppedMessagesAreCountedOnce()
    {
        const auto recording = recordingOf(4);
        std::int64_t dropped = 0;
        for (std::int64_t at = 0; at < 50; ++at) {
            const std::int64_t fromNs = ReplayBeginNs + at * 10'000'000;
            if (const auto delta = recording->between(fromNs, fromNs + 10'000'000)) {
                for (const auto& [rank, batch] : delta->traffic) {
                    dropped += batch.dropped;
                }
            }
        }
        QCOMPARE(dropped, 6);
    }

    void runsStartTogether()
    {
        ReplayPlayer player({recordingOf(2), recordingOf(6)});
        ui::RunFeed shorter(ui::recordAtStart({}), player.source(0));
        ui::RunFeed longer(ui::recordAtStart({}), player.source(1));
        player.seek(0.35);
        shorter.pull();
        longer.pull();
        QCOMPARE(shorter.loss().size(), std::size_t(2));
        QCOMPARE(shorter.record().status, analysis::RunStatus::Finished);
        QCOMPARE(longer.loss().size(), std::size_t(3));
        QCOMPARE(longer.record().status, analysis::RunStatus::Running);
    }
};

LOCKSTEP_TEST(TestReplayPlayer)
#include "test_replay_player.moc"
