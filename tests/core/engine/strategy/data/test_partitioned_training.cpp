// Data parallelism over a partition against one process that takes the same samples: the weights after 20 steps.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/model/gradient.h"
#include "engine/model/registry.h"
#include "engine/run/loop.h"
#include "engine/strategy/data/gradient_buckets.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QRegularExpression>
#include <QtTest>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

constexpr int PartitionedSteps = 20;

/// A single process: every step's samples of all ranks in one piece.
torch::Tensor weightsOfOneProcess(const experiment::RunSpec& run, int ranks)
{
    auto job = prepare(run, {Rank{0}, ranks, 0, "reference"});
    if (!job) {
        qFatal("%s", job.error().message.c_str());
    }
    Batches batches((*job)->data.train, *(*job)->partition.sampler);
    StepClock clock;
    for (std::int64_t step = 1; step <= PartitionedSteps; ++step) {
        (*job)->parameters.clearGradients();
        static_cast<void>(addGradient((*job)->net, batches.ofAll(step), clock));
        (*job)->optimizer->step({&(*job)->parameters.gradients(), 1}, learningRateAt(run, step, (*job)->plan));
    }
    return (*job)->parameters.weights().clone();
}

void addTraining(int ranks, const QString& settings, double tolerance)
{
    QTest::addRow("%d ranks, %s", ranks, qPrintable(settings)) << ranks << settings << tolerance;
}

/// Piece by piece, early or late, and in micro-batches of which only the last sends anything.
void addForms()
{
    for (const char* form : {"comm.form=tensors", "comm.form=buckets", "comm.form=buckets comm.bucket_kb=1",
             "comm.form=buckets train.accumulate=3", "train.accumulate=4", "comm.form=tensors train.accumulate=2"}) {
        addTraining(2,
            QStringLiteral("dataset.train_samples=480 train.batch=24 train.dtype=float64 net.name=cnn ") + form, 1e-12);
        addTraining(3,
            QStringLiteral(
                "dataset.train_samples=1003 train.batch=50 train.dtype=float64 aggregation.rule=weighted_mean "
                "partition.name=unequal partition.shares=20,20,1 ")
                + form,
            1e-12);
    }
    for (const char* form : {"comm.form=buckets comm.bucket_kb=1", "comm.form=tensors train.accumulate=2"}) {
        addTraining(2,
            QStringLiteral("partition.name=strided dataset.train_samples=480 train.batch=24 train.dtype=float64 "
                           "net.name=gpt dataset.name=text net.width=16 net.blocks=1 net.context=16 net.tied=true ")
                + form,
            1e-12);
    }
}

} // namespace

class TestPartitionedTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bucketsFillFromTheEnd();
    void whatIsSentEarlyIsToldOf();
    void weightsAreThoseOfOneProcess_data();
    void weightsAreThoseOfOneProcess();
    void setEpochOffRepeatsTheLosses_data();
    void setEpochOffRepeatsTheLosses();
    void whatCannotBePartitionedIsRefused();
};

