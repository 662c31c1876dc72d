// Causal attention against its formula over all scores: outputs and gradients, for heads together and apart, around the
// size of a block of queries and far above it; and every strategy at a context of several blocks.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/model/attention.h"
#include "plan/attention_blocks.h"
#include "program/test_class.h"

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

constexpr AttentionShape Shape{.samples = 3, .tokens = 0, .heads = 4, .perHead = 8};

AttentionShape withTokens(std::int64_t tokens)
{
    AttentionShape shape = Shape;
    shape.tokens = tokens;
    return shape;
}

struct Attended {
    torch::Tensor output;
    torch::Tensor gradient; ///< of the projected queries, keys and values
};

torch::Tensor projectedFor(const AttentionShape& shape)
{
    torch::manual_seed(3);
    return torch::randn({shape.samples * shape.tokens, 3 * shape.heads * shape.perHead}, torch::kDouble);
}

/// The gradient that arrives at the output.
torch::Tensor weightsFor(const AttentionShape& shape)
{
    torch::manual_seed(4);
    return torch::randn({shape.samples * shape.tokens, shape.heads * shape.perHead}, torch::kDouble);
}

/// softmax(Q K' / sqrt(d) + mask) V as it is written.
torch::Tensor formula(const torch::Tensor& projected, const AttentionShape& shape)
{
    const torch::Tensor parts
        = projected.view({shape.samples, shape.tokens, 3, shape.heads, shape.perHead}).permute({2, 0, 3, 1, 4});
    const torch::Tensor mask
        = torch::full({shape.tokens, shape.tokens}, -std::numeric_limits<double>::infinity(), projected.options())
              .triu(1);
    const torch::Tensor scores
        = parts[0].matmul(parts[1].transpose(-2, -1)) / std::sqrt(static_cast<double>(shape.perHead)) + mask;
    return scores.softmax(-1).matmul(parts[2]).transpose(1, 2).reshape(
        {shape.samples * shape.tokens, shape.heads * shape.perHead});
}

template <typename Attention>
Attended resultOf(
    const Attention& attention, const torch::Tensor& values, const torch::Tensor& weights, const AttentionShape& shape)
{
    const torch::Tensor projected = values.clone().requires_grad_(true);
    const torch::Tensor output = attention(projected, shape);
    output.backward(weights);
    return {output.detach(), projected.grad()};
}

/// Some of the heads: [.., parts * heads * perHead] -> [.., parts * count * perHead].
torch::Tensor headsOf(const torch::Tensor& all, std::int64_t parts, std::int64_t first, std::int64_t count)
{
    return all.view({all.size(0), parts, Shape.heads, Shape.perHead})
        .narrow(2, first, count)
        .reshape({all.size(0), parts * count * Shape.perHead});
}

