// The whole-batch gradient: equal to the one-piece gradient, in memory that does not grow with the data set.
#include "core/engine/run_of.h"
#include "engine/model/flat_parameters.h"
#include "engine/model/gradient.h"
#include "program/test_class.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <QFile>
#include <QtTest>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

LabelledInputs randomImages(std::int64_t count)
{
    torch::manual_seed(7);
    return {torch::randn({count, 1, 28, 28}, torch::kDouble), torch::randint(10, {count}, torch::kLong)};
}

experiment::RunSpec doubleRun(const char* net)
{
    return runOf({{"net.name", net}, {"train.dtype", "float64"}});
}

/// Highest resident memory since resetPeak(), in bytes.
std::int64_t peakBytes()
{
    QFile status("/proc/self/status");
    if (status.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : status.readAll().split('\n')) {
            if (line.startsWith("VmHWM:")) {
                return line.mid(6).trimmed().split(' ').front().toLongLong() * 1024;
            }
        }
    }
    return 0;
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool KeepsWhatIsFreed = true;
#else
constexpr bool KeepsWhatIsFreed = false;
#endif

bool resetPeak()
{
    QFile file("/proc/self/clear_refs");
    return file.open(QIODevice::WriteOnly) && file.write("5") == 1;
}

} // namespace

class TestGradient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chunksEqualOnePiece_data()
    {
        QTest::addColumn<QString>("net");
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("chunk");
        QTest::addRow("mlp, even chunks") << "mlp" << 512 << 128;
        QTest::addRow("mlp, last chunk smaller") << "mlp" << 517 << 100;
        QTest::addRow("mlp, one chunk") << "mlp" << 60 << 256;
        QTest::addRow("mlp, chunks of one") << "mlp" << 9 << 1;
        QTest::addRow("logistic") << "logistic" << 333 << 64;
        QTest::addRow("cnn") << "cnn" << 37 << 16;
    }

    void chunksEqualOnePiece()
    {
        QFETCH(QString, net);
        QFETCH(int, samples);
        QFETCH(int, chunk);
        const auto run = doubleRun(qPrintable(net));
        auto made = makeNet(run, torch::kCPU);
        QVERIFY(made.isOk());
        FlatParameters parameters(*made);
        const LabelledInputs images = randomImages(samples);
        StepClock clock;

        parameters.clearGradients();
        const double wholeLoss = addGradient(*made, {images.inputs, images.labels}, clock).item<double>();
        const torch::Tensor whole = parameters.gradients().clone();
        parameters.clearGradients();
        const double loss = addGradientInChunks(*made, images, chunk, clock).item<double>();
        clock.stop();

        QVERIFY(whole.abs().max().item<double>() > 1e-4);
        const double difference = (parameters.gradients() - whole).abs().max().item<double>();
        QVERIFY2(difference <= 1e-12, qPrintable(QString::number(difference)));
        QVERIFY2(std::abs(loss - wholeLoss) <= 1e-12, qPrintable(QString::number(loss - wholeLoss)));
    }

    void memoryDoesNotGrowWithTheData()
    {
        if (KeepsWhatIsFreed || !resetPeak()) {
            QSKIP("this kernel does not reset a process's peak memory, or a sanitizer keeps what is freed");
        }
        const auto run = runOf({});
        auto net = makeNet(run, torch::kCPU);
        QVERIFY(net.isOk());
        FlatParameters parameters(*net);
        StepClock clock;
        // Both sets are there from the start, so only the gradient's own memory differs.
        const LabelledInputs large{
            torch::zeros({32 * ChunkSamples, 1, 28, 28}), torch::zeros({32 * ChunkSamples}, torch::kLong)};
        const LabelledInputs small{
            large.inputs.narrow(0, 0, 2 * ChunkSamples), large.labels.narrow(0, 0, 2 * ChunkSamples)};
        large.inputs.fill_(0.5); // touches every page
        const auto peakOf = [&](const LabelledInputs& images) {
            resetPeak();
            parameters.clearGradients();
            static_cast<void>(addGradientInChunks(*net, images, ChunkSamples, clock).item<double>());
            return peakBytes();
        };
        peakOf(small);
        const std::int64_t forSmall = peakOf(small);
        const std::int64_t forLarge = peakOf(large);
        QVERIFY2(forLarge - forSmall < (2 << 20), qPrintable(QString::number(forLarge - forSmall)));
    }

    void weightsAndGradientsAreViewsOfTwoBuffers()
    {
        auto net = makeNet(runOf({}), torch::kCPU);
        auto untouched = makeNet(runOf({}), torch::kCPU);
        QVERIFY(net.isOk() && untouched.isOk());
        FlatParameters parameters(*net);
        for (std::size_t i = 0; i < net->parameters().size(); ++i) {
            QVERIFY(torch::equal(net->parameters()[i].tensor, untouched->parameters()[i].tensor));
        }
        parameters.weights().fill_(0.25);
        for (const NamedTensor& parameter : net->parameters()) {
            QVERIFY(parameter.tensor.eq(0.25).all().item<bool>());
        }
        StepClock clock;
        const LabelledInputs images{torch::rand({8, 1, 28, 28}), torch::zeros({8}, torch::kLong)};
        parameters.clearGradients();
        static_cast<void>(addGradient(*net, {images.inputs, images.labels}, clock));
        const double sum = parameters.gradients().square().sum().item<double>();
        double fromNet = 0.0;
        for (const NamedTensor& parameter : net->parameters()) {
            fromNet += parameter.tensor.grad().square().sum().item<double>();
        }
        QVERIFY(sum > 0.0);
        QVERIFY(std::abs(sum - fromNet) <= 1e-6 * sum);
    }
};

LOCKSTEP_TEST(TestGradient)
#include "test_gradient.moc"
