// Faults that neither fail nor hang (fault.gradient_scale, fault.unequal_batches): on their rank alone, and as large as
// asked.
#include "core/engine/strategy/trained_ranks.h"
#include "program/test_class.h"

#include <QTest>

#include <torch/types.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int Ranks = 2;
constexpr std::int64_t BatchOfARank = 32;

TrainedRun faulty(const QString& settings, const QString& fault, const char* steps)
{
    return finishedRun(runOf(withSettings({{"world_size", "2"}, {"dataset.train_samples", "256"},
                                              {"dataset.test_samples", "16"}, {"train.batch", "64"},
                                              {"train.steps", steps}, {"net.hidden", "16"}, {"rank.bind", "false"}},
                           settings + u' ' + fault)),
        Ranks);
}

void addFaultyStrategies()
{
    QTest::addColumn<QString>("settings");
    QTest::addRow("flat") << QStringLiteral("strategy.name=data");
    QTest::addRow("buckets") << QStringLiteral("strategy.name=data comm.form=buckets");
    QTest::addRow("local") << QStringLiteral("strategy.name=local local.every=1");
}

} // namespace

class TestRankFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aScaledGradientCountsAsOften_data() { addFaultyStrategies(); }
    /// After one step of SGD the weights are linear in the scale: from 0 to 1 and from 1 to 2 it is rank 1's share.
    void aScaledGradientCountsAsOften()
    {
        QFETCH(const QString, settings);
        const auto weights = [&](const char* fault) { return faulty(settings, QString(fault), "1").weights.front(); };
        const torch::Tensor right = weights("fault.rank=1");
        const torch::Tensor without = weights("fault.rank=1 fault.gradient_scale=0");
        const torch::Tensor twice = weights("fault.rank=1 fault.gradient_scale=2");
        QVERIFY(largestDifference(right, without) > 1e-4);
        QVERIFY(largestDifference(twice - right, right - without) < 1e-6);
        const torch::Tensor other = weights("fault.rank=0 fault.gradient_scale=0");
        QVERIFY(largestDifference(other, without) > 1e-4);
    }

    void aPartOfTheBatchIsOfOneRank_data() { addFaultyStrategies(); }
    void aPartOfTheBatchIsOfOneRank()
    {
        QFETCH(const QString, settings);
        const TrainedRun right = faulty(settings, QStringLiteral("fault.rank=1"), "3");
        const TrainedRun wrong = faulty(settings, QStringLiteral("fault.rank=1 fault.unequal_batches=0.25"), "3");
        const KeptRows whole = wrong.ranks[0].kept->rows();
        const KeptRows part = wrong.ranks[1].kept->rows();
        QCOMPARE(part.size(), std::size_t(3));
        for (std::size_t step = 0; step < part.size(); ++step) {
            QCOMPARE(whole.batch[step], BatchOfARank);
            QCOMPARE(part.batch[step], BatchOfARank / 4);
        }
        // The first step's weights are the same: so is the loss of the rank that does right.
        QCOMPARE(whole.loss[0], right.ranks[0].kept->rows().loss[0]);
        QVERIFY(part.loss[0] != right.ranks[1].kept->rows().loss[0]);
        QVERIFY(largestDifference(wrong.weights[0], right.weights[0]) > 1e-5);
        QCOMPARE(largestDifference(wrong.weights[0], wrong.weights[1]), 0.0);
    }
};

LOCKSTEP_TEST(TestRankFaults)
#include "test_rank_faults.moc"