void addLengths()
{
    QTest::addColumn<int>("tokens");
    for (const int tokens : {1, 63, 64, 65, 200, 1024}) {
        QTest::addRow("%d", tokens) << tokens;
    }
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void valuesAreThoseOfTheFormula_data() { addLengths(); }

    void valuesAreThoseOfTheFormula()
    {
        QFETCH(int, tokens);
        const AttentionShape shape = withTokens(tokens);
        const torch::Tensor projected = projectedFor(shape);
        const torch::Tensor weights = weightsFor(shape);
        const Attended wanted = resultOf(formula, projected, weights, shape);
        const Attended whole = resultOf(causalAttention, projected, weights, shape);
        QVERIFY(largestDifference(whole.output, wanted.output) < 1e-12);
        QVERIFY(largestDifference(whole.gradient, wanted.gradient) < 1e-12);
        AttentionShape some = shape;
        for (const auto& [first, count] : {std::pair{0, 1}, std::pair{1, 3}}) {
            some.heads = count;
            const Attended apart = resultOf(
                causalAttention, headsOf(projected, 3, first, count), headsOf(weights, 1, first, count), some);
            QVERIFY(largestDifference(apart.output, headsOf(wanted.output, 1, first, count)) < 1e-12);
            QVERIFY(largestDifference(apart.gradient, headsOf(wanted.gradient, 3, first, count)) < 1e-12);
        }
    }

    void fewNumbersAHeadAreEnough()
    {
        // The smallest products, whose results LibTorch makes in another way.
        const AttentionShape shape{.samples = 1, .tokens = 65, .heads = 2, .perHead = 1};
        const torch::Tensor projected = projectedFor(shape);
        const torch::Tensor weights = weightsFor(shape);
        const Attended wanted = resultOf(formula, projected, weights, shape);
        const Attended found = resultOf(causalAttention, projected, weights, shape);
        QVERIFY(largestDifference(found.output, wanted.output) < 1e-12);
        QVERIFY(largestDifference(found.gradient, wanted.gradient) < 1e-12);
    }

    void equalInputsGiveEqualBits_data() { addLengths(); }

    void equalInputsGiveEqualBits()
    {
        QFETCH(int, tokens);
        const AttentionShape shape = withTokens(tokens);
        const torch::Tensor projected = projectedFor(shape).to(torch::kFloat);
        const torch::Tensor weights = weightsFor(shape).to(torch::kFloat);
        const Attended first = resultOf(causalAttention, projected, weights, shape);
        const Attended second = resultOf(causalAttention, projected, weights, shape);
        QVERIFY(torch::equal(first.output, second.output));
        QVERIFY(torch::equal(first.gradient, second.gradient));
    }

    /// Three significant digits of products, sums in float32.
    void bfloat16KeepsItsDigits_data() { addLengths(); }

    void bfloat16KeepsItsDigits()
    {
        QFETCH(int, tokens);
        const AttentionShape shape = withTokens(tokens);
        const torch::Tensor projected = projectedFor(shape).to(torch::kBFloat16);
        const torch::Tensor weights = weightsFor(shape).to(torch::kBFloat16);
        const Attended wanted = resultOf(formula, projected.to(torch::kDouble), weights.to(torch::kDouble), shape);
        const Attended found = resultOf(causalAttention, projected, weights, shape);
        QCOMPARE(found.output.scalar_type(), torch::kBFloat16);
        QCOMPARE(found.gradient.scalar_type(), torch::kBFloat16);
        const auto error = [](const torch::Tensor& value, const torch::Tensor& exact) {
            return ((value.to(torch::kDouble) - exact).norm() / exact.norm()).item<double>();
        };
        const double ofOutput = error(found.output, wanted.output);
        const double ofGradient = error(found.gradient, wanted.gradient);
        QVERIFY2(ofOutput < 0.01 && ofGradient < 0.01,
            qPrintable(QStringLiteral("%1 and %2").arg(ofOutput).arg(ofGradient)));
    }

    void everyStrategyAgreesWithOneProcess_data()
    {
        QTest::addColumn<QString>("settings");
        const auto add = [](const char* settings) { QTest::newRow(settings) << QString(settings); };
        add("strategy.name=data world_size=2");
        add("strategy.name=zero world_size=2 zero.stage=1");
        add("strategy.name=zero world_size=2 zero.stage=3");
        add("strategy.name=tensor tensor.size=2");
        add("strategy.name=tensor tensor.size=4");
        add("strategy.name=pipeline pipeline.stages=2 pipeline.microbatches=2");
        add("strategy.name=pipeline pipeline.stages=2 pipeline.microbatches=2 train.recompute=stage");
        add("strategy.name=grid grid.data=1 grid.pipeline=2 grid.tensor=2 pipeline.microbatches=2");
    }

    void everyStrategyAgreesWithOneProcess()
    {
        QFETCH(QString, settings);
        const auto run = runOf(withSettings(
            {{"dataset.name", "text"}, {"net.name", "gpt"}, {"net.context", "200"}, {"net.width", "16"},
                {"net.heads", "4"}, {"net.blocks", "2"}, {"dataset.train_samples", "16"}, {"dataset.test_samples", "5"},
                {"train.batch", "4"}, {"train.steps", "4"}, {"train.dtype", "float64"}, {"optimizer.name", "sgd"},
                {"optimizer.lr", "0.1"}, {"rank.bind", "false"}, {"verify", "true"}},
            settings));
        QVERIFY(run.settings->net.context > plan::AttentionRows);
        const auto ranks = trainedRanks(run, *experiment::worldSizeOf(run));
        QVERIFY2(ranks.front().goodbye.outcome == wire::Outcome::Finished, ranks.front().goodbye.message.c_str());
        const auto found = ranks.front().kept->all<wire::Verification>();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().steps, std::int64_t{4});
        QVERIFY2(found.front().maxRelativeDifference < 1e-12,
            qPrintable(QString::number(found.front().maxRelativeDifference)));
    }
};

LOCKSTEP_TEST(TestAttention)
#include "test_attention.moc"