void TestPartitionedTraining::weightsAreThoseOfOneProcess_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<double>("tolerance"); // 0: reported, not bounded
    for (const int ranks : {1, 2, 3, 4, 8}) {
        // Batches that all ranks have the same part of: a mean is the mean of the samples.
        const QString even = QStringLiteral("partition.name=random dataset.train_samples=480 train.batch=24");
        for (const std::string_view net : netNames()) {
            const auto small = net == "gpt"
                ? QStringLiteral(" dataset.name=text net.width=16 net.blocks=2 net.context=16 net.tied=true")
                : QString();
            addTraining(ranks,
                even + small
                    + " train.dtype=float64 net.name=" + QString::fromUtf8(net.data(), static_cast<int>(net.size())),
                1e-12);
        }
        addTraining(ranks, even + " net.name=mlp", 1e-6);
        // Batches that they have not: ranks count by their samples.
        const QString uneven = QStringLiteral(
            "partition.name=unequal aggregation.rule=weighted_mean dataset.train_samples=1003 train.batch=50");
        addTraining(ranks, uneven + " train.dtype=float64", 1e-12);
        addTraining(ranks, uneven, 1e-6);
    }
    for (const char* partition : {"random-sampling", "strided", "by-label", "dirichlet"}) {
        addTraining(4,
            QStringLiteral(
                "aggregation.rule=weighted_mean dataset.train_samples=1003 train.dtype=float64 partition.name=")
                + partition,
            1e-12);
    }
    addTraining(4,
        "partition.name=unequal partition.uneven=pad train.batch=40 dataset.train_samples=1003 train.dtype=float64",
        1e-12);
    addTraining(4,
        "partition.name=random partition.overlap=0.3 dataset.train_samples=1003 aggregation.rule=weighted_mean "
        "train.dtype=float64",
        1e-12);
    addForms();
    addTraining(2, "partition.name=random dataset.train_samples=960 train.batch=48 net.name=cnn", 0.0);
}

void TestPartitionedTraining::weightsAreThoseOfOneProcess()
{
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    QFETCH(double, tolerance);
    const auto run
        = runOf(withSettings({{"strategy.name", "data"}, {"world_size", std::to_string(ranks)},
                                 {"train.steps", std::to_string(PartitionedSteps)}, {"optimizer.name", "sgd"},
                                 {"optimizer.lr", "0.1"}, {"dataset.test_samples", "10"}, {"rank.bind", "false"}},
            settings));
    const torch::Tensor wanted = weightsOfOneProcess(run, ranks);
    const TrainedRun trained = trainedRun(run, ranks);
    for (const TrainedRank& rank : trained.ranks) {
        QVERIFY2(rank.goodbye.outcome == wire::Outcome::Finished, rank.goodbye.message.c_str());
    }
    for (const torch::Tensor& mine : trained.weights) {
        QVERIFY(torch::equal(mine, trained.weights.front())); // to the last bit
    }
    const double difference = largestDifference(trained.weights.front(), wanted);
    if (tolerance == 0.0) {
        qInfo("largest difference of a weight: %.2g", difference);
    } else {
        QVERIFY2(difference <= tolerance, qPrintable(QString::number(difference)));
    }
}

void TestPartitionedTraining::setEpochOffRepeatsTheLosses_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("setsEpoch");
    for (const char* settings : {"partition.name=reshuffled", "partition.name=random",
             "partition.name=random-sampling aggregation.rule=weighted_mean", "strategy.name=zero"}) {
        for (const bool setsEpoch : {true, false}) {
            QTest::addRow("%s, %s", settings, setsEpoch ? "on" : "off") << QString(settings) << setsEpoch;
        }
    }
}

/// With a learning rate that changes next to nothing, a batch's loss follows from its samples.
void TestPartitionedTraining::setEpochOffRepeatsTheLosses()
{
    QFETCH(QString, settings);
    QFETCH(bool, setsEpoch);
    const auto run = runOf(withSettings(
        {{"strategy.name", "data"}, {"world_size", "2"}, {"dataset.train_samples", "160"},
            {"dataset.test_samples", "10"}, {"train.batch", "16"}, {"train.epochs", "2"}, {"optimizer.name", "sgd"},
            {"optimizer.lr", "1e-12"}, {"train.dtype", "float64"}, {"rank.bind", "false"}, {"verify", "true"},
            {"partition.set_epoch", setsEpoch ? "true" : "false"}},
        settings));
    const auto ranks = finishedRun(run, 2).ranks;
    const std::vector<double> losses = lossesOf(ranks);
    QCOMPARE(losses.size(), std::size_t{20});
    double largest = 0.0;
    for (std::size_t i = 0; i < 10; ++i) {
        largest = std::max(largest, std::abs(losses[i] - losses[i + 10]));
    }
    QVERIFY2(setsEpoch ? largest > 1e-3 : largest < 1e-9, qPrintable(QString::number(largest)));
    const auto verified = ranks.front().kept->all<wire::Verification>();
    QCOMPARE(verified.size(), std::size_t{1});
    QCOMPARE(verified.front().steps, std::int64_t{20});
    QVERIFY(verified.front().maxRelativeDifference < 1e-12);
}

