// Activation recomputation against runs that keep all: losses and weights to the last bit under every strategy that has
// it, and the mechanism alone.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/model/recompute.h"
#include "plan/activations.h"
#include "plan/check.h"
#include "program/test_class.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

const QString Deep = QStringLiteral("net.name=deep-mlp net.depth=9 net.hidden=24 train.batch=48 optimizer.name=adam "
                                    "optimizer.lr=0.001 ");
const QString RecomputedText
    = QStringLiteral("dataset.name=text net.name=gpt net.width=16 net.heads=2 net.blocks=3 "
                     "net.context=16 dataset.train_samples=64 dataset.test_samples=21 train.batch=12 "
                     "optimizer.name=adam optimizer.lr=0.001 train.steps=5 ");

experiment::RunSpec recomputedSpec(const QString& settings)
{
    const auto run = runOf(withSettings({{"dataset.train_samples", "300"}, {"dataset.test_samples", "40"},
                                            {"train.steps", "8"}, {"rank.bind", "false"}},
        settings));
    if (const auto possible = plan::check(run); !possible) {
        qFatal("%s", possible.error().message.c_str());
    }
    return run;
}

TrainedRun trainedByAll(const experiment::RunSpec& run)
{
    return finishedRun(run, *experiment::worldSizeOf(run));
}

/// Two uses of one weight, so that its gradient is a sum.
struct TwoUses {
    torch::Tensor weight = torch::rand({4, 4}, torch::kDouble).requires_grad_(true);
    int passes = 0;

    [[nodiscard]] torch::Tensor gradient(bool recomputes, double drift = 0.0)
    {
        weight.mutable_grad() = torch::Tensor();
        const torch::Tensor input = torch::ones({3, 4}, torch::kDouble);
        const auto pass = [&](const torch::Tensor& from) { return from.mm(weight).tanh() * (1.0 + drift * passes++); };
        const torch::Tensor middle = recomputes ? recomputed(input, {weight}, pass) : pass(input);
        middle.mm(weight).pow(2).sum().backward();
        return weight.grad().clone();
    }
};

} // namespace

