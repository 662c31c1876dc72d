// Waiting separated from transferring, by the rows of all ranks.
#include "program/test_class.h"
#include "store/account/step_join.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::store;

namespace {

struct Row {
    std::int64_t step = 0;
    std::int64_t arrivalNs = 0;
    std::int64_t communicateNs = 0;
};

wire::StepBatch batchOf(std::initializer_list<Row> rows)
{
    wire::StepBatch batch;
    for (const Row& row : rows) {
        batch.rows.push_back({.step = row.step,
            .endNs = row.arrivalNs + row.communicateNs + 5,
            .wallNs = 100,
            .samples = row.step * 64,
            .batch = 32,
            .loss = 0.5,
            .learningRate = 0.1,
            .bytesSent = 400,
            .arrivalNs = row.arrivalNs});
        batch.rows.back().phaseNs[static_cast<std::size_t>(Phase::Communicate)] = row.communicateNs;
    }
    return batch;
}

std::vector<std::int64_t> stepsOf(const wire::StepBatch& batch)
{
    std::vector<std::int64_t> steps;
    for (const StepRow& row : batch.rows) {
        steps.push_back(row.step);
    }
    return steps;
}

std::int64_t phase(const StepJoin::Joined& joined, std::size_t batch, std::size_t row, Phase phase)
{
    return joined.steps.at(batch).what.rows.at(row).nsOf(phase);
}

} // namespace