void TestPartitionedTraining::bucketsFillFromTheEnd()
{
    using Buckets = std::vector<std::vector<std::size_t>>;
    const std::vector<BufferRange> ranges{{0, 1000}, {1008, 10}, {1024, 500}, {1536, 10}, {1552, 300}, {1856, 10}};
    QCOMPARE(bucketsOf(ranges, 4, 40, 2000), (Buckets{{5}, {4, 3, 2}, {1, 0}}));
    QCOMPARE(bucketsOf(ranges, 4, 0, 0), (Buckets{{5}, {4}, {3}, {2}, {1}, {0}}));
    QCOMPARE(bucketsOf(ranges, 4, 1'000'000, 1'000'000), (Buckets{{5, 4, 3, 2, 1, 0}}));
    QCOMPARE(bucketsOf({}, 4, 1, 1), Buckets{});
}

void TestPartitionedTraining::whatIsSentEarlyIsToldOf()
{
    const auto trainedWith = [](const char* form) {
        return trainedRanks(runOf({{"strategy.name", "data"}, {"world_size", "2"}, {"train.steps", "20"},
                                {"dataset.train_samples", "400"}, {"dataset.test_samples", "10"},
                                {"rank.bind", "false"}, {"net.name", "cnn"}, {"comm.form", form}}),
            2);
    };
    const auto logOf = [](const std::vector<TrainedRank>& ranks) {
        QString text;
        for (const wire::LogLine& line : ranks.front().kept->all<wire::LogLine>()) {
            text += QString::fromStdString(line.text) + '\n';
        }
        return text;
    };
    // While backward works on the first layers the last ones' gradients are being sent: always some of the time.
    const auto buckets = trainedWith("buckets");
    const QString told = logOf(buckets);
    QVERIFY2(QRegularExpression("[2-9] buckets, sent during backward").match(told).hasMatch(), qPrintable(told));
    std::int64_t hidden = 0;
    for (const TrainedRank& rank : buckets) {
        const KeptRows rows = rank.kept->rows();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::int64_t backward = rows.phaseNs[static_cast<std::size_t>(Phase::Backward)][i];
            QVERIFY(rows.hiddenNs[i] >= 0);
            QVERIFY2(rows.hiddenNs[i] <= backward, qPrintable(QString("%1 of %2").arg(rows.hiddenNs[i]).arg(backward)));
            hidden += rows.hiddenNs[i];
        }
    }
    QVERIFY(hidden > 0);
    const auto tensors = trainedWith("tensors");
    QVERIFY(logOf(tensors).contains("8 tensors, each sent separately after backward"));
    for (const auto& ranks : {tensors, trainedWith("flat")}) {
        for (const std::int64_t ns : ranks.front().kept->rows().hiddenNs) {
            QCOMPARE(ns, std::int64_t{0});
        }
    }
}

void TestPartitionedTraining::whatCannotBePartitionedIsRefused()
{
    const auto run = runOf({{"strategy.name", "data"}, {"world_size", "3"}, {"partition.name", "by-label"},
        {"partition.shards", "300"}, {"dataset.train_samples", "800"}, {"dataset.test_samples", "10"}});
    for (const TrainedRank& rank : trainedRanks(run, 3)) {
        QCOMPARE(rank.goodbye.outcome, wire::Outcome::Refused);
        QCOMPARE(QString::fromStdString(rank.goodbye.message),
            QString("partition.shards: 300 for each of 3 ranks is more than the 800 training samples"));
    }
}

LOCKSTEP_TEST(TestPartitionedTraining)
#include "test_partitioned_training.moc"
