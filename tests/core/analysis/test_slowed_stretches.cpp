// Ranks slowed by hand while the run went on: what a step took before, meanwhile and afterwards, of runs whose truth is
// known because their rows were made by it.
#include "analysis/findings/all_findings.h"
#include "analysis/timing/slowed_stretches.h"
#include "core/analysis/optimizer_runs.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

constexpr std::int32_t Ranks = 4;
constexpr std::int64_t Second = 1'000'000'000;

/// A step of `ms`, of which the rank waits a part.
StepRow rowOf(std::int64_t step, double ms, double waitMs)
{
    StepRow row{.step = step, .endNs = step * Second, .wallNs = std::llround(ms * 1e6), .samples = step, .batch = 1};
    row.phaseNs[static_cast<std::size_t>(Phase::Wait)] = std::llround(waitMs * 1e6);
    return row;
}

/// Steps first to last; the slow rank is delayed, the others wait for it.
void addSteps(SlowedStretchesBuilder& builder, std::int64_t first, std::int64_t last, std::int32_t slow, double delayMs)
{
    for (std::int64_t step = first; step <= last; ++step) {
        for (std::int32_t rank = 0; rank < Ranks; ++rank) {
            builder.addStep(rank, rowOf(step, 4.0 + delayMs, rank == slow ? 0.0 : 0.1 + delayMs));
        }
    }
}

/// Steps of 4 ms; rank 2 is slowed by 5 ms from step 101 to 200.
SlowedStretchesBuilder slowedOnce()
{
    SlowedStretchesBuilder builder;
    builder.setWorldSize(Ranks);
    addSteps(builder, 1, 100, 2, 0.0);
    builder.delayed(101, 2, 5.0);
    addSteps(builder, 101, 200, 2, 5.0);
    builder.delayed(201, 2, 0.0);
    addSteps(builder, 201, 300, 2, 0.0);
    return builder;
}

RunRecord recordOf(const SlowedStretchesBuilder& builder)
{
    RunRecord run = optimizerRun(1, 0, 40, 1e-3, 0.9);
    run.summary.interference.isSlowed = true;
    run.stretches = builder.stretches();
    return run;
}

std::vector<std::string> saidOf(const RunRecord& run, std::string_view kind)
{
    std::vector<std::string> said;
    for (const Finding& finding : findings(std::vector{run})) {
        if (finding.kind == kind) {
            said.push_back(sentence(finding, {}));
        }
    }
    return said;
}

} // namespace

class TestSlowedStretches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStretchHasItsOwnSteps()
    {
        const std::vector<SlowedStretch> all = slowedOnce().stretches();
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[1].firstStep, std::int64_t{101});
        QCOMPARE(all[1].lastStep, std::int64_t{200});
        QCOMPARE(all[1].ranks, std::vector<std::int32_t>{2});
        QCOMPARE(all[1].delayMs, 5.0);
        QCOMPARE(all[1].msPerStep, 9.0);
        QCOMPARE(all[1].othersWaitMs, 5.1);
        for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
            QVERIFY(all[i].ranks.empty());
            QCOMPARE(all[i].msPerStep, 4.0);
        }
    }

    void whatItShowsIsSaid()
    {
        const RunRecord run = recordOf(slowedOnce());
        QCOMPARE(saidOf(run, "run.slowed"),
            std::vector<std::string>{displayName(run)
                + ": while rank 2 was slowed by 5.00 ms, a step took 9.00 ms instead of 4.00. The others waited 5.10 "
                  "ms."});
        QCOMPARE(saidOf(run, "run.slowed_after"),
            std::vector<std::string>{displayName(run) + ": after the slow steps, a step took 4.00 ms."});
        QCOMPARE(saidOf(run, "run.interfered").size(), std::size_t{1}); // left out of comparisons as before
    }

    /// A slider that is dragged sets many values, none of which lasts.
    void passingValuesSayNothing()
    {
        SlowedStretchesBuilder builder;
        builder.setWorldSize(Ranks);
        addSteps(builder, 1, 50, 2, 0.0);
        for (std::int64_t step = 51; step < 60; ++step) {
            builder.delayed(step, 2, static_cast<double>(step - 50));
            addSteps(builder, step, step, 2, static_cast<double>(step - 50));
        }
        builder.delayed(60, 2, 10.0);
        addSteps(builder, 60, 100, 2, 10.0);
        const std::vector<SlowedStretch> all = builder.stretches();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[1].delayMs, 10.0);
        QCOMPARE(saidOf(recordOf(builder), "run.slowed").size(), std::size_t{1});
        QVERIFY(saidOf(recordOf(builder), "run.slowed_after").empty());
    }

    void allRanksHaveNobodyWhoWaits()
    {
        SlowedStretchesBuilder builder;
        builder.setWorldSize(Ranks);
        addSteps(builder, 1, 50, -1, 0.0);
        builder.delayed(51, -1, 2.0);
        addSteps(builder, 51, 100, -1, 2.0);
        const RunRecord run = recordOf(builder);
        QCOMPARE(run.stretches[1].ranks, (std::vector<std::int32_t>{0, 1, 2, 3}));
        QVERIFY(std::isnan(run.stretches[1].othersWaitMs));
        QCOMPARE(saidOf(run, "run.slowed"),
            std::vector<std::string>{displayName(run)
                + ": while ranks 0, 1, 2, 3 were slowed by 2.00 ms, a step took 6.00 ms instead of 4.00."});
    }

    /// Steps over another link are not compared with those before it.
    void anotherLinkIsNotCompared()
    {
        SlowedStretchesBuilder builder;
        builder.setWorldSize(Ranks);
        addSteps(builder, 1, 50, 2, 0.0);
        builder.linkChanged(51);
        builder.delayed(51, 2, 5.0);
        addSteps(builder, 51, 100, 2, 5.0);
        QCOMPARE(builder.stretches().size(), std::size_t{2});
        QVERIFY(saidOf(recordOf(builder), "run.slowed").empty());
    }

    void aRunThatNobodySlowedHasNone()
    {
        SlowedStretchesBuilder builder;
        builder.setWorldSize(Ranks);
        builder.delayed(1, 2, 0.0);
        addSteps(builder, 1, 100, 2, 0.0);
        QVERIFY(builder.stretches().empty());
    }
};

LOCKSTEP_TEST(TestSlowedStretches)
#include "test_slowed_stretches.moc"