class TestStepJoin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastToArriveDoesNotWait()
    {
        StepJoin join(2);
        QVERIFY(join.add(0, batchOf({{1, 1000, 2500}})).steps.empty());
        const auto joined = join.add(1, batchOf({{1, 3000, 600}}));
        QCOMPARE(joined.steps.size(), std::size_t{2});
        QCOMPARE(joined.steps[0].rank, 0);
        QCOMPARE(phase(joined, 0, 0, Phase::Wait), std::int64_t{2000});
        QCOMPARE(phase(joined, 0, 0, Phase::Communicate), std::int64_t{500});
        QCOMPARE(phase(joined, 1, 0, Phase::Wait), std::int64_t{0});
        QCOMPARE(phase(joined, 1, 0, Phase::Communicate), std::int64_t{600});
        // Rank 0 has a span of waiting and one of communicating, rank 1 only the latter.
        QCOMPARE(joined.spans.size(), std::size_t{2});
        QCOMPARE(joined.spans[0].what.size(), std::size_t{2});
        QCOMPARE(joined.spans[0].what.rows[1].startNs, std::int64_t{3000});
        QCOMPARE(joined.spans[1].what.size(), std::size_t{1});
        QVERIFY(join.isEmpty());
    }

    void rowsWithoutAnArrivalPassAtOnceButNeverOvertake()
    {
        StepJoin join(2);
        const auto first = join.add(0, batchOf({{1, 0, 0}, {2, 1000, 100}, {3, 0, 0}}));
        QCOMPARE(first.steps.size(), std::size_t{1});
        QCOMPARE(stepsOf(first.steps[0].what), std::vector<std::int64_t>{1});
        const auto second = join.add(1, batchOf({{1, 0, 0}, {2, 1010, 90}}));
        QCOMPARE(second.steps.size(), std::size_t{2});
        QCOMPARE(stepsOf(second.steps[0].what), (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(stepsOf(second.steps[1].what), (std::vector<std::int64_t>{1, 2}));
    }

    void aRankThatSendsNoRowIsNotWaitedForForEver()
    {
        StepJoin join(2);
        wire::StepBatch batch = batchOf({{1, 1000, 2500}, {2, 5000, 100}});
        batch.rows.back().endNs = batch.rows.front().endNs + 11'000'000'000;
        const auto joined = join.add(0, batch);
        QCOMPARE(joined.steps.size(), std::size_t{1});
        QCOMPARE(stepsOf(joined.steps[0].what), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(phase(joined, 0, 0, Phase::Wait), std::int64_t{0});
        QVERIFY(join.isEmpty());
    }

    void aRankThatLeavesEarlyHasWaitedNoLongerThanItWasThere()
    {
        StepJoin join(2);
        QVERIFY(join.add(1, batchOf({{1, 1000, 200}})).steps.empty());
        const auto joined = join.add(0, batchOf({{1, 5000, 100}}));
        QCOMPARE(phase(joined, 1, 0, Phase::Wait), std::int64_t{200});
        QCOMPARE(phase(joined, 1, 0, Phase::Communicate), std::int64_t{0});
    }

    void whatADeadRankLeavesBehindIsNotLost()
    {
        StepJoin join(3);
        QVERIFY(join.add(0, batchOf({{1, 1000, 200}})).steps.empty());
        QVERIFY(join.add(1, batchOf({{1, 1000, 200}, {2, 2000, 200}})).steps.empty());
        QVERIFY(!join.isEmpty());
        const auto rest = join.takeRest();
        QCOMPARE(rest.steps.size(), std::size_t{2});
        QCOMPARE(rest.steps[1].what.size(), std::size_t{2});
        QCOMPARE(phase(rest, 1, 1, Phase::Communicate), std::int64_t{200});
        QVERIFY(join.isEmpty());
    }

    /// Rank 1's clock is 11 s ahead, known to within 40 ns.
    void arrivalsOnTwoClocksAreCompared()
    {
        const analysis::RankClocks clocks = twoClocks();
        StepJoin join(2, &clocks);
        QVERIFY(join.add(0, untold({{1, 1000, 2500}})).steps.empty());
        const auto joined = join.add(1, untold({{1, Ahead + 3000, 600}}));
        QCOMPARE(phase(joined, 0, 0, Phase::Wait), std::int64_t{2000});
        QCOMPARE(phase(joined, 0, 0, Phase::Communicate), std::int64_t{500});
        QCOMPARE(phase(joined, 1, 0, Phase::Wait), std::int64_t{0});
        for (const auto& batch : joined.steps) {
            QCOMPARE(batch.what.rows.front().unattributedNs, 0);
            QCOMPARE(batch.what.rows.front().arrivalNs, 0);
        }
        QCOMPARE(joined.spans[0].what.rows[1].startNs, std::int64_t{3000});
        QCOMPARE(joined.spans[1].what.rows[0].startNs, Ahead + 3000); // each rank's own time
        // What was between the hosts is part of communicating.
        QCOMPARE(joined.steps[0].what.rows.front().betweenHostsNs, 500);
    }

    void whatTheErrorHidesIsNotToldApart()
    {
        const analysis::RankClocks clocks = twoClocks();
        StepJoin join(2, &clocks);
        QVERIFY(join.add(0, untold({{1, 1000, 2500}, {2, 6000, 500}})).steps.empty());
        // Rank 1 comes 30 ns later, then 41 ns earlier.
        const auto joined = join.add(1, untold({{1, Ahead + 1030, 2400}, {2, Ahead + 5959, 541}}));
        for (const std::size_t rank : {0u, 1u}) {
            const StepRow& row = joined.steps.at(rank).what.rows.at(0);
            QCOMPARE(row.nsOf(Phase::Wait), 0);
            QCOMPARE(row.unattributedNs, row.nsOf(Phase::Communicate)); // as it was sent
            QCOMPARE(joined.spans.at(rank).what.rows.at(0).phase, Phase::Communicate);
            QCOMPARE(joined.spans.at(rank).what.rows.at(0).durationNs, row.unattributedNs);
            QCOMPARE(joined.steps.at(rank).what.rows.at(1).unattributedNs, 0);
        }
        QCOMPARE(phase(joined, 1, 1, Phase::Wait), std::int64_t{41});
        QCOMPARE(phase(joined, 0, 1, Phase::Wait), std::int64_t{0});
    }

    void clocksThatWereNotMeasuredTellNothing()
    {
        StepJoin join(2);
        join.setHost(0, "n1");
        join.setHost(1, "n2");
        QVERIFY(join.add(0, untold({{1, 1000, 2500}})).steps.empty());
        const auto joined = join.add(1, untold({{1, 3000, 600}}));
        QCOMPARE(phase(joined, 0, 0, Phase::Wait), std::int64_t{0});
        QCOMPARE(joined.steps[0].what.rows.front().unattributedNs, 2500);
    }

private:
    static constexpr std::int64_t Ahead = 11'000'000'000;

    static analysis::RankClocks twoClocks()
    {
        analysis::RankClocks clocks;
        clocks.add({0}, {1, 0, 0}, 0);
        for (const std::int64_t at : {0, 10'000}) {
            clocks.add({1}, {Ahead + at, -Ahead, 39}, 50); // and half a nanosecond for rounding
        }
        return clocks;
    }

    /// As ranks on several hosts send it.
    static wire::StepBatch untold(std::initializer_list<Row> rows)
    {
        wire::StepBatch batch = batchOf(rows);
        for (StepRow& row : batch.rows) {
            row.unattributedNs = row.nsOf(Phase::Communicate);
            row.betweenHostsNs = row.unattributedNs;
        }
        return batch;
    }
};

LOCKSTEP_TEST(TestStepJoin)
#include "test_step_join.moc"
