// Local SGD: equal to data parallelism where it must be, the outer optimizer's formula, and a run's own report.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/strategy/local/outer_optimizer.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

experiment::RunSpec localRun(const QString& settings)
{
    return runOf(withSettings(
        {{"dataset.train_samples", "600"}, {"dataset.test_samples", "100"}, {"train.batch", "60"},
            {"train.steps", "24"}, {"train.dtype", "float64"}, {"optimizer.name", "sgd"}, {"rank.bind", "false"}},
        settings));
}

TrainedRun trainedLocally(const QString& settings, int ranks)
{
    return finishedRun(localRun(settings), ranks);
}

bool areClose(const std::vector<double>& a, const std::vector<double>& b, double relative)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i >= b.size() || !(std::abs(a[i] - b[i]) <= relative * std::abs(b[i]))) {
            return false;
        }
    }
    return a.size() == b.size();
}

} // namespace

class TestLocalSgd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void everyStepIsDataParallelism_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3}) {
            QTest::addRow("weights, %d ranks", ranks) << "local.what=weights" << ranks;
            QTest::addRow("differences, %d ranks", ranks) << "local.what=differences" << ranks;
        }
    }

    void everyStepIsDataParallelism()
    {
        QFETCH(QString, what);
        QFETCH(int, ranks);
        const QString size = QString(" world_size=%1").arg(ranks);
        const TrainedRun local = trainedLocally("strategy.name=local local.every=1 " + what + size, ranks);
        const TrainedRun data = trainedLocally("strategy.name=data" + size, ranks);
        QVERIFY(areClose(lossesOf(local.ranks), lossesOf(data.ranks), 1e-12));
        QVERIFY(largestDifference(local.weights[0], data.weights[0]) <= 1e-12);
        QVERIFY(torch::equal(local.weights[0], local.weights[1]));
    }

    /// The last batch of an epoch has two samples: its third rank has none, and does not count in the mean.
    void aRankWithoutSamplesDoesNotCount()
    {
        const QString base = "world_size=3 train.batch=299 train.steps=7 ";
        const TrainedRun local = trainedLocally(base + "strategy.name=local local.every=1 verify=true", 3);
        const TrainedRun data = trainedLocally(base + "strategy.name=data", 3);
        QVERIFY(areClose(lossesOf(local.ranks), lossesOf(data.ranks), 1e-12));
        QVERIFY(largestDifference(local.weights[0], data.weights[0]) <= 1e-12);
        QVERIFY(local.ranks.front().kept->all<wire::Verification>().front().maxRelativeDifference <= 1e-10);
    }

    void averagedWeightsAreTheSameCode()
    {
        const QString base
            = "world_size=3 optimizer.name=momentum aggregation.rule=weighted_mean partition.name=unequal ";
        const TrainedRun local = trainedLocally(base + "strategy.name=local local.every=5", 3);
        const TrainedRun data
            = trainedLocally(base + "strategy.name=data aggregation.what=weights aggregation.every=5", 3);
        QCOMPARE(lossesOf(local.ranks), lossesOf(data.ranks)); // to the last bit
        QVERIFY(torch::equal(local.weights[0], data.weights[0]));
    }

    void whatIsEvaluatedIsWhatTheRuleMakes_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addRow("mean") << "";
        QTest::addRow("weighted mean") << "aggregation.rule=weighted_mean";
        QTest::addRow("median") << "aggregation.rule=median aggregation.algorithm=all_gather";
        QTest::addRow("sum of differences") << "aggregation.rule=sum local.what=differences local.outer_lr=0.5";
        QTest::addRow("outer momentum") << "local.outer_lr=0.7 local.outer_momentum=0.9";
    }

    /// A run that has just synchronized and one that would synchronize later evaluate the same weights, and the
    /// evaluation does not change the second one's training.
    void whatIsEvaluatedIsWhatTheRuleMakes()
    {
        QFETCH(QString, settings);
        const QString base = "strategy.name=local world_size=3 partition.name=unequal optimizer.lr=0.2 " + settings;
        const auto evaluation
            = [](const TrainedRun& run) { return run.ranks.front().kept->all<wire::Evaluation>().front(); };
        const TrainedRun synchronized = trainedLocally(base + " train.steps=10 local.every=10", 3);
        const TrainedRun later = trainedLocally(base + " train.steps=20 local.every=20", 3);
        QCOMPARE(evaluation(later).step, std::int64_t{10});
        QCOMPARE(evaluation(later).accuracy, evaluation(synchronized).accuracy);
        QVERIFY(std::abs(evaluation(later).loss - evaluation(synchronized).loss) <= 1e-12);
        QVERIFY(std::abs(evaluation(later).trainLoss - evaluation(synchronized).trainLoss) <= 1e-12);
        const TrainedRun unasked = trainedLocally(base + " train.steps=20 local.every=20 train.evaluate_every=2", 3);
        QCOMPARE(lossesOf(later.ranks), lossesOf(unasked.ranks));
        QVERIFY(torch::equal(later.weights[0], unasked.weights[0]));
    }

    /// d = old - mean of new, v = momentum v + d, w = old - rate (d + momentum v): two steps by hand.
    void theOuterStepIsNesterovs()
    {
        constexpr double Rate = 0.7;
        constexpr double Momentum = 0.9;
        const std::array means{torch::tensor({0.5, 2.5}, torch::kFloat64), torch::tensor({0.1, 2.0}, torch::kFloat64)};
        for (const bool sendsDifferences : {false, true}) {
            torch::Tensor weights = torch::tensor({1.0, 2.0}, torch::kFloat64);
            OuterOptimizer outer({sendsDifferences, Rate, Momentum}, weights);
            std::array old{1.0, 2.0};
            std::array velocity{0.0, 0.0};
            for (const torch::Tensor& mean : means) {
                weights.copy_(mean);
                outer.prepare(weights);
                outer.step(weights);
                for (int i = 0; i < 2; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    const double difference = old[at] - mean[i].item<double>();
                    velocity[at] = Momentum * velocity[at] + difference;
                    old[at] -= Rate * (difference + Momentum * velocity[at]);
                    QVERIFY(std::abs(weights[i].item<double>() - old[at]) <= 1e-15);
                }
            }
            // As numbers: 1 - 0.7 (0.5 + 0.9 x 0.5) = 0.335, then 0.335 - 0.7 (0.235 + 0.9 (0.45 + 0.235)) = -0.26105.
            QVERIFY(std::abs(weights[0].item<double>() + 0.26105) <= 1e-12);
        }
    }

    void oneProcessFindsTheSameLosses_data()
    {
        QTest::addColumn<QString>("settings");
        for (const char* each : {"local.every=4", "local.every=4 local.what=differences",
                 "local.every=4 local.outer_lr=0.7 local.outer_momentum=0.9",
                 // NOLINTNEXTLINE(bugprone-suspicious-missing-comma)
                 "local.every=3 local.what=differences local.outer_lr=0.7 local.outer_momentum=0.9 optimizer.name=adam "
                 "optimizer.lr=0.001",
                 "local.every=0 local.outer_lr=1.2",
                 "local.every=5 local.what=differences aggregation.rule=sum local.outer_lr=0.3",
                 "local.every=5 aggregation.rule=weighted_mean partition.name=unequal aggregation.algorithm=ring",
                 "local.every=2 local.what=differences aggregation.rule=median aggregation.algorithm=all_gather",
                 "local.every=4 optimizer.clip=0.5 link.latency_us=50 local.outer_momentum=0.5"}) {
            QTest::addRow("%s", each) << QString(each);
        }
    }

    void oneProcessFindsTheSameLosses()
    {
        QFETCH(QString, settings);
        const TrainedRun local = trainedLocally("strategy.name=local world_size=3 verify=true " + settings, 3);
        const auto found = local.ranks.front().kept->all<wire::Verification>();
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found.front().steps == 24);
        QVERIFY2(found.front().maxRelativeDifference <= 1e-10,
            qPrintable(QString::number(found.front().maxRelativeDifference)));
    }

    void theOuterOptimizerMatters()
    {
        const QString base = "strategy.name=local world_size=2 local.every=4 ";
        const auto plain = lossesOf(trainedLocally(base, 2).ranks);
        const auto rate = lossesOf(trainedLocally(base + "local.outer_lr=0.5", 2).ranks);
        const auto momentum = lossesOf(trainedLocally(base + "local.outer_momentum=0.5", 2).ranks);
        QVERIFY(areClose({plain[0], plain[3]}, {rate[0], rate[3]}, 0.0)); // until the first synchronization
        QVERIFY(std::abs(plain[4] - rate[4]) > 1e-4);
        QVERIFY(std::abs(plain[4] - momentum[4]) > 1e-4);
        // Learning slows down with half the rate and is faster with momentum.
        QVERIFY(rate.back() > plain.back() && momentum.back() < plain.back());
    }

    void ranksSendEveryKthStep()
    {
        const TrainedRun local = trainedLocally("strategy.name=local world_size=2 local.every=5", 2);
        const KeptRows rows = local.ranks[1].kept->rows();
        QCOMPARE(rows.step.size(), std::size_t{24});
        for (std::size_t i = 0; i < rows.step.size(); ++i) {
            QCOMPARE(rows.bytesSent[i] > 0, rows.step[i] % 5 == 0);
        }
        // 24 is not a multiple of 5: the ranks end with different weights.
        QVERIFY(largestDifference(local.weights[0], local.weights[1]) > 1e-6);
    }
};

LOCKSTEP_TEST(TestLocalSgd)
#include "test_local_sgd.moc"
