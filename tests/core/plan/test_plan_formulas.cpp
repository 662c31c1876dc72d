// Formulas of the plans against their laws and against figures computed by hand.
#include "core/plan/formulas.h"
#include "plan/grid.h"
#include "plan/local_sgd.h"
#include "plan/net.h"
#include "plan/partition/distributed_sampler.h"
#include "plan/partition/partition.h"
#include "plan/pipeline/schedule.h"
#include "plan/slices.h"
#include "plan/zero.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::plan;

namespace {

std::vector<std::int64_t> labelsInTurn(std::int64_t count)
{
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < count; ++i) {
        labels.push_back(i % 10);
    }
    return labels;
}

experiment::RunSpec runWith(std::vector<experiment::Override> overrides)
{
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
    return experiment::expand(*spec)->front();
}

} // namespace

class TestPlanFormulas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksDrawForThemselves()
    {
        const Partition drawn = randomSamplingPartition(labelsInTurn(1000), {.ranks = 2, .seed = Seed{1}});
        QCOMPARE(drawn.shares[0].size(), drawn.shares[1].size());
        QVERIFY(drawn.shares[0] != drawn.shares[1]);
    }

    /// Of ten labels with equally many samples, each of five ranks with two shards has two labels, or twice the same.
    void shardsAreAsManyAsAskedFor()
    {
        const auto labels = labelsInTurn(2000);
        const Partition partition = partitionByLabel(labels, {.ranks = 5, .seed = Seed{3}, .shards = 2});
        for (const ShareSummary& share : summarise(partition, labels, 10)) {
            QVERIFY(std::ranges::count_if(share.labels, [](auto n) { return n == 200; }) == 2);
        }
        // Four shards a rank are halves of labels: few ranks have two whole ones.
        const Partition halves = partitionByLabel(labels, {.ranks = 5, .seed = Seed{3}, .shards = 4});
        const auto shares = summarise(halves, labels, 10);
        QVERIFY(std::ranges::any_of(shares, [](const ShareSummary& share) {
            return std::ranges::count_if(share.labels, [](auto n) { return n == 100; }) >= 2;
        }));
    }

    /// Half the distance of a rank's mixture from that of all, weighted by its samples: 0.25 * 3/4 + 0.75 * 1/4.
    void skewWeighsRanksBySamples()
    {
        const std::vector<std::vector<std::int64_t>> labels{{3, 0}, {0, 1}};
        QCOMPARE(labelSkew(labels), 0.375);
    }

    void shortStepLeavesRanksWithoutSamples()
    {
        const auto run = runWith({{"strategy.name", "data"}, {"world_size", "4"}, {"train.batch", "8"}});
        const auto data = partitionData(run, 4, labelsInTurn(9), 10);
        QVERIFY(data.isOk());
        QCOMPARE(data->sampler->ranksWithSamples(1), 4);
        QCOMPARE(data->sampler->ranksWithSamples(2), 1);
    }

    /// Dirichlet shares have a rank's part of a batch at least: 64 of 256 samples, also where there are hardly more.
    void theLeastShareIsARanksPartOfABatch()
    {
        const auto run = runWith({{"strategy.name", "data"}, {"world_size", "4"}, {"train.batch", "256"},
            {"partition.name", "dirichlet"}, {"partition.alpha", "0.1"}});
        const auto data = partitionData(run, 4, labelsInTurn(300), 10);
        QVERIFY2(data.isOk(), data.isOk() ? "" : data.error().message.c_str());
        for (const ShareSummary& share : data->shares) {
            QVERIFY2(share.samples >= 64, qPrintable(QString::number(share.samples)));
        }
    }

    void microBatchesTakeAll()
    {
        QCOMPARE(microBatchSize(10, 4), std::int64_t{3});
        QCOMPARE(microBatchSize(8, 4), std::int64_t{2});
        QCOMPARE(microBatchSize(1, 4), std::int64_t{1});
    }

    void oneCopySharesNoState()
    {
        auto run
            = runWith({{"strategy.name", "grid"}, {"grid.data", "2"}, {"grid.pipeline", "2"}, {"grid.tensor", "1"}});
        run.settings["grid.zero"] = true;
        QVERIFY(copiesShareState(run));
        run.settings["grid.data"] = std::int64_t{1};
        QVERIFY(!copiesShareState(run));
    }

    void shardsAreRoundedUp()
    {
        const MemoryBytes bytes = stateBytes(3, 4, 2, ZeroStage::Parameters, 5);
        QCOMPARE(of(bytes, MemoryKind::Parameters), std::int64_t{3});
        QCOMPARE(of(bytes, MemoryKind::Optimizer), std::int64_t{6});
    }

    void zeroStepsBetweenAreAnEpoch()
    {
        StepPlan plan;
        plan.stepsPerEpoch = 17;
        const auto every = [&plan](const char* steps) {
            return stepsBetweenSynchronizations(
                runWith({{"strategy.name", "local"}, {"world_size", "2"}, {"local.every", steps}}), plan);
        };
        QCOMPARE(every("0"), std::int64_t{17});
        QCOMPARE(every("5"), std::int64_t{5});
    }

    /// Narayanan et al. (2021), section 2.2.2: (p - 1) / (v m + p - 1), whatever a backward takes.
    void interleavedHasTheBubbleOfThePaper()
    {
        for (const PipelineShape& shape : {PipelineShape{2, 4, 2}, PipelineShape{4, 8, 2}, PipelineShape{4, 8, 3}}) {
            const std::vector<double> forward(static_cast<std::size_t>(shape.stages * shape.chunks), 1.0);
            const std::vector<double> backward(forward.size(), 2.0);
            const auto spans = simulate(*scheduleKind("interleaved"), shape, forward, backward);
            QVERIFY(spans.isOk());
            const double bubble = bubbleOf(*spans, shape.stages);
            QVERIFY2(std::abs(bubble - idealBubble(shape)) < 1e-12, qPrintable(QString::number(bubble)));
        }
    }

    /// Korthikanti et al. ("Reducing activation recomputation in large transformer models", 2022), section 4.2.3: the
    /// first stage holds 1 + (p - 1) / (p v) times what 1F1B does, here counted in chunks.
    void interleavedHoldsWhatThePaperSays()
    {
        for (const PipelineShape& shape : {PipelineShape{2, 8, 2}, PipelineShape{4, 16, 2}, PipelineShape{4, 16, 3}}) {
            const auto actions = scheduleKind("interleaved")->actions(0, shape);
            QCOMPARE(tests::mostInFlight(actions), shape.stages * shape.chunks + shape.stages - 1);
        }
    }

    /// LeNet-5's first convolution keeps 6 x 28 x 28, its pooling 6 x 14 x 14 maxima and as many positions.
    void poolingKeepsPositions()
    {
        QCOMPARE(netUnits(runWith({{"net.name", "lenet5"}})).front().keptElements, std::int64_t{4704 + 2 * 1176});
        // The kernel's 16 channels beside its 6; in float64 the windows of 5 x 5.
        QCOMPARE(netUnits(runWith({{"net.name", "lenet5"}})).front().passingElements, std::int64_t{784 * (6 + 16)});
        QCOMPARE(netUnits(runWith({{"net.name", "lenet5"}, {"train.dtype", "float64"}})).front().passingElements,
            std::int64_t{784 * (6 + 25)});
        QCOMPARE(netUnits(runWith({{"net.name", "cnn"}})).front().passingElements, std::int64_t{2 * 32 * 26 * 26});
    }

    /// What ranks share adds up to the whole; the rest each has.
    void sharedParametersAddUp()
    {
        for (const NetUnit& unit : netUnits(runWith({{"dataset.name", "text"}, {"net.name", "gpt"}}))) {
            std::int64_t shared = 0;
            for (int part = 0; part < 2; ++part) {
                shared += parametersOf(unit, part, 2) - unit.wholeParameters;
            }
            QCOMPARE(shared, unit.parameters - unit.wholeParameters);
        }
    }
};

LOCKSTEP_TEST(TestPlanFormulas)
#include "test_plan_formulas.moc"
