// Training with fewer digits: autocast, the loss scaler, and what is refused.
#include "core/engine/parallel/trained_ranks.h"
#include "engine/compat/libtorch.h"
#include "engine/model/loss_scaler.h"

#include <QtTest>

#include <torch/torch.h>

#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

struct Trained {
    wire::Goodbye goodbye;
    KeptRows rows;
    double accuracy = 0.0;
    torch::Tensor weights;
};

Trained trained(const std::vector<experiment::Override>& more)
{
    std::vector<experiment::Override> overrides{
        {"dataset.train_samples", "1000"}, {"dataset.test_samples", "300"}, {"train.epochs", "3"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    Trained result;
    const TrainingHooks hooks{.onEnd = [&](const torch::Tensor& weights) { result.weights = weights.clone(); }};
    const tests::TrainedRank rank = tests::trainedRanks(runOf(overrides), 1, {.hooks = {{0, hooks}}}).front();
    result.goodbye = rank.goodbye;
    result.rows = rank.kept->rows();
    const auto evaluations = rank.kept->all<wire::Evaluation>();
    result.accuracy = evaluations.empty() ? 0.0 : evaluations.back().accuracy;
    return result;
}

bool hasFloat16OnCpu()
{
    return computesOnCpu(at::kHalf);
}

} // namespace

class TestPrecision : public QObject {
    Q_OBJECT

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
        std::vector<experiment::Override> base{{"net.name", net.toStdString()}, {"optimizer.name", "adam"}, {"optimizer.lr", "0.001"}};
        if (net == "cnn") {
            // A processor without such arithmetic takes seconds for a step.
            for (const auto& little : std::vector<experiment::Override>{
                     {"dataset.train_samples", "128"}, {"dataset.test_samples", "32"}, {"train.batch", "16"}, {"train.epochs", "1"}}) {
                base.push_back(little);
            }
        }
        auto fewer = base;
        fewer.push_back({"train.precision", precision.toStdString()});
        const Trained exact = trained(base);
        const Trained rounded = trained(fewer);
        QCOMPARE(QString::fromStdString(rounded.goodbye.message), QString());
        QCOMPARE(rounded.goodbye.outcome, wire::Outcome::Finished);
        // The same run, but not the same numbers: rounding shows in the first loss already.
        const double first = std::abs(rounded.rows.loss.front() - exact.rows.loss.front());
        QVERIFY2(first > 0.0 && first < 0.02, qPrintable(QString::number(first)));
        QVERIFY2(std::abs(rounded.rows.loss.back() - exact.rows.loss.back()) < 0.25,
            qPrintable(QString::number(rounded.rows.loss.back())));
        const double fewImages = net == "cnn" ? 0.2 : 0.06; // of 32 or of 300 images
        QVERIFY2(std::abs(rounded.accuracy - exact.accuracy) < fewImages, qPrintable(QString::number(rounded.accuracy)));
        QCOMPARE(rounded.weights.scalar_type(), torch::kFloat);
    }

    void channelsLastIsTheSameArithmetic()
    {
        const Trained first = trained({{"net.name", "cnn"}, {"train.epochs", "1"}});
        const Trained last = trained({{"net.name", "cnn"}, {"train.epochs", "1"}, {"train.channels_last", "true"}});
        QCOMPARE(last.goodbye.outcome, wire::Outcome::Finished);
        QVERIFY(std::abs(first.rows.loss.back() - last.rows.loss.back()) < 1e-3);
    }

    void float16IsRefusedWhereItCannotBe()
    {
        if (hasFloat16OnCpu()) {
            QSKIP("this LibTorch has float16 arithmetic on the CPU");
        }
        const Trained refused = trained({{"train.precision", "float16"}});
        QCOMPARE(refused.goodbye.outcome, wire::Outcome::Refused);
        QVERIFY2(refused.goodbye.message.starts_with("train.precision: "), refused.goodbye.message.c_str());
    }

    void theScalerTakesItsScaleOffAgain()
    {
        LossScaler scaler;
        torch::Tensor gradients = torch::tensor({1.0F, -2.0F, 0.5F}) * scaler.scale();
        QVERIFY(scaler.unscale(gradients));
        QVERIFY(torch::equal(gradients, torch::tensor({1.0F, -2.0F, 0.5F})));
        QCOMPARE(scaler.scale(), 65536.0);
    }

    void anOverflowHalvesTheScaleAndLeavesTheStepOut_data()
    {
        QTest::addColumn<float>("broken");
        QTest::newRow("inf") << std::numeric_limits<float>::infinity();
        QTest::newRow("-inf") << -std::numeric_limits<float>::infinity();
        QTest::newRow("nan") << std::numeric_limits<float>::quiet_NaN();
    }

    void anOverflowHalvesTheScaleAndLeavesTheStepOut()
    {
        QFETCH(float, broken);
        LossScaler scaler;
        torch::Tensor gradients = torch::zeros({1000});
        gradients[777] = broken;
        QVERIFY(!scaler.unscale(gradients));
        QCOMPARE(scaler.scale(), 32768.0);
        QCOMPARE(scaler.stepsLeftOut(), 1);
    }

    void aLongTimeWithoutOverflowDoublesIt()
    {
        LossScaler scaler;
        torch::Tensor gradients = torch::zeros({4});
        for (int step = 0; step < 1999; ++step) {
            QVERIFY(scaler.unscale(gradients));
        }
        QCOMPARE(scaler.scale(), 65536.0);
        QVERIFY(scaler.unscale(gradients));
        QCOMPARE(scaler.scale(), 131072.0);
        LossScaler other;
        other.setState(scaler.state());
        QCOMPARE(other.scale(), 131072.0);
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

QTEST_GUILESS_MAIN(TestPrecision)
#include "test_precision.moc"
