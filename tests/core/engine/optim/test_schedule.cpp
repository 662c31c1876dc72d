#include "core/engine/run_of.h"
#include "engine/optim/optimizer.h"
#include "program/test_class.h"

#include <torch/nn/utils/clip_grad.h>
#include <torch/types.h>

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>
#include <numbers>

using namespace lockstep;
using namespace lockstep::engine;

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void constantIsConstant()
    {
        const auto run = runOf({{"optimizer.lr", "0.25"}});
        for (const std::int64_t step : {1, 50, 100}) {
            QCOMPARE(learningRateAt(run, step, {64, 10, 100}), 0.25);
        }
    }

    void stepsComeAtTheEndsOfEpochs()
    {
        const auto run = runOf({{"optimizer.lr", "0.5"}, {"optimizer.schedule", "step"},
            {"optimizer.schedule_every", "2"}, {"optimizer.schedule_factor", "0.1"}});
        const plan::StepPlan plan{64, 10, 60};
        QCOMPARE(learningRateAt(run, 1, plan), 0.5);
        QCOMPARE(learningRateAt(run, 20, plan), 0.5);
        QCOMPARE(learningRateAt(run, 21, plan), 0.05);
        QCOMPARE(learningRateAt(run, 40, plan), 0.05);
        QCOMPARE(learningRateAt(run, 41, plan), 0.5 * std::pow(0.1, 2.0));
    }

    void cosineFallsToNearZero()
    {
        const auto run = runOf({{"optimizer.lr", "0.4"}, {"optimizer.schedule", "cosine"}});
        const plan::StepPlan plan{64, 10, 100};
        QCOMPARE(learningRateAt(run, 1, plan), 0.4);
        QCOMPARE(learningRateAt(run, 51, plan), 0.2);
        // PyTorch's CosineAnnealingLR(T_max = 100) in closed form, after 99 steps.
        QCOMPARE(learningRateAt(run, 100, plan), 0.2 * (1.0 + std::cos(std::numbers::pi * 0.99)));
    }

    void warmUpRisesInEqualSteps()
    {
        const auto run = runOf({{"optimizer.lr", "1"}, {"optimizer.warmup", "4"}});
        const plan::StepPlan plan{64, 10, 100};
        for (int step = 1; step <= 5; ++step) {
            QCOMPARE(learningRateAt(run, step, plan), step / 5.0);
        }
        QCOMPARE(learningRateAt(run, 6, plan), 1.0);
    }

    void batchesThatGrowWithTheRanksMayScaleTheRate()
    {
        const auto rateAt = [](const char* rule, const char* of, int step) {
            return learningRateAt(runOf({{"strategy.name", "data"}, {"world_size", "4"}, {"optimizer.lr", "0.1"},
                                      {"train.batch_of", of}, {"optimizer.scale_lr", rule}, {"optimizer.warmup", "3"}}),
                step, {256, 10, 100});
        };
        QCOMPARE(rateAt("none", "rank", 9), 0.1);
        QCOMPARE(rateAt("linear", "rank", 9), 0.4);
        QCOMPARE(rateAt("sqrt", "rank", 9), 0.2);
        QCOMPARE(rateAt("linear", "all", 9), 0.1); // the batch does not grow
        // From the unscaled rate to the scaled one in equal steps.
        QCOMPARE(rateAt("linear", "rank", 1), 0.1 + 0.3 / 4);
        QCOMPARE(rateAt("linear", "rank", 3), 0.1 + 0.9 / 4);
        QCOMPARE(rateAt("none", "rank", 1), 0.1 / 4);
    }

    void aWarmUpLongerThanTheRunIsNoDivisionByZero()
    {
        const auto run = runOf({{"optimizer.lr", "1"}, {"optimizer.warmup", "10"}, {"optimizer.schedule", "cosine"}});
        for (int step = 1; step <= 12; ++step) {
            const double rate = learningRateAt(run, step, {64, 5, 10});
            QVERIFY2(std::isfinite(rate) && rate >= 0.0 && rate <= 1.0, qPrintable(QString::number(step)));
        }
    }

    void clippingEqualsTorchs_data()
    {
        QTest::addColumn<double>("limit");
        QTest::addColumn<bool>("isWide");
        for (const double limit : {0.1, 1.0, 5.0, 1000.0}) {
            QTest::addRow("%g float64", limit) << limit << true;
            QTest::addRow("%g float32", limit) << limit << false;
        }
    }

    void clippingEqualsTorchs()
    {
        QFETCH(double, limit);
        QFETCH(bool, isWide);
        torch::manual_seed(5);
        std::vector<torch::Tensor> ours;
        std::vector<torch::Tensor> theirs;
        for (const std::int64_t size : {7, 100, 1}) {
            ours.push_back(torch::randn({size}, isWide ? torch::kDouble : torch::kFloat));
            theirs.push_back(torch::zeros_like(ours.back()).requires_grad_(true));
            theirs.back().mutable_grad() = ours.back().clone();
        }
        const double tolerance = isWide ? 1e-12 : 1e-6;
        const double expected = torch::nn::utils::clip_grad_norm_(theirs, limit);
        QVERIFY(std::abs(clipGradients(ours, limit) - expected) <= tolerance * expected);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            QVERIFY(torch::allclose(ours[i], theirs[i].grad(), tolerance, tolerance));
        }
    }

    void anInfiniteGradientDoesNotPassForAClippedOne()
    {
        std::vector<torch::Tensor> gradients{torch::ones({3})};
        gradients[0][1] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(std::isnan(clipGradients(gradients, 1.0)));
        QVERIFY(torch::isnan(gradients[0]).any().item<bool>());
    }
};

LOCKSTEP_TEST(TestSchedule)
#include "test_schedule.moc"
