// Every optimizer against LibTorch's own, both fed the same gradients for 100 steps.
#include "core/engine/run_of.h"
#include "engine/optim/optimizer.h"
#include "experiment/parameter.h"
#include "program/test_class.h"

#include <torch/optim.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

constexpr int OptimizerSteps = 100;

struct OptimizerSettings {
    QString name;
    double lr = 0.1;
    double momentum = 0.9;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weightDecay = 0.0;
};

experiment::RunSpec runWith(const OptimizerSettings& s)
{
    const auto text = [](double value) { return experiment::toText(value); };
    std::vector<experiment::Override> overrides{{"optimizer.name", s.name.toStdString()}, {"optimizer.lr", text(s.lr)},
        {"optimizer.weight_decay", text(s.weightDecay)}};
    if (s.name == QLatin1String("momentum") || s.name == QLatin1String("nesterov")) {
        overrides.push_back({"optimizer.momentum", text(s.momentum)});
    }
    if (s.name.startsWith(QLatin1String("adam"))) {
        overrides.insert(overrides.end(),
            {{"optimizer.beta1", text(s.beta1)}, {"optimizer.beta2", text(s.beta2)},
                {"optimizer.epsilon", text(s.epsilon)}});
    }
    return lockstep::runOf(overrides);
}

std::unique_ptr<torch::optim::Optimizer> torchs(const OptimizerSettings& s, const std::vector<torch::Tensor>& weights)
{
    if (s.name == QLatin1String("adam")) {
        return std::make_unique<torch::optim::Adam>(weights,
            torch::optim::AdamOptions(s.lr).betas({s.beta1, s.beta2}).eps(s.epsilon).weight_decay(s.weightDecay));
    }
    if (s.name == QLatin1String("adamw")) {
        return std::make_unique<torch::optim::AdamW>(weights,
            torch::optim::AdamWOptions(s.lr).betas({s.beta1, s.beta2}).eps(s.epsilon).weight_decay(s.weightDecay));
    }
    const bool hasMomentum = s.name == QLatin1String("momentum") || s.name == QLatin1String("nesterov");
    return std::make_unique<torch::optim::SGD>(weights,
        torch::optim::SGDOptions(s.lr)
            .momentum(hasMomentum ? s.momentum : 0.0)
            .nesterov(s.name == QLatin1String("nesterov"))
            .weight_decay(s.weightDecay));
}

/// Weights in the order of a small net, among them sizes that fill no whole vector register.
std::vector<torch::Tensor> startingWeights(at::ScalarType dtype)
{
    torch::manual_seed(11);
    return {torch::randn({33, 17}, dtype), torch::randn({17}, dtype), torch::randn({1}, dtype)};
}

std::vector<torch::Tensor> gradientsOf(const std::vector<torch::Tensor>& weights, int step)
{
    torch::manual_seed(static_cast<std::uint64_t>(1000 + step));
    std::vector<torch::Tensor> gradients;
    for (const torch::Tensor& weight : weights) {
        gradients.push_back(torch::randn_like(weight.detach()));
    }
    return gradients;
}

double largestDifference(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, (a[i] - b[i]).abs().max().item<double>());
    }
    return largest;
}

double largest(const std::vector<torch::Tensor>& weights)
{
    double value = 0.0;
    for (const torch::Tensor& weight : weights) {
        value = std::max(value, weight.abs().max().item<double>());
    }
    return value;
}

/// The weights' memory layout: dense ones use the rules' own loops, others tensor operations.
enum class Layout { Dense, Strided };

std::vector<torch::Tensor> laidOut(const std::vector<torch::Tensor>& weights, Layout layout)
{
    std::vector<torch::Tensor> copies;
    for (const torch::Tensor& weight : weights) {
        if (layout == Layout::Dense) {
            copies.push_back(weight.clone());
        } else {
            torch::Tensor wide = torch::zeros({weight.numel(), 2}, weight.options());
            copies.push_back(wide.select(1, 0).copy_(weight.flatten()));
        }
    }
    return copies;
}

} // namespace

