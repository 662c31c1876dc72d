// The formulas of memory by themselves; what real runs make of them is in core/engine/memory/test_memory_of_runs.
#include "core/engine/run_of.h"
#include "plan/activations.h"
#include "plan/check.h"
#include "plan/evaluation_size.h"
#include "plan/memory.h"
#include "plan/net.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lockstep;

namespace {

experiment::RunSpec deepMlp(const std::vector<experiment::Override>& more)
{
    std::vector<experiment::Override> overrides{{"dataset.train_samples", "600"}, {"dataset.test_samples", "100"},
        {"net.name", "deep-mlp"}, {"net.depth", "9"}, {"net.hidden", "256"}, {"optimizer.name", "adam"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return runOf(overrides);
}

} // namespace

class TestMemoryPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// As many samples as stay within a bound in bytes, whatever the strategy.
    void longContextsAreEvaluatedInFewerWindows()
    {
        const auto atOnce = [](const char* context, std::vector<experiment::Override> more = {}) {
            more.insert(more.end(), {{"dataset.name", "text"}, {"net.name", "gpt"}, {"net.context", context}});
            return plan::mostEvaluatedAtOnce(runOf(more));
        };
        QCOMPARE(atOnce("64"), std::int64_t{64});
        const std::int64_t few = atOnce("4096");
        QVERIFY(few >= 1 && few < 16);
        QVERIFY(atOnce("1024") >= 3 * few && atOnce("1024") < 64);
        QCOMPARE(atOnce("4096", {{"net.width", "4096"}, {"net.heads", "64"}}), std::int64_t{1});
        QVERIFY(atOnce("4096", {{"train.dtype", "float64"}}) <= (few + 1) / 2);
        for (const char* strategy : {"data", "zero", "tensor", "pipeline", "grid"}) {
            QCOMPARE(atOnce("4096", {{"strategy.name", strategy}}), few);
        }
    }

    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aPipelinesRanksHaveTheStatesOfTheNetTogether()
    {
        const auto one = plan::memoryOf(deepMlp({}), 0);
        for (const char* stages : {"2", "3", "9"}) {
            const auto run = deepMlp({{"strategy.name", "pipeline"}, {"pipeline.stages", stages}});
            std::int64_t states = 0;
            for (int rank = 0; rank < *experiment::worldSizeOf(run); ++rank) {
                states += statesOf(plan::memoryOf(run, rank).bytes);
            }
            QCOMPARE(states, statesOf(one.bytes));
        }
        QCOMPARE(statesOf(one.bytes), 16 * plan::parametersOf(plan::netUnits(deepMlp({}))));
    }

    void laterStagesOf1F1BHoldFewerMicroBatches()
    {
        const auto held = [](const char* schedule, int rank) {
            const auto run
                = deepMlp({{"strategy.name", "pipeline"}, {"pipeline.stages", "3"}, {"pipeline.cut", "3,3,3"},
                    {"pipeline.microbatches", "12"}, {"train.batch", "480"}, {"pipeline.schedule", schedule}});
            return of(plan::memoryOf(run, rank).bytes, MemoryKind::Activations);
        };
        QVERIFY(held("1f1b", 1) > held("1f1b", 2));
        for (int rank = 0; rank < 3; ++rank) {
            QVERIFY(held("gpipe", rank) > 2 * held("1f1b", rank));
        }
    }

    void recomputationKeepsTheInputsOfSegments()
    {
        const auto activations = [](const std::vector<experiment::Override>& more, int rank = 0) {
            return of(plan::memoryOf(deepMlp(more), rank).bytes, MemoryKind::Activations);
        };
        constexpr std::int64_t Layer = 64 * 256 * 4; // an output of 64 samples
        constexpr std::int64_t Scores = 64 * 10 * 4;
        constexpr std::int64_t Inputs = 64 * 784 * 4; // scaled from the bytes of the data set
        // The outputs of 8 layers, the scores and the loss's copy of them, and a gradient in and out of the last hidden
        // layer, when the scores are free again.
        QCOMPARE(activations({}), Inputs + 10 * Layer + Scores);
        // Four segments, of two, two, two and three layers. In the first: the scaled input, its two outputs, the
        // gradient of the last of them, twice, and of what goes out.
        QCOMPARE(plan::segmentsOf(deepMlp({{"train.recompute", "layer"}})).size(), std::size_t{4});
        QCOMPARE(activations({{"train.recompute", "layer"}}), Inputs + 5 * Layer);
        // Of 4 micro-batches of 16 samples the inputs, then of one micro-batch as much as the first row, with its loss.
        const std::vector<experiment::Override> stages{{"strategy.name", "pipeline"}, {"pipeline.cut", "4,5"},
            {"pipeline.schedule", "gpipe"}, {"pipeline.microbatches", "4"}};
        auto recomputed = stages;
        recomputed.push_back({"train.recompute", "stage"});
        QCOMPARE(activations(stages, 1), (4 * (5 * Layer + 2 * Scores) + 2 * Layer - Scores) / 4);
        QCOMPARE(activations(recomputed, 1), (4 * (Layer + Scores) + (4 * Layer + Scores) + 2 * Layer - Scores) / 4);
    }

    void verifyRecomputesNothing()
    {
        const auto highest = [](const char* recompute) {
            return plan::memoryOf(
                deepMlp({{"strategy.name", "data"}, {"verify", "true"}, {"train.recompute", recompute}}), 0)
                .highest;
        };
        QCOMPARE(highest("layer"), highest("none"));
    }

    /// Inputs and labels of a text are 64-bit numbers, one of each for a byte.
    void aTextsBatchHasInputsAndLabels()
    {
        const auto data = [](const char* batch) {
            return of(plan::memoryOf(runOf({{"dataset.name", "text"}, {"net.name", "gpt"}, {"net.context", "32"},
                                         {"train.batch", batch}}),
                          0)
                          .bytes,
                MemoryKind::Data);
        };
        QCOMPARE(data("24") - data("8"), std::int64_t{16 * 32 * (8 + 8)});
    }

    /// Of the step under way and of the one before it, which another rank may still read.
    void ranksThatShareMemoryKeepTwoSums()
    {
        const auto other = [](const char* latency) {
            return plan::memoryOf(
                deepMlp({{"strategy.name", "data"}, {"world_size", "2"}, {"link.latency_us", latency}}), 0);
        };
        const std::int64_t weights = of(other("0").bytes, MemoryKind::Parameters);
        QCOMPARE(of(other("0").bytes, MemoryKind::Other), 2 * weights);
        QCOMPARE(of(other("100").bytes, MemoryKind::Other), std::int64_t{0});
        QCOMPARE(other("0").highest - other("100").highest, 2 * weights);
    }

    /// Each rank has all of a block's two normed inputs, its first residual and its output, and its share of the rest:
    /// s + (k - s) / t, so twice the figure of 4 ranks less that of 2 is s. A block more makes the difference.
    void everyPartOfABlockHasItsSums()
    {
        constexpr std::int64_t Context = 32;
        constexpr std::int64_t Width = 64;
        const auto ofABlock = [](const char* ranks) {
            const auto activations = [ranks](const char* blocks) {
                return of(
                    plan::memoryOf(runOf({{"dataset.name", "text"}, {"net.name", "gpt"}, {"net.context", "32"},
                                       {"net.width", "64"}, {"net.heads", "4"}, {"net.blocks", blocks},
                                       {"train.batch", "8"}, {"strategy.name", "tensor"}, {"tensor.size", ranks}}),
                        0)
                        .bytes,
                    MemoryKind::Activations);
            };
            return activations("4") - activations("3");
        };
        QCOMPARE(2 * ofABlock("4") - ofABlock("2"), 8 * 4 * Context * Width * 4);
    }

    /// However large the set is, 64 samples go through the net at once, as in the engine.
    void evaluationTakesPieces()
    {
        const auto highest = [](const char* samples) {
            return plan::memoryOf(runOf({{"dataset.train_samples", "32"}, {"dataset.test_samples", samples},
                                      {"net.name", "cnn"}, {"train.batch", "1"}}),
                0)
                .highest;
        };
        const std::int64_t sample = 784 + 8;
        QCOMPARE(highest("640") - highest("64"), (640 - 64) * sample);
        QVERIFY(highest("64") - highest("32") > 2 * 32 * sample);
    }

    void whatDoesNotFitIsRefusedBeforeItStarts()
    {
        QVERIFY(plan::check(deepMlp({})).isOk());
        QVERIFY(plan::check(deepMlp({{"rank.memory_mb", "14"}})).isOk());
        const auto refused = plan::check(deepMlp({{"rank.memory_mb", "10"}}));
        QVERIFY(!refused.isOk());
        QCOMPARE(refused.error().message,
            std::string(
                "rank.memory_mb: rank 0 needs 12.1 MB (parameters 2.66, gradients 2.66, optimizer 5.31, activations "
                "0.859, data 0.605), but only 10 MB are allowed; split the net into more stages "
                "(strategy.name=pipeline), shard it (strategy.name=zero, zero.stage=3), or raise rank.memory_mb"));
        QVERIFY(plan::check(deepMlp({{"rank.memory_mb", "10"}, {"strategy.name", "pipeline"}})).isOk());
        // The rank that needs most is the one that is named.
        const auto uneven
            = plan::check(deepMlp({{"rank.memory_mb", "7"}, {"strategy.name", "pipeline"}, {"pipeline.cut", "2,7"}}));
        QVERIFY2(messageOf(uneven).starts_with("rank.memory_mb: rank 1 needs "), messageOf(uneven).c_str());
    }
};

LOCKSTEP_TEST(TestMemoryPlan)
#include "test_memory_plan.moc"
