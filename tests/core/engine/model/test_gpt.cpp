// The GPT: gradients against LibTorch's own attention and against differences, no look ahead, its weights at the start,
// and weights that its two ends share.
#include "core/engine/run_of.h"
#include "engine/model/flat_parameters.h"
#include "engine/model/gradient.h"
#include "engine/model/loss.h"
#include "engine/model/net.h"
#include "program/test_class.h"

#include <torch/nn/functional.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>
#include <map>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

using Overrides = std::vector<experiment::Override>;

constexpr std::int64_t Context = 12;
constexpr std::int64_t Width = 24;
constexpr std::int64_t Heads = 3;

experiment::RunSpec gptRun(const Overrides& more = {})
{
    Overrides overrides{{"net.name", "gpt"}, {"dataset.name", "text"}, {"net.context", std::to_string(Context)},
        {"net.width", std::to_string(Width)}, {"net.heads", std::to_string(Heads)}, {"net.blocks", "2"},
        {"train.dtype", "float64"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return runOf(overrides);
}

Net gpt(const Overrides& more = {}, std::int64_t first = 0, std::int64_t last = -1)
{
    auto net = makeNet(gptRun(more), torch::kCPU, first, last);
    if (!net) {
        qFatal("%s", net.error().message.c_str());
    }
    return std::move(*net);
}

torch::Tensor bytes(std::int64_t samples)
{
    torch::manual_seed(8);
    return torch::randint(256, {samples, Context}, torch::kLong);
}

std::map<std::string, torch::Tensor> byName(const Net& net)
{
    std::map<std::string, torch::Tensor> result;
    for (const NamedTensor& parameter : net.parameters()) {
        result[parameter.name] = parameter.tensor;
    }
    return result;
}

/// Weights that are far from their first values, where biases are 0 and attention is nearly even.
void shake(Net& net)
{
    const torch::NoGradGuard noGrad;
    torch::manual_seed(4);
    for (const NamedTensor& parameter : net.parameters()) {
        torch::Tensor tensor = parameter.tensor;
        tensor.add_(torch::randn_like(tensor) * 0.3);
    }
}

/// The same with LibTorch's attention, layer norms and linear maps, and GELU as its formula has it.
torch::Tensor reference(const Net& net, const torch::Tensor& input, bool isTied)
{
    namespace F = torch::nn::functional;
    auto p = byName(net);
    const auto norm = [&](const torch::Tensor& x, const std::string& name) {
        return F::layer_norm(
            x, F::LayerNormFuncOptions({Width}).weight(p.at(name + ".weight")).bias(p.at(name + ".bias")));
    };
    const auto linear = [&](const torch::Tensor& x, const std::string& name) {
        return F::linear(x, p.at(name + ".weight"), p.at(name + ".bias"));
    };
    torch::Tensor x
        = p.at("0.token").index_select(0, input.flatten()).view({input.size(0), Context, Width}) + p.at("0.position");
    const torch::Tensor mask
        = torch::full({Context, Context}, -std::numeric_limits<double>::infinity(), torch::kDouble).triu(1);
    for (const std::string block : {"1", "2"}) {
        const torch::Tensor given = norm(x, block + ".norm1").transpose(0, 1); // [tokens, n, width]
        const auto options = F::MultiheadAttentionForwardFuncOptions(Width, Heads, p.at(block + ".attention.weight"),
            p.at(block + ".attention.bias"), {}, {}, false, 0.0, p.at(block + ".projection.weight"),
            p.at(block + ".projection.bias"))
                                 .attn_mask(mask)
                                 .need_weights(false);
        x = x + std::get<0>(F::multi_head_attention_forward(given, given, given, options)).transpose(0, 1);
        const torch::Tensor wide = linear(norm(x, block + ".norm2"), block + ".widen");
        const torch::Tensor inner = std::sqrt(2.0 / M_PI) * (wide + 0.044715 * wide.pow(3));
        x = x + linear(0.5 * wide * (1.0 + inner.tanh()), block + ".narrow");
    }
    return F::linear(norm(x, "3.norm"), p.at(isTied ? "0.token" : "3.weight"));
}

double relativeDifference(const torch::Tensor& a, const torch::Tensor& b)
{
    return ((a - b).norm() / b.norm()).item<double>();
}

} // namespace

class TestGpt : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void gradientsAreThoseOfLibTorchsModules_data()
    {
        QTest::addColumn<bool>("isTied");
        QTest::addRow("two weights") << false;
        QTest::addRow("tied") << true;
    }

    void gradientsAreThoseOfLibTorchsModules()
    {
        QFETCH(bool, isTied);
        Net net = gpt({{"net.tied", isTied ? "true" : "false"}});
        shake(net);
        const torch::Tensor input = bytes(5);
        const torch::Tensor labels = bytes(6).narrow(0, 1, 5);
        const torch::Tensor output = net.forward(input);
        QVERIFY(relativeDifference(output, reference(net, input, isTied)) < 1e-12);

        crossEntropy(reference(net, input, isTied), labels).backward();
        std::vector<torch::Tensor> wanted;
        for (const NamedTensor& parameter : net.parameters()) {
            wanted.push_back(parameter.tensor.grad().clone());
        }
        // Overwrites the buffer's contents, even where layers add.
        FlatParameters parameters(net);
        parameters.gradients().fill_(7.0);
        parameters.clearGradients();
        crossEntropy(net.forward(input), labels).backward();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const NamedTensor& parameter = net.parameters()[i];
            QVERIFY2(relativeDifference(parameter.tensor.grad(), wanted[i]) < 1e-6, parameter.name.c_str());
        }
        // A second backward adds.
        crossEntropy(net.forward(input), labels).backward();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const NamedTensor& parameter = net.parameters()[i];
            QVERIFY2(relativeDifference(parameter.tensor.grad(), wanted[i] * 2.0) < 1e-6, parameter.name.c_str());
        }
    }

    /// Central differences along a random direction in each parameter.
    void gradientsAreThoseOfDifferences()
    {
        Net net = gpt({{"net.tied", "true"}});
        shake(net);
        const torch::Tensor input = bytes(3);
        const torch::Tensor labels = bytes(4).narrow(0, 1, 3);
        crossEntropy(net.forward(input), labels).backward();
        const torch::NoGradGuard noGrad;
        constexpr double Step = 1e-5;
        for (const NamedTensor& parameter : net.parameters()) {
            torch::Tensor tensor = parameter.tensor;
            const torch::Tensor direction = parameter.tensor.grad() / parameter.tensor.grad().norm();
            tensor.add_(direction, Step);
            const double above = crossEntropy(net.forward(input), labels).item<double>();
            tensor.sub_(direction, 2.0 * Step);
            const double below = crossEntropy(net.forward(input), labels).item<double>();
            tensor.add_(direction, Step);
            const double slope = (above - below) / (2.0 * Step);
            const double wanted = (parameter.tensor.grad() * direction).sum().item<double>();
            QVERIFY2(std::abs(slope - wanted) <= 1e-6 * std::abs(wanted), parameter.name.c_str());
        }
    }

    void noByteSeesALaterOne_data()
    {
        QTest::addColumn<QString>("dtype");
        QTest::addRow("float32") << QStringLiteral("float32");
        QTest::addRow("float64") << QStringLiteral("float64");
    }

    void noByteSeesALaterOne()
    {
        QFETCH(QString, dtype);
        Net net = gpt({{"train.dtype", dtype.toStdString()}});
        shake(net);
        const torch::NoGradGuard noGrad;
        const torch::Tensor input = bytes(2);
        const torch::Tensor before = net.forward(input);
        for (std::int64_t changed = 0; changed < Context; ++changed) {
            torch::Tensor other = input.clone();
            other.select(1, changed).add_(1).remainder_(256);
            const torch::Tensor after = net.forward(other);
            QVERIFY(torch::equal(after.narrow(1, 0, changed), before.narrow(1, 0, changed)));
            QVERIFY(!torch::equal(after.select(1, changed), before.select(1, changed)));
        }
        // Fewer bytes than the context are the beginning of a window.
        const torch::Tensor few = net.forward(input.narrow(1, 0, 5).contiguous());
        QVERIFY(torch::allclose(few, before.narrow(1, 0, 5), 1e-4, 1e-5));
    }

    void weightsBeginAsThoseOfGpt2()
    {
        const Net net = gpt({{"net.width", "192"}, {"net.blocks", "8"}});
        for (const NamedTensor& parameter : net.parameters()) {
            const QString name = QString::fromStdString(parameter.name);
            const torch::Tensor& tensor = parameter.tensor;
            if (name.endsWith(QLatin1String("bias"))) {
                QVERIFY2(torch::equal(tensor, torch::zeros_like(tensor)), qPrintable(name));
            } else if (name.contains(QLatin1String("norm"))) {
                QVERIFY2(torch::equal(tensor, torch::ones_like(tensor)), qPrintable(name));
            } else {
                const bool isLast
                    = name.contains(QLatin1String("projection")) || name.contains(QLatin1String("narrow"));
                const double deviation = isLast ? 0.02 / 4.0 : 0.02;
                QVERIFY2(std::abs(tensor.std().item<double>() / deviation - 1.0) < 0.05, qPrintable(name));
                QVERIFY2(std::abs(tensor.mean().item<double>()) < 0.1 * deviation, qPrintable(name));
            }
        }
        // Nothing is known yet: every byte is about as likely.
        Net fresh = gpt();
        const double loss = crossEntropy(fresh.forward(bytes(8)), bytes(9).narrow(0, 1, 8)).item<double>();
        QVERIFY(std::abs(loss - std::log(256.0)) < 0.1);
    }

    void tiedEndsHaveOneWeight()
    {
        const Overrides tied{{"net.tied", "true"}};
        const Net whole = gpt(tied);
        QCOMPARE(whole.parameterCount(), gpt().parameterCount() - 256 * Width);
        QCOMPARE(*whole.tiedParameter(), std::size_t{0});
        QVERIFY(!gpt().tiedParameter());
        QVERIFY(!gpt(tied, 1, 3).tiedParameter());
        const Net begin = gpt(tied, 0, 2);
        const Net end = gpt(tied, 2);
        QCOMPARE(begin.parameters()[*begin.tiedParameter()].name, std::string("0.token"));
        QCOMPARE(end.parameters()[*end.tiedParameter()].name, std::string("3.weight"));
        QVERIFY(torch::equal(begin.parameters()[*begin.tiedParameter()].tensor, whole.parameters()[0].tensor));
        QVERIFY(torch::equal(end.parameters()[*end.tiedParameter()].tensor, whole.parameters()[0].tensor));
        const Net head = gpt(tied, 3);
        QVERIFY(torch::equal(head.parameters()[*head.tiedParameter()].tensor, whole.parameters()[0].tensor));
    }

    void aTiedWeightGetsTheSumOfBothGradients()
    {
        const Overrides tied{{"net.tied", "true"}};
        const torch::Tensor input = bytes(4);
        const torch::Tensor labels = bytes(5).narrow(0, 1, 4);
        Net whole = gpt(tied);
        FlatParameters wholeParameters(whole);
        wholeParameters.clearGradients();
        crossEntropy(whole.forward(input), labels).backward();

        Net begin = gpt(tied, 0, 2);
        Net end = gpt(tied, 2);
        FlatParameters beginParameters(begin);
        FlatParameters endParameters(end);
        beginParameters.clearGradients();
        endParameters.clearGradients();
        const torch::Tensor sent = begin.forward(input);
        const torch::Tensor received = sent.detach().requires_grad_(true);
        crossEntropy(end.forward(received), labels).backward();
        sent.backward(received.grad());
        const torch::Tensor first = begin.parameters()[*begin.tiedParameter()].tensor.grad();
        const torch::Tensor last = end.parameters()[*end.tiedParameter()].tensor.grad();
        const torch::Tensor both = whole.parameters()[*whole.tiedParameter()].tensor.grad();
        QVERIFY(first.norm().item<double>() > 0.0);
        QVERIFY(last.norm().item<double>() > 0.0);
        QVERIFY(relativeDifference(first + last, both) < 1e-12);
        // In one buffer: the head works with what an optimizer writes there.
        {
            const torch::NoGradGuard noGrad;
            wholeParameters.weights().mul_(0.0);
        }
        QCOMPARE(whole.forward(input).abs().max().item<double>(), 0.0);
    }

    void microBatchesAddUp()
    {
        const LabelledInputs data{bytes(10), bytes(11).narrow(0, 1, 10).contiguous()};
        StepClock clock;
        Net net = gpt({{"net.tied", "true"}});
        FlatParameters parameters(net);
        parameters.clearGradients();
        const double whole = addGradient(net, {data.inputs, data.labels}, clock).item<double>();
        const torch::Tensor wanted = parameters.gradients().clone();
        parameters.clearGradients();
        const double parts = addGradientInChunks(net, data, 3, clock).item<double>();
        QVERIFY(std::abs(parts - whole) < 1e-12);
        QVERIFY(relativeDifference(parameters.gradients(), wanted) < 1e-12);
    }
};

LOCKSTEP_TEST(TestGpt)
#include "test_gpt.moc"
