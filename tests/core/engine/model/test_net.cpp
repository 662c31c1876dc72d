#include "core/engine/model/net_of.h"
#include "core/engine/run_of.h"
#include "engine/model/net.h"
#include "engine/model/registry.h"
#include "experiment/parameter.h"
#include "program/test_class.h"

#include <torch/nn/functional.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::engine;
using lockstep::tests::netOf;

namespace {

torch::Tensor images(std::int64_t count)
{
    torch::manual_seed(3);
    return torch::randn({count, 1, 28, 28});
}

/// The same nets written with LibTorch's own modules, given our weights.
torch::Tensor referenceOutput(const QString& name, const Net& net, const torch::Tensor& input)
{
    const auto& p = net.parameters();
    const auto weight = [&](std::size_t i) { return p[i].tensor; };
    namespace F = torch::nn::functional;
    if (name == QLatin1String("logistic")) {
        return F::linear(input.flatten(1), weight(0), weight(1));
    }
    if (name == QLatin1String("mlp")) {
        return F::linear(F::relu(F::linear(input.flatten(1), weight(0), weight(1))), weight(2), weight(3));
    }
    if (name == QLatin1String("deep-mlp")) {
        auto value = input.flatten(1);
        for (std::size_t i = 0; i < p.size(); i += 2) {
            value = F::linear(i == 0 ? value : F::relu(value), weight(i), weight(i + 1));
        }
        return value;
    }
    if (name == QLatin1String("lenet5")) {
        auto maps = F::relu(F::conv2d(input, weight(0), F::Conv2dFuncOptions().bias(weight(1)).padding(2)));
        maps = F::max_pool2d(maps, F::MaxPool2dFuncOptions(2));
        maps = F::relu(F::conv2d(maps, weight(2), F::Conv2dFuncOptions().bias(weight(3))));
        auto value = F::max_pool2d(maps, F::MaxPool2dFuncOptions(2)).flatten(1);
        value = F::relu(F::linear(value, weight(4), weight(5)));
        return F::linear(F::relu(F::linear(value, weight(6), weight(7))), weight(8), weight(9));
    }
    auto x = F::relu(F::conv2d(input, weight(0), F::Conv2dFuncOptions().bias(weight(1))));
    x = F::relu(F::conv2d(x, weight(2), F::Conv2dFuncOptions().bias(weight(3))));
    x = F::max_pool2d(x, F::MaxPool2dFuncOptions(2)).flatten(1);
    return F::linear(F::relu(F::linear(x, weight(4), weight(5))), weight(6), weight(7));
}

} // namespace

