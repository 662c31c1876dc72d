#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/findings/staleness.h"
#include "analysis/scaling/estimate.h"
#include "analysis/timing/rank_summary.h"
#include "analysis/timing/step_curve.h"
#include "analysis/timing/summary.h"
#include "core/analysis/readable.h"
#include "plan/steps.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

StepRow row(std::int64_t step, std::int64_t wallNs, double loss, std::int64_t batch = 64)
{
    StepRow made;
    made.step = step;
    made.wallNs = wallNs;
    made.endNs = 1'000'000'000 + step * wallNs;
    made.samples = step * batch;
    made.batch = batch;
    made.loss = loss;
    made.bytesSent = 400;
    made.phaseNs[static_cast<std::size_t>(Phase::Communicate)] = wallNs / 4;
    made.phaseNs[static_cast<std::size_t>(Phase::Wait)] = wallNs / 8;
    return made;
}

experiment::RunSpec variant(std::size_t index, const std::vector<experiment::Override>& changes = {})
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    auto run = experiment::expand(*spec)->at(index);
    for (const auto& change : changes) {
        run.settings[change.name] = static_cast<std::int64_t>(std::stoll(change.text));
    }
    return run;
}

} // namespace

class TestSummary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void warmUpIsLeftOut()
    {
        SummaryBuilder builder(1);
        for (std::int64_t step = 1; step <= 10; ++step) {
            builder.addStep(0, row(step, 50'000'000, 2.0));
        }
        QCOMPARE(builder.summary().msPerStep, 50.0); // nothing but warm-up yet
        for (std::int64_t step = 11; step <= 30; ++step) {
            builder.addStep(0, row(step, 2'000'000, 1.0));
        }
        const Summary summary = builder.summary();
        QCOMPARE(summary.msPerStep, 2.0);
        QCOMPARE(summary.samplesPerSecond, 32'000.0);
        QCOMPARE(summary.commMsPerStep, 0.5);
        QCOMPARE(summary.waitMsPerStep, 0.25);
        QCOMPARE(summary.commFraction, 0.25);
        QCOMPARE(summary.commWithWaitFraction, 0.375);
        QCOMPARE(summary.bytesPerStep, 400.0);
        QCOMPARE(summary.steps, std::int64_t{30});
        QCOMPARE(summary.finalLoss, 1.0);
        QCOMPARE(summary.bestLoss, 1.0);
    }

    void whatIsNotToldApartIsNotMeasured()
    {
        SummaryBuilder builder(2);
        RankSummaryBuilder ranks;
        for (std::int64_t step = 1; step <= 30; ++step) {
            for (const int rank : {0, 1}) {
                StepRow one = row(step, 8'000'000, 1.0);
                one.unattributedNs = rank == 1 && step == 20 ? 1 : 0;
                builder.addStep(rank, one);
                ranks.addStep(rank, one);
            }
        }
        const Summary summary = builder.summary();
        QCOMPARE(summary.commMsPerStep, 3.0); // both
        QVERIFY(std::isnan(summary.waitMsPerStep));
        QVERIFY(std::isnan(summary.commFraction));
        QCOMPARE(summary.commWithWaitFraction, 0.375);
        const auto byRank = ranks.summaries();
        const auto ms
            = [&](std::size_t rank, Phase phase) { return byRank[rank].phaseMs[static_cast<std::size_t>(phase)]; };
        QCOMPARE(ms(0, Phase::Wait), 1.0);
        QCOMPARE(ms(0, Phase::Communicate), 2.0);
        QCOMPARE(byRank[0].medianWaitMs, 1.0);
        QVERIFY(std::isnan(ms(1, Phase::Wait)));
        QCOMPARE(ms(1, Phase::Communicate), 3.0);
        QVERIFY(std::isnan(byRank[1].medianWaitMs));
    }

    void lossIsWeightedBySamplesOverRanks()
    {
        SummaryBuilder builder(2);
        builder.addStep(1, row(1, 1'000'000, 4.0, 10));
        QVERIFY(std::isnan(builder.summary().finalLoss)); // rank 0 has not sent this step yet
        builder.addStep(0, row(1, 1'000'000, 1.0, 30));
        QCOMPARE(builder.summary().finalLoss, (4.0 * 10 + 1.0 * 30) / 40);
        QCOMPARE(builder.summary().samplesPerSecond, 40'000.0);
    }

    void notMeasuredStaysSo()
    {
        const Summary summary = SummaryBuilder(1).summary();
        QVERIFY(std::isnan(summary.finalLoss));
        QVERIFY(std::isnan(summary.msPerStep));
        QVERIFY(std::isnan(summary.testAccuracy));
        QCOMPARE(summary.steps, std::int64_t{0});
    }

    void bestAndLastAccuracyAreKept()
    {
        SummaryBuilder builder(1);
        for (const double accuracy : {0.5, 0.9, 0.8}) {
            builder.addEvaluation(accuracy, NotMeasured);
        }
        QCOMPARE(builder.summary().testAccuracy, 0.8);
        QCOMPARE(builder.summary().bestTestAccuracy, 0.9);
        QVERIFY(std::isnan(builder.summary().trainLoss));
    }

    void theLastTrainingLossIsKept()
    {
        SummaryBuilder builder(1);
        for (const double loss : {0.5, 0.2, 0.3, NotMeasured}) {
            builder.addEvaluation(NotMeasured, loss);
        }
        QCOMPARE(builder.summary().trainLoss, 0.3);
        QVERIFY(std::isnan(builder.summary().testAccuracy));
    }

    void stepsAreCountedAsTheyAreTaken()
    {
        const auto sgd = plan::stepPlan(variant(1), 8000);
        QCOMPARE(sgd.stepsPerEpoch, std::int64_t{125});
        QCOMPARE(sgd.totalSteps, std::int64_t{625});
        const auto uneven = plan::stepPlan(variant(1), 8001);
        QCOMPARE(uneven.stepsPerEpoch, std::int64_t{126});
        std::int64_t samples = 0;
        for (std::int64_t step = 1; step <= 126; ++step) {
            samples += plan::samplesOfStep(uneven, 8001, step);
        }
        QCOMPARE(samples, std::int64_t{8001});
        QCOMPARE(plan::evaluatedTrainSamples(8001), std::int64_t{8001});
        QCOMPARE(plan::evaluatedTrainSamples(10'000), std::int64_t{10'000});
        QCOMPARE(plan::evaluatedTrainSamples(60'000), std::int64_t{10'000});
        const auto gd = plan::stepPlan(variant(0), 8000);
        QCOMPARE(gd.batch, std::int64_t{8000});
        QCOMPARE(gd.totalSteps, std::int64_t{50});
        QCOMPARE(plan::stepPlan(variant(1, {{"train.steps", "17"}}), 8000).totalSteps, std::int64_t{17});
    }

    /// Between blocks a run holds; then come steps that no mean counts.
    void holdsAreNoTraining()
    {
        SummaryBuilder builder(2);
        RankSummaryBuilder ranks;
        std::int64_t heldNs = 0;
        std::vector<StepRow> rows;
        for (std::int64_t step = 1; step <= 60; ++step) {
            const bool isFirst = step == 21 || step == 41;
            heldNs += isFirst ? 300'000'000 : 0;
            StepRow next = row(step, 10'000'000, 0.5);
            // Before the first hold the other runs load beside it.
            next.wallNs = isFirst ? 9'000'000 : step > 3 && step <= 20 ? 30'000'000 : 10'000'000;
            next.endNs += heldNs;
            rows.push_back(next);
        }
        // Holds may come before the rows of steps before them, and every rank reports them.
        for (const std::int64_t step : {20, 40}) {
            for (int rank = 0; rank < 2; ++rank) {
                builder.heldAfter(step, rows[static_cast<std::size_t>(step - 1)].endNs + rank, 3);
                ranks.heldAfter(rank, step, 3);
            }
        }
        for (const StepRow& each : rows) {
            for (const int rank : {0, 1}) {
                builder.addStep(rank, each);
                ranks.addStep(rank, each);
            }
        }
        QCOMPARE(builder.summary().msPerStep, 10.0); // without the 9 ms after a hold
        QCOMPARE(ranks.summaries().front().msPerStep, 10.0);
        // 60 steps; the millisecond from each hold's end to its first step's begin is part of the hold.
        QVERIFY2(std::fabs(builder.summary().trainSeconds - 0.598) < 1e-6,
            qPrintable(QString::number(builder.summary().trainSeconds)));
    }

    /// Without turns: of a run's own steps after the warm-up, whole ones only.
    void ownStepsAreBlocksOfWholePeriods()
    {
        StepBlocks blocks;
        blocks.setWorldSize(2);
        blocks.setPeriod(5);
        const auto addStep = [&blocks](std::int64_t step) {
            for (const int rank : {0, 1}) {
                // Every fifth step synchronizes; rank 1 is slower.
                blocks.addStep(rank, row(step, (step % 5 == 0 ? 6'000'000 : 1'000'000) * (1 + rank), 1.0));
            }
        };
        std::int64_t step = 1;
        for (; step <= 14; ++step) {
            addStep(step);
        }
        QVERIFY(blocks.kept().empty()); // four steps after the warm-up
        for (; step <= 10 + 5 * 64; ++step) {
            addStep(step);
        }
        for (const MeasuredBlock& block : blocks.kept()) {
            QCOMPARE(block.steps, std::int64_t{5});
            QCOMPARE(block.msPerStep, 3.0); // (4 x 1 + 6) / 5, and twice that
            QCOMPARE(block.samplesPerSecond, 10 * 64 / 0.015);
        }
        QCOMPARE(blocks.kept().size(), std::size_t{64});
        for (; step <= 2000; ++step) {
            addStep(step);
            const auto kept = blocks.kept();
            QVERIFY(kept.size() >= 32 && kept.size() <= 64);
            QVERIFY(std::ranges::all_of(
                kept, [](const MeasuredBlock& block) { return block.steps % 5 == 0 && block.msPerStep == 3.0; }));
        }
    }

    /// However far one rank's rows are ahead of the other's.
    void ownBlocksDoNotDependOnTheOrderOfRows()
    {
        StepBlocks together;
        StepBlocks apart;
        together.setWorldSize(2);
        apart.setWorldSize(2);
        for (std::int64_t step = 1; step <= 700; ++step) {
            for (const int rank : {0, 1}) {
                together.addStep(rank, row(step, 1'000'000 + 1'000 * (step % 17) + rank, 1.0));
            }
        }
        for (const int rank : {1, 0}) {
            for (std::int64_t step = 1; step <= 700; ++step) {
                apart.addStep(rank, row(step, 1'000'000 + 1'000 * (step % 17) + rank, 1.0));
            }
        }
        QCOMPARE(apart.kept().size(), together.kept().size());
        for (std::size_t i = 0; i < apart.kept().size(); ++i) {
            QCOMPARE(apart.kept()[i].msPerStep, together.kept()[i].msPerStep);
        }
    }

    /// One stall of ten seconds moves the mean, and neither what a step typically takes nor its phases.
    void aStallIsNotTypical()
    {
        SummaryBuilder builder(2);
        RankSummaryBuilder ranks;
        ranks.setWorldSize(2);
        for (std::int64_t step = 1; step <= 110; ++step) {
            for (const int rank : {0, 1}) {
                StepRow one = row(step, (rank == 0 ? 8'000'000 : 16'000'000) + (step == 50 ? 10'000'000'000 : 0), 1.0);
                one.phaseNs[static_cast<std::size_t>(Phase::Backward)] = one.wallNs - one.wallNs / 4 - one.wallNs / 8;
                builder.addStep(rank, one);
                ranks.addStep(rank, one);
            }
        }
        Summary summary = builder.summary();
        ranks.addTypical(summary);
        QCOMPARE(summary.msPerStep, 112.0);
        const auto isNear = [](double value, double expected) { return std::fabs(value / expected - 1.0) < 1e-12; };
        QVERIFY(isNear(summary.msPerStepTypical, 12.0));
        QVERIFY(isNear(summary.samplesPerSecondTypical, 128.0 / 0.012));
        QVERIFY(isNear(summary.commMsPerStepTypical, 3.0));
        QVERIFY(isNear(summary.waitMsPerStepTypical, 1.5));
        double sum = 0.0;
        for (const RankSummary& rank : ranks.summaries()) {
            QVERIFY(isNear(rank.msPerStepTypical, rank.rank == 0 ? 8.0 : 16.0));
            for (const double ms : rank.phaseMsTypical) {
                sum += ms / 2.0;
            }
        }
        QVERIFY(isNear(sum, summary.msPerStepTypical)); // the phases of a step add up to it
        QCOMPARE(ranks.blocks().communicateMs().size(), ranks.blocks().kept().size());
    }

    void aRunTooShortForABlockHasItsMeans()
    {
        SummaryBuilder builder(1);
        RankSummaryBuilder ranks;
        for (std::int64_t step = 1; step <= 10; ++step) {
            builder.addStep(0, row(step, 4'000'000 + step, 1.0));
            ranks.addStep(0, row(step, 4'000'000 + step, 1.0));
        }
        Summary summary = builder.summary();
        ranks.addTypical(summary);
        QCOMPARE(summary.msPerStepTypical, summary.msPerStep);
        QCOMPARE(summary.samplesPerSecondTypical, summary.samplesPerSecond);
        QCOMPARE(summary.commMsPerStepTypical, summary.commMsPerStep);
    }

    /// Of a run that takes turns: of the rounds that count, times as measured and phases by their rows.
    void roundsThatAreLeftOutAreNotTypical()
    {
        SummaryBuilder builder(1);
        RankSummaryBuilder ranks;
        const auto blockOf = [](std::int64_t number, std::int64_t wallNs) {
            return BlockOfRank{number, number * 1'000, number * 1'000 + 500, 10, wallNs, 640};
        };
        // Held before its first step, then four rounds of 13 steps; the third one stalls. The fifth only measures.
        builder.heldAfter(0, 1, 3);
        ranks.heldAfter(0, 0, 3);
        for (std::int64_t round = 1; round <= 4; ++round) {
            const std::int64_t stepNs = round == 3 ? 90'000'000 : round * 1'000'000;
            for (std::int64_t step = 13 * (round - 1) + 1; step <= 13 * round; ++step) {
                builder.addStep(0, row(step, stepNs, 1.0));
                ranks.addStep(0, row(step, stepNs, 1.0));
            }
            builder.heldAfter(13 * round, 1, 3);
            ranks.heldAfter(0, 13 * round, 3, blockOf(round, 10 * stepNs));
        }
        ranks.heldAfter(0, 65, 3, blockOf(5, 80'000'000));
        ranks.leaveOut(3);
        Summary summary = builder.summary();
        ranks.addTypical(summary);
        const double typical = std::sqrt(std::sqrt(1.0 * 2.0 * 4.0 * 8.0));
        QVERIFY(std::fabs(summary.msPerStepTypical - typical) < 1e-12);
        QVERIFY(std::fabs(summary.samplesPerSecondTypical - 64'000.0 / typical) < 1e-9);
        QVERIFY(std::fabs(summary.commMsPerStepTypical - typical / 4.0) < 1e-12);
        const std::vector<MeasuredBlock> rounds = ranks.blocks().rounds();
        QCOMPARE(rounds.size(), std::size_t{5});
        QVERIFY(rounds[2].isLeftOut && !rounds[3].isLeftOut);
        QCOMPARE(ranks.blocks().communicateMs(), std::vector<double>({0.25, 0.5, 1.0}));
        // With all left out there is nothing better than all.
        for (const std::int64_t round : {1, 2, 4, 5}) {
            ranks.leaveOut(round);
        }
        QCOMPARE(ranks.blocks().kept().size(), std::size_t{5});
    }

    void aBlockIsWholeWithItsLastRank()
    {
        BlocksBuilder builder;
        builder.setWorldSize(2);
        builder.add({1, 100, 500, 10, 20'000'000, 320});
        QVERIFY(builder.blocks().empty());
        builder.add({1, 90, 510, 10, 40'000'000, 320});
        builder.add({2, 600, 700, 0, 0, 0}); // an evaluation left no step to count
        builder.add({2, 600, 700, 0, 0, 0});
        QCOMPARE(builder.blocks().size(), std::size_t{1});
        const MeasuredBlock& block = builder.blocks().front();
        QCOMPARE(block.number, std::int64_t{1});
        QCOMPARE(block.startNs, std::int64_t{90});
        QCOMPARE(block.endNs, std::int64_t{510});
        QCOMPARE(block.msPerStep, 3.0);
        QCOMPARE(block.samplesPerSecond, 640.0 / 0.03);
    }

    void pausesAreNoTraining()
    {
        SummaryBuilder builder(2);
        for (std::int64_t step = 1; step <= 100; ++step) {
            for (const int rank : {0, 1}) {
                builder.addStep(rank, row(step, 10'000'000, 0.5));
            }
            if (step == 50) {
                // Both ranks report it, the second a little later.
                builder.pausedAt(1'600'000'000);
                builder.pausedAt(1'610'000'000);
                builder.resumedAt(1'850'000'000);
                builder.resumedAt(1'860'000'000);
            }
        }
        QVERIFY2(std::fabs(builder.summary().trainSeconds - 0.75) < 1e-9,
            qPrintable(QString::number(builder.summary().trainSeconds)));
    }

    void aResumedRunCountsTheTimeBefore()
    {
        SummaryBuilder known(1);
        known.setResumption({20, 0, 60}, 2'500'000'000);
        SummaryBuilder unknown(1);
        unknown.setResumption({20, 30, 60}, -1);
        for (std::int64_t step = 21; step <= 60; ++step) {
            known.addStep(0, row(step, 10'000'000, 0.5));
            unknown.addStep(0, row(step, 10'000'000, 0.5));
        }
        QVERIFY2(std::fabs(known.summary().trainSeconds - 2.9) < 1e-9,
            qPrintable(QString::number(known.summary().trainSeconds)));
        QVERIFY(std::isnan(unknown.summary().trainSeconds));
        QCOMPARE(unknown.summary().msPerStep, 10.0); // of the steps of the run
        QCOMPARE(unknown.summary().resumption, (Resumption{20, 30, 60}));
    }

    void aStepComesWithItsLastRank()
    {
        StepLosses losses(2);
        QVERIFY(!losses.add(0, row(1, 10, 1.0, 48)));
        QVERIFY(!losses.add(0, row(2, 10, 3.0, 48))); // rank 0 again: rank 1 is late
        const auto first = losses.add(1, row(1, 20, 5.0, 16));
        QVERIFY(first.has_value());
        QCOMPARE(first->step, std::int64_t{1});
        QCOMPARE(first->loss, (48 * 1.0 + 16 * 5.0) / 64);
        QCOMPARE(first->endNs, std::int64_t{1'000'000'020});
        QCOMPARE(first->samples, std::int64_t{48}); // of the run so far, as the rank that knows most has it
        QVERIFY(losses.add(1, row(2, 10, 3.0, 16)).has_value());
        StepLosses alone(1);
        QVERIFY(std::isnan(alone.add(0, row(1, 10, 0.0, 0))->loss)); // no samples, no loss
    }

    void ranksWithoutStepsAreNotWaitedFor()
    {
        StepLosses served(3);
        QVERIFY(!served.add(0, row(1, 10, 1.0, 8)));
        QVERIFY(!served.add(0, row(2, 10, 0.5, 8)));
        served.leave(1);
        QVERIFY(served.takeLate().empty()); // rank 2 may come
        served.leave(2);
        const auto late = served.takeLate();
        QCOMPARE(late.size(), std::size_t{2});
        QCOMPARE(late[1].loss, 0.5);
        QVERIFY(served.add(0, row(3, 10, 0.25, 8)).has_value());

        StepLosses silent(2);
        StepRow first = row(1, 10, 1.0, 8);
        QVERIFY(!silent.add(0, first));
        QVERIFY(silent.takeLate().empty());
        first.step = 2;
        first.endNs += 11'000'000'000;
        QVERIFY(!silent.add(0, first));
        QCOMPARE(silent.takeLate().size(), std::size_t{2});
        // A stage of a pipeline without a loss has no samples either.
        StepLosses stages(2);
        QVERIFY(!stages.add(0, row(1, 10, NotMeasured, 0)));
        QCOMPARE(stages.add(1, row(1, 10, 2.0, 8))->loss, 2.0);
    }

    void aLossIsTheSameInWhateverOrderRowsCome()
    {
        // Three numbers whose sum depends on the order of the additions.
        const std::vector<double> losses{0.1, 0.2, 0.3};
        std::vector<std::int32_t> order{0, 1, 2};
        std::set<double> found;
        do {
            StepLosses steps(3);
            std::optional<WholeStep> whole;
            for (const std::int32_t rank : order) {
                whole = steps.add(rank, row(1, 10, losses[static_cast<std::size_t>(rank)], 1));
            }
            found.insert(whole->loss);
        } while (std::next_permutation(order.begin(), order.end()));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(*found.begin(), (0.1 + 0.2 + 0.3) / 3.0);
    }

    void aClockLeavesPausesOut()
    {
        RunClock clock;
        QVERIFY(!clock.hasBegun());
        clock.addStep(row(1, 100, 1.0)); // from 1 s on
        clock.addStep(row(1, 80, 1.0));
        QCOMPARE(clock.beginNs(), std::int64_t{1'000'000'000});
        QCOMPARE(clock.endNs(), std::int64_t{1'000'000'100});
        clock.pausedAt(2'000'000'000);
        QCOMPARE(clock.secondsAt(3'000'000'000), 1.0); // whatever is done meanwhile is done then
        clock.pausedAt(2'000'000'500);
        clock.resumedAt(4'000'000'000);
        clock.resumedAt(4'000'000'500);
        clock.pausedAt(2'000'000'900); // a third rank, of the same pause
        clock.resumedAt(4'000'000'900);
        clock.pausedAt(6'000'000'000);
        clock.resumedAt(6'500'000'000);
        QCOMPARE(clock.secondsAt(1'500'000'000), 0.5);
        QCOMPARE(clock.secondsAt(3'000'000'000), 1.0);
        QCOMPARE(clock.secondsAt(5'000'000'000), 2.0);
        QCOMPARE(clock.secondsAt(7'000'000'000), 3.5);
    }

    void estimateKnowsTheNet()
    {
        const Estimate rough = estimate(variant(1), {}, Processor::Cpu);
        QCOMPARE(rough.parameters, std::int64_t{101'770});
        QCOMPARE(rough.steps, std::int64_t{625});
        QVERIFY(!rough.fromMeasurement);
        QVERIFY(rough.seconds > 0.0);
    }

    /// One measured run of the net gives the time of another within a factor of 2, whatever this machine's speed.
    void estimateFollowsOneMeasurement()
    {
        RunRecord measured;
        measured.spec = variant(1);
        measured.status = RunStatus::Finished;
        measured.summary.steps = 625;
        measured.summary.msPerStep = 40.0;
        measured.summary.samplesPerSecond = 1600.0;
        measured.summary.trainSeconds = 25.0;
        measured.summary.startSeconds = 3.0;
        measured.summary.trainSamples = 8000;
        measured.summary.testSamples = 2000;
        const std::vector<RunRecord> history{measured};
        const Estimate same = estimate(variant(1), history, Processor::Cpu);
        QVERIFY(same.fromMeasurement);
        QVERIFY2(std::fabs(same.seconds - 28.0) < 0.5, qPrintable(QString::number(same.seconds)));
        const Estimate twice = estimate(variant(1, {{"train.epochs", "10"}}), history, Processor::Cpu);
        // Files say how many samples they hold only when a rank has read them.
        RunRecord files = measured;
        files.spec.settings["dataset.name"] = std::string("mnist");
        files.spec.settings["dataset.path"] = std::string("/data");
        const Estimate sameFiles = estimate(files.spec, std::vector<RunRecord>{files}, Processor::Cpu);
        QCOMPARE(sameFiles.steps, std::int64_t{625});
        QVERIFY2(std::fabs(sameFiles.seconds - 28.0) < 0.5, qPrintable(QString::number(sameFiles.seconds)));
        QVERIFY2(std::fabs(twice.seconds - 54.5) < 1.0, qPrintable(QString::number(twice.seconds)));
    }

    /// `device` is auto in both: what tells them apart is where the ranks computed.
    /// What a link and a straggler add is calculated: a run with them says how long one without takes, and back.
    void estimateCountsWhatIsEmulated()
    {
        const std::vector<experiment::Override> two{{"strategy.name", "data"}, {"world_size", "2"}};
        auto linked = two;
        linked.insert(linked.end(), {{"link.latency_us", "5000"}, {"aggregation.algorithm", "ring"}});
        auto slowed = two;
        slowed.insert(slowed.end(), {{"straggler.ranks", "1"}, {"straggler.delay_ms", "20"}});
        const auto runOf = [](const std::vector<experiment::Override>& overrides) {
            const std::vector<std::string> only{"SGD"};
            return experiment::expand(*experiment::customise(*experiment::preset("optimizers"), overrides, only))
                ->front();
        };
        const auto secondsOf = [&](const auto& overrides, const std::vector<RunRecord>& history) {
            return estimate(runOf(overrides), history, Processor::Cpu).seconds;
        };
        const double steps = static_cast<double>(estimate(runOf(two), {}, Processor::Cpu).steps);
        QVERIFY(std::abs(secondsOf(slowed, {}) - secondsOf(two, {}) - 0.020 * steps) < 1e-6);
        auto allSlowed = two; // without a list every rank is slowed
        allSlowed.insert(allSlowed.end(), {{"straggler.delay_ms", "20"}});
        QVERIFY(std::abs(secondsOf(allSlowed, {}) - secondsOf(two, {}) - 0.020 * steps) < 1e-6);
        QVERIFY(
            secondsOf(linked, {}) - secondsOf(two, {}) >= 0.010 * steps - 1e-6); // two messages, one after the other
        RunRecord record;
        record.spec = runOf(linked);
        record.status = RunStatus::Finished;
        record.summary.trainSeconds = 3.0 + secondsOf(linked, {}) - secondsOf(two, {});
        record.summary.startSeconds = 1.0;
        QVERIFY(std::abs(secondsOf(two, {record}) - 4.0) < 1e-6);
        QVERIFY(std::abs(secondsOf(slowed, {record}) - 4.0 - 0.020 * steps) < 1e-6);
    }

    void estimateTellsAGpuFromTheCpu()
    {
        RunRecord onCpu;
        onCpu.spec = variant(1);
        onCpu.status = RunStatus::Finished;
        onCpu.summary.trainSeconds = 25.0;
        onCpu.summary.startSeconds = 3.0;
        onCpu.summary.device = "cpu";
        RunRecord onGpu = onCpu;
        onGpu.summary.trainSeconds = 2.0;
        onGpu.summary.device = "cuda:1";
        experiment::RunSpec asked = variant(1);
        asked.settings["device"] = std::string("cuda:0");
        for (const std::vector<RunRecord>& history : {std::vector{onCpu, onGpu}, std::vector{onGpu, onCpu}}) {
            QCOMPARE(estimate(variant(1), history, Processor::Cpu).seconds, 28.0);
            QCOMPARE(estimate(variant(1), history, Processor::Gpu).seconds, 5.0);
            QCOMPARE(estimate(asked, history, Processor::Gpu).seconds, 5.0);
        }
        const std::vector<RunRecord> onlyGpu{onGpu};
        QVERIFY(!estimate(variant(1), onlyGpu, Processor::Cpu).fromMeasurement);
        QVERIFY(!estimate(variant(1), std::vector{onCpu}, Processor::Gpu).fromMeasurement);
        // A run of an earlier version did not say where it was, and so not another place.
        RunRecord silent = onCpu;
        silent.summary.device.clear();
        QCOMPARE(processorOf(silent), Processor::Unknown);
        QVERIFY(estimate(variant(1), std::vector{silent}, Processor::Gpu).fromMeasurement);
        silent.spec.settings["device"] = std::string("cpu");
        QVERIFY(!estimate(variant(1), std::vector{silent}, Processor::Gpu).fromMeasurement);
        QVERIFY(estimate(variant(1), std::vector{silent}, Processor::Cpu).fromMeasurement);
        // Nor is the time of another machine that of this one.
        onGpu.importedFrom = "recording";
        QVERIFY(!estimate(variant(1), std::vector{onGpu}, Processor::Gpu).fromMeasurement);
    }

    void aRoughEstimateKnowsTheProcessor()
    {
        const experiment::RunSpec large = variant(1, {{"net.hidden", "4096"}});
        QVERIFY(estimate(large, {}, Processor::Gpu).seconds < 0.2 * estimate(large, {}, Processor::Cpu).seconds);
        // A small net only launches kernels there, and CUDA takes a while to start.
        QVERIFY(estimate(variant(1), {}, Processor::Gpu).seconds > 4.0);
    }

    /// A run of the same net tells more than one of another net with the same type, algorithm and data.
    void theNearestRunHasTheSameNet()
    {
        const auto measured = [](const char* net, const char* type, const char* optimizer, double seconds) {
            RunRecord record;
            record.spec = variant(1);
            record.spec.settings["net.name"] = std::string(net);
            record.spec.settings["train.dtype"] = std::string(type);
            record.spec.settings["optimizer.name"] = std::string(optimizer);
            record.status = RunStatus::Finished;
            record.summary.trainSeconds = seconds;
            return record;
        };
        const std::vector<RunRecord> history{
            measured("cnn", "float32", "momentum", 100.0), measured("mlp", "float64", "momentum", 20.0)};
        const RunRecord* nearest = nearestRun(variant(1), history, Processor::Cpu);
        QVERIFY(nearest != nullptr);
        QCOMPARE(nearest->summary.trainSeconds, 20.0);
    }

    /// Each of two ranks reads and writes half of Adam's state in each step, 4 of 8 bytes a parameter, at 1 GB/s.
    void stateOnDiskIsReadAndWritten()
    {
        const auto estimated = [](const char* offload) {
            experiment::RunSpec run = variant(2, {{"world_size", "2"}});
            run.settings["strategy.name"] = std::string("zero");
            run.settings["zero.offload"] = std::string(offload);
            return estimate(run, {}, Processor::Cpu);
        };
        const Estimate onDisk = estimated("disk");
        const double expected = 8.0 * static_cast<double>(onDisk.parameters) * static_cast<double>(onDisk.steps) / 1e9;
        QVERIFY(expected > 0.0);
        QVERIFY2(std::fabs(onDisk.seconds - estimated("none").seconds - expected) < 1e-6,
            qPrintable(QString::number(onDisk.seconds - estimated("none").seconds)));
    }

    /// Backward counts as two forwards, so another forward makes a step 4/3 as long; the evaluations, now of the
    /// training set too, stay as they are.
    void estimateKnowsOfRecomputation()
    {
        const auto seconds = [](const char* recompute, std::int64_t epochs) {
            experiment::RunSpec run = variant(1, {{"train.batch", "8000"}, {"net.hidden", "2000"}});
            run.settings["strategy.name"] = std::string("pipeline");
            run.settings["train.recompute"] = std::string(recompute);
            run.settings["train.epochs"] = epochs;
            return estimate(run, {}, Processor::Cpu).seconds;
        };
        const double kept = seconds("none", 6) - seconds("none", 5); // without what the start takes
        const double recomputed = seconds("stage", 6) - seconds("stage", 5);
        QVERIFY2(
            recomputed / kept > 1.2 && recomputed / kept < 4.0 / 3.0, qPrintable(QString::number(recomputed / kept)));
    }

    void overlapIsTheShareOfCommunicationBehindBackward()
    {
        SummaryBuilder builder(2);
        for (std::int64_t step = 1; step <= 20; ++step) {
            for (std::int32_t rank = 0; rank < 2; ++rank) {
                StepRow made = row(step, 8'000'000, 1.0); // 2 ms communicating, 1 ms waiting
                made.hiddenNs = rank == 0 ? 9'000'000 : 3'000'000;
                builder.addStep(rank, made);
            }
        }
        QCOMPARE(builder.summary().overlapFraction, 12.0 / 18.0);
        SummaryBuilder open(1);
        open.addStep(0, row(1, 8'000'000, 1.0));
        QVERIFY(std::isnan(open.summary().overlapFraction));
    }

    void timeBetweenHostsIsAMeanOverRanks()
    {
        SummaryBuilder builder(2);
        RankSummaryBuilder ranks;
        builder.setHost(0, "n1");
        QCOMPARE(builder.summary().hosts, std::int64_t(1));
        builder.setHost(1, "n2");
        for (std::int64_t step = 1; step <= 20; ++step) {
            for (std::int32_t rank = 0; rank < 2; ++rank) {
                StepRow made = row(step, 8'000'000, 1.0);
                made.betweenHostsNs = step <= 10 ? 7'000'000 : rank == 0 ? 500'000 : 1'500'000; // first the warm-up
                builder.addStep(rank, made);
                ranks.addStep(rank, made);
            }
        }
        QCOMPARE(builder.summary().hosts, std::int64_t(2));
        QCOMPARE(builder.summary().betweenHostsMsPerStep, 1.0);
        QCOMPARE(ranks.summaries().at(1).betweenHostsMs, 1.5);
        SummaryBuilder other(1);
        other.addStep(0, row(1, 8'000'000, 1.0));
        QVERIFY(std::isnan(other.summary().betweenHostsMsPerStep));
        QCOMPARE(other.summary().hosts, std::int64_t(0));
    }

    void stalenessIsOfTheGradientsThatHaveIt()
    {
        SummaryBuilder builder(2);
        StalenessBuilder byRank;
        for (std::int64_t step = 1; step <= 4; ++step) {
            for (std::int32_t rank = 0; rank < 2; ++rank) {
                StepRow made = row(step, 8'000'000, 1.0);
                made.staleness = rank == 0 ? 1 : step;
                builder.addStep(rank, made);
                byRank.add(rank, made.staleness);
            }
        }
        QCOMPARE(builder.summary().staleness, (4 * 1 + 1 + 2 + 3 + 4) / 8.0);
        QCOMPARE(builder.summary().largestStaleness, 4.0);
        QCOMPARE(byRank.ranks().size(), std::size_t(2));
        QCOMPARE(byRank.ranks()[1].mean(), 2.5);
        QCOMPARE(byRank.ranks()[1].counts, (std::vector<std::int64_t>{0, 1, 1, 1, 1}));
        QCOMPARE(joined(byRank.ranks()).counts, (std::vector<std::int64_t>{0, 5, 1, 1, 1}));
        byRank.add(0, 1'000'000'000);
        QCOMPARE(byRank.ranks()[0].counts.size(), MostStaleness);
        QCOMPARE(byRank.ranks()[0].largest, std::int64_t(1'000'000'000));
        // Without an asynchronous server there is none.
        SummaryBuilder other(1);
        other.addStep(0, row(1, 8'000'000, 1.0));
        byRank.add(2, -1);
        QVERIFY(std::isnan(other.summary().staleness) && std::isnan(other.summary().largestStaleness));
        QCOMPARE(byRank.ranks().size(), std::size_t(2));
    }

    void theStalestRankIsNamed()
    {
        RunRecord run;
        run.spec.name = "parameter_server_async";
        StalenessBuilder byRank;
        for (const auto& [rank, staleness] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 6}, std::pair{1, 7}}) {
            byRank.add(rank, staleness);
        }
        run.staleness = byRank.ranks();
        run.summary.staleness = 4.0;
        const auto found = stalenessFindings(std::vector<RunRecord>{run, RunRecord{}});
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(sentence(found[0], {})),
            QString("In parameter_server_async the server updates the weights 4.00 times, at most 7 times, while a "
                    "rank computes its gradient. The gradients of rank 1 are the stalest (6.50 updates), those of rank "
                    "0 the "
                    "freshest (1.50)."));
    }

    /// With the mean and interval over its repeats, which the table shows.
    void stalenessIsSaidOnceAVariant()
    {
        std::vector<RunRecord> runs;
        for (const int seed : {1, 2, 3}) {
            RunRecord run;
            run.id.text = std::to_string(seed);
            run.spec = variant(0, {{"train.seed", std::to_string(seed)}});
            StalenessBuilder byRank;
            byRank.add(0, 1);
            byRank.add(1, 2 + seed);
            run.staleness = byRank.ranks();
            run.summary.staleness = joined(run.staleness).mean();
            runs.push_back(std::move(run));
        }
        const auto found = stalenessFindings(runs);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].runs.size(), std::size_t(3));
        QCOMPARE(found[0].arguments,
            (std::vector<std::string>{runs[0].spec.name, estimateText(&Summary::staleness, tests::pointersTo(runs)),
                "5", "4.00", "1", "1.00", "0"}));
    }

    void coresOfAMachineCountOnce()
    {
        SummaryBuilder builder(3);
        QCOMPARE(builder.summary().cores, std::int64_t{0});
        builder.setHost(0, "a");
        builder.setHost(1, "a");
        builder.setHost(2, "b");
        for (std::int32_t rank = 0; rank < 3; ++rank) {
            builder.setCores(rank, rank < 2 ? 8 : 4);
        }
        QCOMPARE(builder.summary().cores, std::int64_t{12});
    }
};

LOCKSTEP_TEST(TestSummary)
#include "test_summary.moc"
