// The ring from received messages: the right sums in the right places, and a picture that stops without them.
#include "program/test_class.h"
#include "ui/models/feeds/ring_model.h"
#include "ui/models/feeds/ring_player.h"
#include "ui/models/ring_run.h"

#include <QTest>

#include <algorithm>

using namespace lockstep;
using test::RingRun;
using ui::RingModel;
using ui::RingPicture;
using ui::RingPlayer;
using ui::RingStep;

namespace {

void addRows()
{
    QTest::addColumn<int>("ranks");
    for (const int ranks : {2, 3, 4, 8}) {
        QTest::addRow("%d ranks", ranks) << ranks;
    }
}

} // namespace

class TestRingModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankSendsItsMessages_data() { addRows(); }
    void everyRankSendsItsMessages()
    {
        QFETCH(int, ranks);
        RingRun run(ranks);
        RingModel model;
        model.take(run.hello());
        model.take(run.step(true));
        model.take(run.step(false));
        QCOMPARE(model.ranks(), ranks);
        QCOMPARE(model.steps().size(), std::size_t(1));
        const RingStep& step = model.steps().at(1);
        QVERIFY(step.isComplete());
        QVERIFY(step.waitedFor().empty());
        for (int rank = 0; rank < ranks; ++rank) {
            QCOMPARE(std::ranges::count(step.events(), rank, &ui::RingEvent::rank), 2 * (ranks - 1));
        }
        const RingPicture end = step.pictureAt(static_cast<double>(step.instants().size()));
        QVERIFY(std::ranges::all_of(end.contributions, [&](int each) { return each == ranks; }));
        QVERIFY(std::ranges::all_of(end.done, [&](int each) { return each == 2 * (ranks - 1); }));
        QVERIFY(end.flights.empty());
        const RingPicture begin = step.pictureAt(0.0);
        QVERIFY(std::ranges::all_of(begin.contributions, [](int each) { return each == 1; }));
    }

    /// Between two instants at most one chunk changes, and what a rank sends is what it holds.
    void sumsOnlyGrow_data() { addRows(); }
    void sumsOnlyGrow()
    {
        QFETCH(int, ranks);
        RingRun run(ranks);
        RingModel model;
        model.take(run.hello());
        model.take(run.step(true));
        const RingStep& step = model.steps().at(1);
        RingPicture before = step.pictureAt(0.0);
        for (std::size_t i = 1; i <= step.instants().size(); ++i) {
            const RingPicture now = step.pictureAt(static_cast<double>(i));
            int changed = 0;
            for (std::size_t cell = 0; cell < now.contributions.size(); ++cell) {
                QVERIFY(now.contributions[cell] >= before.contributions[cell]);
                changed += now.contributions[cell] != before.contributions[cell] ? 1 : 0;
            }
            QCOMPARE(changed, step.instants()[i - 1].isEnd ? 1 : 0);
            for (const ui::RingFlight& flight : now.flights) {
                QCOMPARE(flight.to, (flight.from + 1) % ranks);
            }
            before = now;
        }
    }

    void aFrozenRankStopsThePicture_data() { addRows(); }
    void aFrozenRankStopsThePicture()
    {
        QFETCH(int, ranks);
        const int frozen = 1;
        RingRun run(ranks);
        RingModel model;
        model.take(run.hello());
        model.take(run.step(true, frozen, 1));
        const RingStep& step = model.steps().at(1);
        QVERIFY(!step.isComplete());
        QCOMPARE(step.waitedFor(), std::vector<int>{frozen});
        RingPlayer player;
        player.update(model);
        player.advance(1000.0);
        QVERIFY(player.isAtEnd());
        const RingPicture picture = player.picture();
        for (int i = 0; i < 50; ++i) {
            player.advance(1.0);
            player.update(model);
        }
        QCOMPARE(player.picture().contributions, picture.contributions);
        QCOMPARE(picture.done[1], 1);
        QVERIFY(std::ranges::any_of(picture.contributions, [&](int each) { return each < ranks; }));
    }

    void thePictureGoesOnWithTheMessages()
    {
        RingRun run(4);
        store::Delta whole = run.step(true);
        store::Delta first;
        store::Delta rest;
        for (const auto& from : whole.traffic) {
            (from.rank == 2 ? rest : first).traffic.push_back(from);
        }
        RingModel model;
        model.take(run.hello());
        model.take(first);
        RingPlayer player;
        player.update(model);
        player.advance(1000.0);
        QVERIFY(player.isAtEnd());
        QCOMPARE(player.picture().done[2], 0);
        model.take(rest);
        player.update(model);
        player.advance(1000.0);
        QVERIFY(player.isAtEnd());
        QVERIFY(player.step().isComplete());
        QVERIFY(std::ranges::all_of(player.picture().contributions, [](int each) { return each == 4; }));
    }

    void oneMessageAtATime_data() { addRows(); }
    void oneMessageAtATime()
    {
        QFETCH(int, ranks);
        RingRun run(ranks);
        RingModel model;
        model.take(run.hello());
        model.take(run.step(true));
        RingPlayer player;
        player.update(model);
        int total = 0;
        while (!player.isAtEnd()) {
            player.stepOne();
            QVERIFY(!player.isPlaying());
            const RingPicture picture = player.picture();
            int done = 0;
            for (const int each : picture.done) {
                done += each;
            }
            QCOMPARE(done, ++total);
        }
        QCOMPARE(total, 2 * (ranks - 1) * ranks);
    }

    void followingGoesToTheNewestStep()
    {
        RingRun run(3);
        RingModel model;
        model.take(run.hello());
        model.take(run.step(true));
        RingPlayer player;
        player.update(model);
        QCOMPARE(player.number(), 1);
        model.take(run.step(true));
        model.take(run.step(true));
        player.update(model);
        QCOMPARE(player.number(), 1); // first to its end
        player.advance(1000.0);
        player.update(model);
        QCOMPARE(player.number(), 3);
        player.choose(model, 2);
        QVERIFY(!player.isFollowing());
        player.advance(1000.0);
        model.take(run.step(true));
        player.update(model);
        QCOMPARE(player.number(), 2);
        player.play();
        QCOMPARE(player.place(), 0.0);
        player.follow(model);
        QCOMPARE(player.number(), 4);
    }

    void speedIsInMessages()
    {
        RingRun run(4);
        RingModel model;
        model.take(run.hello());
        model.take(run.step(true));
        RingPlayer player;
        player.update(model);
        player.setMessagesPerSecond(2.0);
        player.advance(1.5);
        QCOMPARE(player.place(), 6.0); // two instants a message
        player.pause();
        player.advance(1.5);
        QCOMPARE(player.place(), 6.0);
    }

    void otherAlgorithmsAreDrawnFromTheirMessages_data()
    {
        QTest::addColumn<std::string>("algorithm");
        QTest::addColumn<int>("ranks");
        for (const char* algorithm : {"tree", "halving_doubling", "parameter_server"}) {
            for (const int ranks : {2, 3, 4, 8}) {
                QTest::addRow("%s of %d", algorithm, ranks) << std::string(algorithm) << ranks;
            }
        }
    }

    /// Each rank's moves one after the other; a message arrives when both ends are done.
    void otherAlgorithmsAreDrawnFromTheirMessages()
    {
        QFETCH(std::string, algorithm);
        QFETCH(int, ranks);
        const plan::AllReduceMoves moves = plan::allReduceMoves(algorithm, ranks);
        store::Delta delta;
        std::size_t longest = 0;
        int sent = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            const auto& own = moves.byRank[static_cast<std::size_t>(rank)];
            longest = std::max(longest, own.size());
            wire::TrafficBatch batch;
            for (std::size_t i = 0; i < own.size(); ++i) {
                const auto number = static_cast<std::int64_t>(i);
                batch.rows.push_back({1, number, own[i].to, own[i].from, 64, 100 + number * 10, 10});
                sent += own[i].to >= 0 ? 1 : 0;
            }
            delta.traffic.push_back({rank, batch});
        }
        RingModel model(algorithm);
        model.take(RingRun(ranks).hello());
        store::Delta first = delta; // all but what rank 0 does last
        first.traffic.front().what.rows.pop_back();
        model.take(first);
        QVERIFY(!model.steps().at(1).isComplete());
        QCOMPARE(model.steps().at(1).waitedFor(), std::vector<int>{0});
        model.take(delta);
        const RingStep& step = model.steps().at(1);
        QVERIFY(step.isComplete());
        QCOMPARE(step.messages(), sent);
        QVERIFY(step.pictureAt(0.0).isReducing());
        const RingPicture end = step.pictureAt(static_cast<double>(step.instants().size()));
        QVERIFY(!end.isReducing());
        QCOMPARE(end.contributions, std::vector<int>(static_cast<std::size_t>(ranks * moves.chunks), ranks));
        RingPlayer player;
        player.update(model);
        std::size_t most = 0;
        for (int i = 0; i < 200; ++i) {
            player.advance(0.02);
            most = std::max(most, player.picture().flights.size());
        }
        QVERIFY(most > 0);
    }

    void onlyTheNewestStepsAreKept()
    {
        RingRun run(2);
        RingModel model;
        model.take(run.hello());
        for (int i = 0; i < 300; ++i) {
            model.take(run.step(true));
        }
        QCOMPARE(model.steps().size(), RingModel::MaximumSteps);
        QCOMPARE(model.steps().begin()->first, 300 - 256 + 1);
        QCOMPARE(model.steps().rbegin()->first, 300);
    }

    void otherMessagesAreLeftOut()
    {
        RingRun run(4);
        RingModel model;
        model.take(run.hello());
        store::Delta delta;
        wire::TrafficBatch batch;
        const auto add = [&](std::int64_t number, std::int32_t to, std::int32_t from) {
            batch.rows.push_back({1, number, to, from, 8, 10, 10});
        };
        add(0, 2, 3); // not to the next one
        add(0, 1, -1); // nothing received
        add(6, 1, 3); // after the ring's last
        add(-1, 1, 3);
        batch.dropped = 5;
        delta.traffic.push_back({0, batch});
        delta.traffic.push_back({9, batch}); // no such rank
        model.take(delta);
        QVERIFY(model.steps().empty());
        QCOMPARE(model.dropped(), 10);
        const store::Delta step = run.step(true);
        model.take(step);
        model.take(step); // twice the same
        QCOMPARE(model.steps().at(1).events().size(), std::size_t(24));
    }
};

LOCKSTEP_TEST(TestRingModel)
#include "test_ring_model.moc"