class TestNet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyOfferedNetCanBeBuilt()
    {
        std::vector<std::string_view> offered;
        for (const experiment::Choice& choice : experiment::findParameter("net.name")->choices) {
            offered.push_back(choice.name);
        }
        QCOMPARE(netNames(), offered);
    }

    void everyNet_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qlonglong>("parameters");
        QTest::addColumn<qlonglong>("layers");
        QTest::addRow("logistic") << QStringLiteral("logistic") << 7'850LL << 2LL;
        QTest::addRow("mlp") << QStringLiteral("mlp") << 101'770LL << 4LL;
        QTest::addRow("cnn") << QStringLiteral("cnn") << 1'199'882LL << 9LL;
        QTest::addRow("lenet5") << QStringLiteral("lenet5") << 61'706LL << 12LL;
        QTest::addRow("deep-mlp") << QStringLiteral("deep-mlp") << 100'480LL + 6 * 16'512 + 1'290 << 16LL;
    }

    void everyNet()
    {
        QFETCH(QString, name);
        QFETCH(qlonglong, parameters);
        QFETCH(qlonglong, layers);
        const std::vector<experiment::Override> overrides{{"net.name", name.toStdString()}};
        Net net = netOf(runOf(overrides));
        QCOMPARE(net.parameterCount(), std::int64_t{parameters});
        QCOMPARE(net.layerCount(), static_cast<std::size_t>(layers));
        QCOMPARE(*layerCount(runOf(overrides)), std::int64_t{layers});

        const torch::Tensor input = images(5);
        const torch::Tensor before = input.clone();
        const torch::Tensor output = net.forward(input);
        QVERIFY(torch::equal(input, before));
        QVERIFY(torch::allclose(output, referenceOutput(name, net, input), 1e-6, 1e-6));

        const torch::Tensor labels = torch::tensor({1, 2, 3, 4, 5});
        torch::cross_entropy_loss(output, labels).backward();
        std::vector<torch::Tensor> ours;
        for (const NamedTensor& parameter : net.parameters()) {
            ours.push_back(parameter.tensor.grad().clone());
            parameter.tensor.grad().zero_();
        }
        torch::cross_entropy_loss(referenceOutput(name, net, input), labels).backward();
        for (std::size_t i = 0; i < ours.size(); ++i) {
            QVERIFY2(torch::allclose(ours[i], net.parameters()[i].tensor.grad(), 1e-5, 1e-6),
                net.parameters()[i].name.c_str());
        }
    }

    void aRangeHasTheWeightsItHasInTheWhole()
    {
        const std::vector<experiment::Override> cnn{{"net.name", "cnn"}};
        const Net whole = netOf(runOf(cnn));
        const Net tail = netOf(runOf(cnn), 5, 9);
        QCOMPARE(tail.parameters().size(), std::size_t{4});
        for (const NamedTensor& part : tail.parameters()) {
            const auto same = std::find_if(whole.parameters().begin(), whole.parameters().end(),
                [&](const NamedTensor& all) { return all.name == part.name; });
            QVERIFY2(same != whole.parameters().end(), part.name.c_str());
            QVERIFY2(torch::equal(same->tensor, part.tensor), part.name.c_str());
        }
    }

    void aNetInTwoPartsGivesTheSameAsInOne_data()
    {
        QTest::addColumn<int>("cut");
        for (int cut = 1; cut < 9; ++cut) {
            QTest::addRow("cut before layer %d", cut) << cut;
        }
    }

    void aNetInTwoPartsGivesTheSameAsInOne()
    {
        QFETCH(int, cut);
        const std::vector<experiment::Override> cnn{{"net.name", "cnn"}};
        Net whole = netOf(runOf(cnn));
        Net head = netOf(runOf(cnn), 0, cut);
        Net tail = netOf(runOf(cnn), cut);
        const torch::Tensor input = images(2);
        const torch::Tensor between = head.forward(input).detach().requires_grad_(true);
        const torch::Tensor kept = between.detach().clone();
        const torch::Tensor output = tail.forward(between);
        QVERIFY(torch::equal(output, whole.forward(input)));
        QVERIFY(torch::equal(between, kept)); // a ReLU that comes first leaves the sender's tensor as it is
        output.sum().backward();
        QVERIFY(between.grad().defined());
    }

    void bothTypesStartFromTheSameNumbers()
    {
        const Net narrow = netOf(runOf({{"train.dtype", "float32"}}));
        const Net wide = netOf(runOf({{"train.dtype", "float64"}}));
        for (std::size_t i = 0; i < narrow.parameters().size(); ++i) {
            QVERIFY(torch::equal(narrow.parameters()[i].tensor.to(torch::kDouble), wide.parameters()[i].tensor));
        }
    }

    void weightsAreUniformInPyTorchsBounds()
    {
        const Net net = netOf(runOf({}));
        const torch::Tensor weight = net.parameters()[0].tensor; // 128 x 784
        const double bound = 1.0 / 28.0;
        QVERIFY(weight.abs().max().item<double>() <= bound);
        QVERIFY(weight.abs().max().item<double>() > 0.999 * bound);
        QVERIFY(std::abs(weight.mean().item<double>()) < 0.01 * bound);
        QVERIFY(std::abs(weight.std().item<double>() - bound / std::sqrt(3.0)) < 0.01 * bound);
    }

    void anotherSeedGivesOtherWeights()
    {
        const Net one = netOf(runOf({{"train.seed", "1"}}));
        const Net again = netOf(runOf({{"train.seed", "1"}}));
        const Net other = netOf(runOf({{"train.seed", "2"}}));
        QVERIFY(torch::equal(one.parameters()[0].tensor, again.parameters()[0].tensor));
        QVERIFY(!torch::equal(one.parameters()[0].tensor, other.parameters()[0].tensor));
    }

    void layersThatAreNotThereAreRefused()
    {
        QCOMPARE(messageOf(makeNet(runOf({}), torch::kCPU, 2, 5)),
            std::string("net.name: layers 2 to 5 of mlp do not exist; it has 4"));
    }
};

LOCKSTEP_TEST(TestNet)
#include "test_net.moc"
