// Training with fewer digits: autocast, the loss scaler, and what is refused.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/compat/libtorch.h"
#include "engine/model/loss_scaler.h"
#include "engine/strategy/job.h"
#include "program/test_class.h"

#include <QtTest>

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

struct TrainedInPrecision {
    wire::Goodbye goodbye;
    KeptRows rows;
    double accuracy = 0.0;
    torch::Tensor weights;
};

TrainedInPrecision trainedWith(const std::vector<experiment::Override>& more)
{
    std::vector<experiment::Override> overrides{
        {"dataset.train_samples", "1000"}, {"dataset.test_samples", "300"}, {"train.epochs", "3"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    TrainedInPrecision result;
    const TrainingHooks hooks{.onEnd = [&](const torch::Tensor& weights) { result.weights = weights.clone(); }};
    const tests::TrainedRank rank = tests::trainedRanks(runOf(overrides), 1, {.hooks = {{0, hooks}}}).front();
    result.goodbye = rank.goodbye;
    result.rows = rank.kept->rows();
    const auto evaluations = rank.kept->all<wire::Evaluation>();
    result.accuracy = evaluations.empty() ? 0.0 : evaluations.back().accuracy;
    return result;
}

/// As a step of one rank does.
bool unscale(LossScaler& scaler, torch::Tensor& gradients)
{
    return scaler.unscale({&gradients, 1}, LossScaler::areFinite({&gradients, 1}));
}

struct ScaledRun {
    std::vector<double> losses;
    std::vector<std::int64_t> stepsSkipped; ///< by rank
    QString failure;
};

/// A run in float64 whose ranks scale their losses all the same; in `overflowsAt` the last rank's gradient overflows.
ScaledRun scaledRun(const std::vector<experiment::Override>& more, int ranks, std::int64_t overflowsAt)
{
    std::vector<experiment::Override> overrides{{"dataset.train_samples", "200"}, {"dataset.test_samples", "20"},
        {"net.name", "deep-mlp"}, {"net.depth", "5"}, {"net.hidden", "12"}, {"train.batch", "24"}, {"train.steps", "8"},
        {"train.dtype", "float64"}, {"optimizer.name", "adam"}, {"optimizer.lr", "0.01"}, {"optimizer.clip", "0.5"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    std::vector<Job*> jobs(static_cast<std::size_t>(ranks));
    ScaledRun result{.losses = {}, .stepsSkipped = std::vector<std::int64_t>(jobs.size(), -1), .failure = {}};
    tests::Extras extras;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        extras.hooks[rank] = {.onPrepared =
                                  [&jobs, at](Job& job) {
                                      job.scaler.emplace();
                                      jobs[at] = &job;
                                  },
            .onEnd = [&, at](const torch::Tensor&) { result.stepsSkipped[at] = jobs[at]->scaler->stepsSkipped(); },
            .onGradient =
                [=](std::int64_t step, torch::Tensor& gradients) {
                    if (step == overflowsAt && rank == ranks - 1) {
                        gradients[0] = std::numeric_limits<double>::infinity();
                    }
                }};
    }
    const auto trainedTogether = tests::trainedRanks(runOf(overrides), ranks, extras);
    result.failure = QString::fromStdString(trainedTogether.front().goodbye.message);
    result.losses = tests::lossesOf(trainedTogether);
    return result;
}

bool hasFloat16OnCpu()
{
    return computesOnCpu(at::kHalf);
}

} // namespace

using Overrides = std::vector<experiment::Override>;

class TestPrecision : public QObject {
    Q_OBJECT

    static void addStrategies()
    {
        QTest::addColumn<Overrides>("strategy");
        QTest::addColumn<int>("ranks");
        QTest::newRow("data") << Overrides{{"strategy.name", "data"}, {"world_size", "2"}} << 2;
        QTest::newRow("data, ring") << Overrides{{"strategy.name", "data"}, {"world_size", "2"},
            {"aggregation.algorithm", "ring"}}
                                    << 2;
        for (const char* stage : {"1", "2", "3"}) {
            QTest::addRow("zero-%s", stage)
                << Overrides{{"strategy.name", "zero"}, {"world_size", "2"}, {"zero.stage", stage}} << 2;
        }
        QTest::newRow("pipeline") << Overrides{{"strategy.name", "pipeline"}} << 2;
        QTest::newRow("tensor") << Overrides{{"strategy.name", "tensor"}} << 2;
        QTest::newRow("grid") << Overrides{{"strategy.name", "grid"}, {"pipeline.microbatches", "2"}} << 4;
        QTest::newRow("grid, ZeRO-1") << Overrides{{"strategy.name", "grid"}, {"pipeline.microbatches", "2"},
            {"grid.zero", "true"}} << 4;
    }

private Q_SLOTS:
    void fewerDigitsLearnAsWell_data()
    {
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("net");
        for (const char* precision : {"bfloat16", "float16"}) {
            for (const char* net : {"mlp", "cnn"}) {
                QTest::addRow("%s, %s", precision, net) << precision << net;
            }
        }
    }

    void fewerDigitsLearnAsWell()
    {
        QFETCH(QString, precision);
        QFETCH(QString, net);
        if (precision == "float16" && !hasFloat16OnCpu()) {
            QSKIP("this LibTorch has no float16 arithmetic on the CPU");
        }
        std::vector<experiment::Override> base{
            {"net.name", net.toStdString()}, {"optimizer.name", "adam"}, {"optimizer.lr", "0.001"}};
        if (net == "cnn") {
            // A processor without such arithmetic takes seconds for a step.
            for (const auto& little : std::vector<experiment::Override>{{"dataset.train_samples", "128"},
                     {"dataset.test_samples", "32"}, {"train.batch", "16"}, {"train.epochs", "1"}}) {
                base.push_back(little);
            }
        }
        auto fewer = base;
        fewer.push_back({"train.precision", precision.toStdString()});
        const TrainedInPrecision exact = trainedWith(base);
        const TrainedInPrecision rounded = trainedWith(fewer);
        QCOMPARE(QString::fromStdString(rounded.goodbye.message), QString());
        QCOMPARE(rounded.goodbye.outcome, wire::Outcome::Finished);
        // The same run, but not the same numbers: rounding shows within a few steps. The first losses can be equal.
        double first = 0.0;
        for (std::size_t step = 0; step < 4; ++step) {
            first = std::max(first, std::abs(rounded.rows.loss[step] - exact.rows.loss[step]));
        }
        QVERIFY2(first > 0.0 && first < 0.05, qPrintable(QString::number(first)));
        QVERIFY2(std::abs(rounded.rows.loss.back() - exact.rows.loss.back()) < 0.25,
            qPrintable(QString::number(rounded.rows.loss.back())));
        const double fewImages = net == "cnn" ? 0.2 : 0.06; // of 32 or of 300 images
        QVERIFY2(
            std::abs(rounded.accuracy - exact.accuracy) < fewImages, qPrintable(QString::number(rounded.accuracy)));
        QCOMPARE(rounded.weights.scalar_type(), torch::kFloat);
    }

    void channelsLastIsTheSameArithmetic()
    {
        const TrainedInPrecision first = trainedWith({{"net.name", "cnn"}, {"train.epochs", "1"}});
        const TrainedInPrecision last
            = trainedWith({{"net.name", "cnn"}, {"train.epochs", "1"}, {"train.channels_last", "true"}});
        QCOMPARE(last.goodbye.outcome, wire::Outcome::Finished);
        QVERIFY(std::abs(first.rows.loss.back() - last.rows.loss.back()) < 1e-3);
    }

    void float16IsRefusedWhereItCannotBe()
    {
        if (hasFloat16OnCpu()) {
            QSKIP("this LibTorch has float16 arithmetic on the CPU");
        }
        const TrainedInPrecision refused = trainedWith({{"train.precision", "float16"}});
        QCOMPARE(refused.goodbye.outcome, wire::Outcome::Refused);
        QVERIFY2(refused.goodbye.message.starts_with("train.precision: "), refused.goodbye.message.c_str());
    }

    void theScalerTakesItsScaleOffAgain()
    {
        LossScaler scaler;
        torch::Tensor gradients = torch::tensor({1.0F, -2.0F, 0.5F}) * scaler.scale();
        QVERIFY(unscale(scaler, gradients));
        QVERIFY(torch::equal(gradients, torch::tensor({1.0F, -2.0F, 0.5F})));
        QCOMPARE(scaler.scale(), 65536.0);
    }

    void anOverflowHalvesTheScaleAndSkipsTheStep_data()
    {
        QTest::addColumn<float>("broken");
        QTest::newRow("inf") << std::numeric_limits<float>::infinity();
        QTest::newRow("-inf") << -std::numeric_limits<float>::infinity();
        QTest::newRow("nan") << std::numeric_limits<float>::quiet_NaN();
    }

    void anOverflowHalvesTheScaleAndSkipsTheStep()
    {
        QFETCH(float, broken);
        LossScaler scaler;
        torch::Tensor gradients = torch::zeros({1000});
        gradients[777] = broken;
        QVERIFY(!unscale(scaler, gradients));
        QCOMPARE(scaler.scale(), 32768.0);
        QCOMPARE(scaler.stepsSkipped(), 1);
    }

    void aLongTimeWithoutOverflowDoublesIt()
    {
        LossScaler scaler;
        torch::Tensor gradients = torch::zeros({4});
        for (int step = 0; step < 1999; ++step) {
            QVERIFY(unscale(scaler, gradients));
        }
        QCOMPARE(scaler.scale(), 65536.0);
        QVERIFY(unscale(scaler, gradients));
        QCOMPARE(scaler.scale(), 131072.0);
        LossScaler other;
        other.setState(scaler.state());
        QCOMPARE(other.scale(), 131072.0);
    }

    void anOverflowOnOneRankSkipsTheStepOnAll_data() { addStrategies(); }

    void anOverflowOnOneRankSkipsTheStepOnAll()
    {
        QFETCH(Overrides, strategy);
        QFETCH(int, ranks);
        constexpr std::int64_t Step = 3;
        const ScaledRun one = scaledRun({{"strategy.name", "single"}}, 1, Step);
        const ScaledRun many = scaledRun(strategy, ranks, Step);
        QCOMPARE(many.failure, QString());
        QCOMPARE(many.stepsSkipped, std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 1));
        QCOMPARE(many.losses.size(), one.losses.size());
        for (std::size_t i = 0; i < many.losses.size(); ++i) {
            QVERIFY2(std::abs(many.losses[i] - one.losses[i]) < 1e-10 * one.losses[i],
                qPrintable(QString("step %1: %2 and %3").arg(i + 1).arg(many.losses[i]).arg(one.losses[i])));
        }
        // A step that was not skipped would have gone somewhere else.
        QVERIFY(std::abs(one.losses[Step] - scaledRun({{"strategy.name", "single"}}, 1, 0).losses[Step]) > 1e-6);
    }

    void float16LearnsUnderEveryStrategy_data() { addStrategies(); }

    void float16LearnsUnderEveryStrategy()
    {
        if (!hasFloat16OnCpu()) {
            QSKIP("this LibTorch has no float16 arithmetic on the CPU");
        }
        QFETCH(Overrides, strategy);
        QFETCH(int, ranks);
        Overrides overrides{{"dataset.train_samples", "600"}, {"dataset.test_samples", "20"}, {"net.name", "deep-mlp"},
            {"net.depth", "5"}, {"net.hidden", "32"}, {"train.batch", "48"}, {"train.steps", "25"},
            {"optimizer.name", "adam"}, {"optimizer.lr", "0.003"}};
        overrides.insert(overrides.end(), strategy.begin(), strategy.end());
        const auto exact = tests::lossesOf(tests::trainedRanks(runOf(overrides), ranks));
        overrides.push_back({"train.precision", "float16"});
        const auto inFloat16 = tests::trainedRanks(runOf(overrides), ranks);
        QCOMPARE(QString::fromStdString(inFloat16.front().goodbye.message), QString());
        const auto rounded = tests::lossesOf(inFloat16);
        QCOMPARE(rounded.size(), std::size_t{25});
        QVERIFY2(
            std::abs(rounded.back() - exact.back()) < 0.1, qPrintable(QString::number(rounded.back() - exact.back())));
        QVERIFY(rounded.back() != exact.back());
    }

    void autocastIsOverAtItsEnd()
    {
        QVERIFY(!autocastType(torch::kCPU));
        {
            const Autocast outer(torch::kCPU, at::kBFloat16);
            QCOMPARE(*autocastType(torch::kCPU), at::kBFloat16);
            QCOMPARE(torch::mm(torch::ones({2, 2}), torch::ones({2, 2})).scalar_type(), at::kBFloat16);
            const Autocast none(torch::kCPU, std::nullopt);
            QVERIFY(autocastType(torch::kCPU).has_value());
        }
        QVERIFY(!autocastType(torch::kCPU));
        QCOMPARE(torch::mm(torch::ones({2, 2}), torch::ones({2, 2})).scalar_type(), at::kFloat);
    }
};

LOCKSTEP_TEST(TestPrecision)
#include "test_precision.moc"
