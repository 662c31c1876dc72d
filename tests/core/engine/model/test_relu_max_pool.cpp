// ReLU and max-pool in one pass: every bit is that of ATen's two passes, whatever the numbers, shapes and instructions.
#include "core/engine/model/net_of.h"
#include "core/engine/run_of.h"
#include "engine/kernels/relu_max_pool.h"
#include "program/test_class.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <QTest>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace lockstep;
using namespace lockstep::engine;
using lockstep::tests::netOf;

namespace {

/// Also of NaN and -0, which torch::equal() does not tell apart from others.
bool haveEqualBits(const torch::Tensor& left, const torch::Tensor& right)
{
    return left.sizes() == right.sizes()
        && std::memcmp(left.contiguous().data_ptr<float>(), right.contiguous().data_ptr<float>(),
               static_cast<std::size_t>(left.numel()) * sizeof(float))
        == 0;
}

/// A quarter of them are special, and many are equal.
torch::Tensor numbers(std::mt19937& random, const std::vector<std::int64_t>& sizes)
{
    constexpr float Infinity = std::numeric_limits<float>::infinity();
    constexpr float NotANumber = std::numeric_limits<float>::quiet_NaN();
    constexpr float Denormal = std::numeric_limits<float>::denorm_min();
    constexpr std::array<float, 10> Special{
        0.0F, -0.0F, Infinity, -Infinity, NotANumber, -NotANumber, Denormal, -Denormal, 1.0F, -1.0F};
    torch::Tensor values = torch::empty(sizes);
    auto* const each = values.data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        const std::uint32_t drawn = random();
        each[i] = drawn % 4 == 0 ? Special[drawn / 4 % Special.size()] : static_cast<float>(drawn / 4 % 13) - 6.0F;
    }
    return values;
}

std::vector<InstructionSet> setsOfThisProcessor()
{
    std::vector<InstructionSet> sets;
    for (const InstructionSet set : {InstructionSet::Plain, InstructionSet::Avx2, InstructionSet::Avx512}) {
        if (set <= processorSet()) {
            sets.push_back(set);
        }
    }
    return sets;
}

/// The gradients of a net's input and weights.
std::vector<torch::Tensor> gradientsOf(Net& net, const torch::Tensor& output, const torch::Tensor& input)
{
    output.backward(torch::linspace(-1.0, 2.0, output.numel()).view(output.sizes()));
    std::vector<torch::Tensor> gradients{input.grad().clone()};
    for (const NamedTensor& parameter : net.parameters()) {
        gradients.push_back(parameter.tensor.grad().clone());
    }
    return gradients;
}

} // namespace

class TestReluMaxPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bitsAreThoseOfATen()
    {
        std::mt19937 random(40);
        for (int trial = 0; trial < 300; ++trial) {
            const auto upTo = [&](std::uint32_t most) { return static_cast<std::int64_t>(random() % most); };
            const PlaneShape shape{.planes = 1 + upTo(4), .rows = 2 + upTo(12), .columns = 4 + upTo(60)};
            const torch::Tensor input = numbers(random, {1, shape.planes, shape.rows, shape.columns}).requires_grad_();
            const torch::Tensor expected = torch::max_pool2d(torch::relu(input), 2);
            const torch::Tensor gradient = numbers(random, expected.sizes().vec());
            expected.backward(gradient);
            for (const InstructionSet set : setsOfThisProcessor()) {
                const torch::Tensor output = torch::full_like(expected, 9.0);
                const torch::Tensor places = torch::full(expected.sizes(), 9, torch::kByte);
                reluMaxPool(
                    input.data_ptr<float>(), shape, output.data_ptr<float>(), places.data_ptr<std::uint8_t>(), set);
                const torch::Tensor inputGradient = torch::full_like(input, 9.0);
                reluMaxPoolGradient(gradient.data_ptr<float>(), places.data_ptr<std::uint8_t>(), shape,
                    inputGradient.data_ptr<float>(), set);
                const auto where = QStringLiteral("set %1, %2 planes of %3 x %4")
                                       .arg(int(set))
                                       .arg(shape.planes)
                                       .arg(shape.rows)
                                       .arg(shape.columns);
                QVERIFY2(haveEqualBits(output, expected), qPrintable(where));
                QVERIFY2(haveEqualBits(inputGradient, input.grad()), qPrintable(where));
            }
        }
    }

    void aNetIsEqualToItsLayersOneByOne_data()
    {
        QTest::addColumn<QString>("net");
        QTest::newRow("cnn") << "cnn";
        QTest::newRow("lenet5") << "lenet5";
    }

    void aNetIsEqualToItsLayersOneByOne()
    {
        QFETCH(QString, net);
        const auto run = runOf({{"net.name", net.toStdString()}});
        torch::manual_seed(3);
        const torch::Tensor images = torch::randn({3, 1, 28, 28});

        Net whole = netOf(run);
        const torch::Tensor input = images.clone().requires_grad_();
        const torch::Tensor output = whole.forward(input);

        Net layers = netOf(run);
        const torch::Tensor sameInput = images.clone().requires_grad_();
        torch::Tensor value = sameInput;
        for (std::size_t i = 0; i < layers.layerCount(); ++i) {
            value = layers.layer(i).forward(value);
        }
        QVERIFY(haveEqualBits(output, value));
        const auto gradients = gradientsOf(whole, output, input);
        const auto expected = gradientsOf(layers, value, sameInput);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY(haveEqualBits(gradients[i], expected[i]));
        }

        const torch::NoGradGuard noGrad;
        const torch::Tensor evaluated = whole.forward(images);
        QVERIFY(haveEqualBits(evaluated, output));
        QVERIFY(!evaluated.requires_grad());
    }

    /// What another rank or the caller still holds is not written over.
    void theInputStays()
    {
        const auto run = runOf({{"net.name", "cnn"}});
        Net range = netOf(run, 3, 6); // ReLU, max-pool, flatten
        QCOMPARE(QString::fromStdString(range.layer(1).description()), QStringLiteral("max-pool 2"));
        const torch::Tensor input = torch::randn({2, 64, 24, 24});
        const torch::Tensor given = input.clone();
        QVERIFY(haveEqualBits(range.forward(given), torch::max_pool2d(torch::relu(input), 2).flatten(1)));
        QVERIFY(haveEqualBits(given, input));
    }

    void aSlowerSetIsUsedWhereTheEnvironmentSaysSo()
    {
        const QByteArray allowed = qgetenv("ATEN_CPU_CAPABILITY");
        const auto most = allowed == "default" ? InstructionSet::Plain
            : allowed == "avx2"                ? InstructionSet::Avx2
                                               : InstructionSet::Avx512;
        QCOMPARE(usedSet(), std::min(most, processorSet()));
    }
};

LOCKSTEP_TEST(TestReluMaxPool)
#include "test_relu_max_pool.moc"