class TestOptimizers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyOfferedOptimizerIsThere()
    {
        std::vector<std::string_view> offered;
        for (const experiment::Choice& choice : experiment::findParameter("optimizer.name")->choices) {
            offered.push_back(choice.name);
        }
        QCOMPARE(optimizerNames(), offered);
    }

    void equalsTorchs_data()
    {
        QTest::addColumn<OptimizerSettings>("settings");
        QTest::addColumn<bool>("isWide");
        QTest::addColumn<bool>("isDense");
        const std::vector<OptimizerSettings> all{
            {.name = QStringLiteral("gd"), .lr = 0.5},
            {.name = QStringLiteral("gd"), .lr = 0.05, .weightDecay = 0.1},
            {.name = QStringLiteral("sgd"), .lr = 0.1},
            {.name = QStringLiteral("sgd"), .lr = 0.01, .weightDecay = 5e-4},
            {.name = QStringLiteral("momentum"), .lr = 0.1, .momentum = 0.9},
            {.name = QStringLiteral("momentum"), .lr = 0.01, .momentum = 0.5, .weightDecay = 0.01},
            {.name = QStringLiteral("momentum"), .lr = 0.1, .momentum = 0.0},
            {.name = QStringLiteral("nesterov"), .lr = 0.1, .momentum = 0.9},
            {.name = QStringLiteral("nesterov"), .lr = 0.02, .momentum = 0.99, .weightDecay = 1e-3},
            {.name = QStringLiteral("adam"), .lr = 1e-3},
            {.name = QStringLiteral("adam"), .lr = 0.1, .beta1 = 0.5, .beta2 = 0.9, .epsilon = 1e-4},
            {.name = QStringLiteral("adam"), .lr = 0.01, .weightDecay = 0.1},
            {.name = QStringLiteral("adamw"), .lr = 1e-3},
            {.name = QStringLiteral("adamw"), .lr = 0.01, .beta1 = 0.8, .beta2 = 0.95, .weightDecay = 0.1},
        };
        int row = 0;
        for (const OptimizerSettings& settings : all) {
            for (const bool isWide : {true, false}) {
                for (const bool isDense : {true, false}) {
                    QTest::addRow("%d %s %s %s", ++row, qPrintable(settings.name), isWide ? "float64" : "float32",
                        isDense ? "dense" : "strided")
                        << settings << isWide << isDense;
                }
            }
        }
    }

    void equalsTorchs()
    {
        QFETCH(OptimizerSettings, settings);
        QFETCH(bool, isWide);
        QFETCH(bool, isDense);
        const std::vector<torch::Tensor> start = startingWeights(isWide ? torch::kDouble : torch::kFloat);
        const Layout layout = isDense ? Layout::Dense : Layout::Strided;
        const std::vector<torch::Tensor> ours = laidOut(start, layout);
        std::vector<torch::Tensor> theirs = laidOut(ours, Layout::Dense);
        for (torch::Tensor& weight : theirs) {
            weight.requires_grad_(true);
        }
        auto optimizer = makeOptimizer(runWith(settings), ours);
        QVERIFY2(optimizer.isOk(), messageOf(optimizer).c_str());
        QCOMPARE((*optimizer)->wantsWholeBatch(), settings.name == QLatin1String("gd"));
        const auto reference = torchs(settings, theirs);
        for (int step = 0; step < OptimizerSteps; ++step) {
            const std::vector<torch::Tensor> gradients = gradientsOf(ours, step);
            for (std::size_t i = 0; i < theirs.size(); ++i) {
                theirs[i].mutable_grad() = gradients[i].reshape(theirs[i].sizes()).clone();
            }
            (*optimizer)->step(gradients, settings.lr);
            reference->step();
        }
        std::vector<torch::Tensor> expected;
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            expected.push_back(theirs[i].detach());
        }
        const double difference = largestDifference(ours, expected);
        const double allowed = (isWide ? 1e-12 : 1e-6) * (isWide ? 1.0 : largest(expected));
        QVERIFY2(difference <= allowed, qPrintable(QStringLiteral("%1 > %2").arg(difference).arg(allowed)));
        QVERIFY(largestDifference(ours, laidOut(start, layout)) > 1e-3); // it did move
    }

    void oneFlatBufferGivesTheSameBits_data()
    {
        QTest::addColumn<QString>("name");
        for (const std::string_view name : optimizerNames()) {
            QTest::addRow("%s", std::string(name).c_str())
                << QString::fromUtf8(name.data(), static_cast<int>(name.size()));
        }
    }

    void oneFlatBufferGivesTheSameBits()
    {
        QFETCH(QString, name);
        const OptimizerSettings settings{.name = name, .lr = 0.05, .weightDecay = 0.01};
        const std::vector<torch::Tensor> apart = startingWeights(torch::kFloat);
        const auto joined = [](const std::vector<torch::Tensor>& parts) {
            std::vector<torch::Tensor> flat;
            for (const torch::Tensor& part : parts) {
                flat.push_back(part.flatten());
            }
            return torch::cat(flat);
        };
        const torch::Tensor flat = joined(apart);
        auto one = makeOptimizer(runWith(settings), apart);
        auto other = makeOptimizer(runWith(settings), {flat});
        QVERIFY(one.isOk() && other.isOk());
        for (int step = 0; step < 20; ++step) {
            const std::vector<torch::Tensor> gradients = gradientsOf(apart, step);
            const std::vector<torch::Tensor> together{joined(gradients)};
            (*one)->step(gradients, settings.lr);
            (*other)->step(together, settings.lr);
        }
        QVERIFY(torch::equal(joined(apart), flat));
    }

    void gradientsAreLeftAsTheyAre()
    {
        for (const std::string_view name : optimizerNames()) {
            const OptimizerSettings settings{
                .name = QString::fromUtf8(name.data(), static_cast<int>(name.size())), .weightDecay = 0.1};
            const std::vector<torch::Tensor> weights = startingWeights(torch::kFloat);
            auto optimizer = makeOptimizer(runWith(settings), weights);
            QVERIFY(optimizer.isOk());
            const std::vector<torch::Tensor> gradients = gradientsOf(weights, 1);
            (*optimizer)->step(gradients, 0.1);
            QCOMPARE(largestDifference(gradients, gradientsOf(weights, 1)), 0.0);
        }
    }

    void momentsOfIdleWeightsFadeToZero()
    {
        for (const char* name : {"momentum", "adam"}) {
            const std::vector<torch::Tensor> weights{torch::ones({100})};
            auto optimizer
                = makeOptimizer(runWith(OptimizerSettings{.name = QString::fromLatin1(name), .beta2 = 0.9}), weights);
            std::vector<torch::Tensor> gradients{torch::ones({100})};
            (*optimizer)->step(gradients, 1e-3);
            gradients[0].zero_();
            for (int step = 0; step < 1000; ++step) {
                (*optimizer)->step(gradients, 1e-3);
            }
            for (const torch::Tensor& state : (*optimizer)->state()) {
                // 0.9^1000 is 1e-46: without the flush it would rest at a denormal number, and every step be slow.
                QVERIFY2(state.eq(0).all().item<bool>(), name);
            }
            QVERIFY(torch::isfinite(weights[0]).all().item<bool>());
        }
        // The thread itself continues with denormal numbers.
        const volatile float tiny = 1e-38F;
        QVERIFY(tiny * 0.1F > 0.0F);
    }

    void stateIsWhatTheRuleKeeps()
    {
        const auto stateBytes = [](const char* name) {
            const std::vector<torch::Tensor> weights{torch::zeros({1000})};
            auto optimizer = makeOptimizer(runWith(OptimizerSettings{.name = QString::fromLatin1(name)}), weights);
            const std::vector<torch::Tensor> gradients{torch::ones({1000})};
            (*optimizer)->step(gradients, 0.1);
            std::int64_t bytes = 0;
            for (const torch::Tensor& tensor : (*optimizer)->state()) {
                bytes += static_cast<std::int64_t>(tensor.nbytes());
            }
            return bytes;
        };
        QCOMPARE(stateBytes("sgd"), std::int64_t{0});
        QCOMPARE(stateBytes("momentum"), std::int64_t{4000});
        QCOMPARE(stateBytes("adam"), std::int64_t{8000});
    }
};

LOCKSTEP_TEST(TestOptimizers)
#include "test_optimizers.moc"