class TestRecompute : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void numbersAreThoseOfKeptActivations_data()
    {
        QTest::addColumn<QString>("settings");
        const auto add = [](const QString& settings) { QTest::newRow(qPrintable(settings)) << settings; };
        const QString float64 = QStringLiteral(" train.dtype=float64");
        const QString bfloat16 = QStringLiteral(" train.precision=bfloat16");
        const QString clip = QStringLiteral(" optimizer.clip=0.5");
        const QString tied = QStringLiteral(" net.tied=true");
        const QString single = QStringLiteral("train.recompute=layer ");
        add(single + Deep);
        add(single + Deep + float64 + clip + " train.accumulate=3");
        add(single + Deep + bfloat16);
        add(single + RecomputedText + tied + " train.accumulate=2");
        add(single + RecomputedText + bfloat16 + clip);
        add(single + RecomputedText + bfloat16 + " net.context=100 train.batch=4 train.steps=3");
        add(single + "net.name=cnn train.batch=6 train.steps=2 train.channels_last=true");
        add(single + Deep + "optimizer.name=gd train.steps=3");

        const QString data = single + "strategy.name=data world_size=2 ";
        add(data + Deep + "verify=true train.accumulate=2");
        add(data + Deep + float64 + clip);
        add(data + RecomputedText + tied + " comm.form=buckets comm.first_bucket_kb=1 comm.bucket_kb=2");
        add(data + Deep + "comm.form=buckets comm.first_bucket_kb=1 comm.bucket_kb=4 train.accumulate=3");
        add(data + Deep + "aggregation.what=weights aggregation.every=3");

        for (const char* stage : {"1", "2", "3"}) {
            const QString zero = single + "strategy.name=zero world_size=2 zero.stage=" + stage + " ";
            add(zero + Deep + clip);
            add(zero + "net.name=lenet5 train.batch=24 train.steps=4" + bfloat16);
            add(zero + RecomputedText + tied + float64);
        }
        add(single + "strategy.name=zero world_size=2 zero.stage=3 zero.prefetch=false verify=true " + RecomputedText
            + bfloat16);

        const QString pipeline = QStringLiteral("train.recompute=stage strategy.name=pipeline ");
        for (const char* schedule : {"gpipe", "1f1b"}) {
            for (const char* stages : {"2", "3"}) {
                add(pipeline + "pipeline.microbatches=4 pipeline.stages=" + stages + " pipeline.schedule=" + schedule
                    + " " + Deep);
            }
        }
        add(pipeline + "pipeline.stages=2 pipeline.microbatches=4 pipeline.schedule=interleaved pipeline.virtual=2 "
            + Deep + float64 + clip + " verify=true");
        add(pipeline + "pipeline.stages=2 pipeline.microbatches=3 " + RecomputedText + tied + bfloat16);
        add(pipeline + "pipeline.stages=1 pipeline.microbatches=3 " + RecomputedText + tied);

        const QString grid = QStringLiteral("train.recompute=stage strategy.name=grid pipeline.microbatches=3 ");
        add(grid + "grid.data=2 grid.pipeline=2 grid.tensor=1 " + Deep + clip);
        add(grid + "grid.data=1 grid.pipeline=2 grid.tensor=2 " + RecomputedText + tied);
    }

    void numbersAreThoseOfKeptActivations()
    {
        QFETCH(QString, settings);
        const TrainedRun recomputed = trainedByAll(recomputedSpec(settings));
        const TrainedRun kept = trainedByAll(recomputedSpec(settings + " train.recompute=none"));
        QCOMPARE(lossesOf(recomputed.ranks), lossesOf(kept.ranks));
        for (std::size_t rank = 0; rank < kept.weights.size(); ++rank) {
            QVERIFY(torch::equal(recomputed.weights[rank], kept.weights[rank]));
        }
        const auto checks = recomputed.ranks.front().kept->all<wire::Verification>();
        QCOMPARE(checks.size(), std::size_t(settings.contains("verify=true") ? 1 : 0));
        for (const wire::Verification& check : checks) {
            QCOMPARE(check.maxRelativeDifference,
                kept.ranks.front().kept->all<wire::Verification>().front().maxRelativeDifference);
        }
    }

    /// Only then do the rows above test anything.
    void theNetsAboveAreCutIntoSegments()
    {
        for (const QString& settings : {Deep, RecomputedText}) {
            const auto run = recomputedSpec(settings + "train.recompute=layer");
            QVERIFY(plan::segmentsOf(run).size() > 2);
            const double share = plan::recomputedShare(run);
            QVERIFY2(share > 0.5 && share < 1.0, qPrintable(QString::number(share)));
        }
        QCOMPARE(plan::recomputedShare(recomputedSpec(Deep)), 0.0);
        // A linear layer with its ReLU keeps its output alone, which is the next one's input.
        const QString zero = QStringLiteral("train.recompute=layer strategy.name=zero zero.stage=3 ");
        QCOMPARE(plan::recomputedShare(recomputedSpec(zero + Deep)), 0.0);
        QVERIFY(plan::recomputedShare(recomputedSpec(zero + RecomputedText)) > 0.5);
        QCOMPARE(plan::recomputedShare(recomputedSpec("train.recompute=stage strategy.name=pipeline " + Deep)), 1.0);
    }

    void weightsAreGatheredNoMoreOften()
    {
        const QString settings = "strategy.name=zero world_size=2 zero.stage=3 " + RecomputedText;
        const auto bytes = [](const experiment::RunSpec& run) {
            const KeptRows rows = trainedByAll(run).ranks.front().kept->rows();
            return rows.bytesByKind[static_cast<std::size_t>(TrafficKind::Weights)];
        };
        const auto sent = bytes(recomputedSpec(settings));
        QVERIFY(sent.front() > 0);
        QCOMPARE(bytes(recomputedSpec(settings + "train.recompute=layer")), sent);
    }

    void aPassRunsOnceMoreInBackward()
    {
        TwoUses uses;
        const torch::Tensor kept = uses.gradient(false);
        QCOMPARE(uses.passes, 1);
        QVERIFY(torch::equal(uses.gradient(true), kept));
        QCOMPARE(uses.passes, 3);
        const torch::NoGradGuard noGrad;
        uses.passes = 0;
        const torch::Tensor input = torch::ones({2, 4}, torch::kDouble);
        const auto pass = [&](const torch::Tensor& from) { return ++uses.passes, from.mm(uses.weight); };
        QVERIFY(!recomputed(input, {uses.weight}, pass).requires_grad());
        QCOMPARE(uses.passes, 1); // an evaluation recomputes nothing
    }

    /// A pass that does not repeat itself gives another gradient, which the comparison sees.
    void aFaultIsFoundOut()
    {
        TwoUses uses;
        const torch::Tensor kept = uses.gradient(false);
        uses.passes = 0;
        QVERIFY(!torch::equal(uses.gradient(true, 1e-12), kept));
    }
};

LOCKSTEP_TEST(TestRecompute)
#include "test_recompute.moc"
