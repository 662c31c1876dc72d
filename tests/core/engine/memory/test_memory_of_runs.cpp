// Memory that real runs report, counted by the allocator, against what the plan expects of them.
#include "core/engine/data/cifar10_files.h"
#include "core/engine/strategy/trained_ranks.h"
#include "engine/optim/optimizer.h"
#include "plan/memory.h"
#include "plan/net.h"
#include "plan/zero.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

/// A net of nine equal layers but the first and the last, with Adam in float32.
experiment::RunSpec deepMlp(const QString& settings)
{
    return runOf(withSettings({{"dataset.train_samples", "600"}, {"dataset.test_samples", "70"}, {"train.steps", "8"},
                                  {"rank.bind", "false"}, {"net.name", "deep-mlp"}, {"net.depth", "9"},
                                  {"net.hidden", "256"}, {"optimizer.name", "adam"}, {"optimizer.lr", "0.001"}},
        settings));
}

/// Of each rank the last sample of a step, with the most of all.
std::vector<wire::MemorySample> memoryOf(const experiment::RunSpec& run, int ranks)
{
    std::vector<wire::MemorySample> memory;
    for (const TrainedRank& rank : trainedRanks(run, ranks)) {
        const auto samples = rank.kept->all<wire::MemorySample>();
        if (rank.goodbye.outcome != wire::Outcome::Finished || samples.empty()) {
            qFatal("%s", rank.goodbye.message.c_str());
        }
        wire::MemorySample all = samples.back();
        for (const wire::MemorySample& each : samples) {
            for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
                all.most[kind] = std::max(all.most[kind], each.most[kind]);
            }
            all.mostOfSum = std::max(all.mostOfSum, each.mostOfSum);
        }
        memory.push_back(all);
    }
    return memory;
}

double ratio(std::int64_t measured, std::int64_t expected)
{
    return static_cast<double>(measured) / static_cast<double>(expected);
}

bool hasLongestVectors()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512vl") != 0;
#else
    return false;
#endif
}

bool isNear(double ratio, double tolerance)
{
    return std::abs(ratio - 1.0) <= tolerance;
}

} // namespace

class TestMemoryOfRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void initTestCase() { QVERIFY(writeCifar10(m_cifar10.path(), 20, 20)); }

    void adamTakes16BytesAParameter()
    {
        const auto run = deepMlp("train.batch=64");
        const auto parameters = plan::parametersOf(plan::netUnits(run));
        const wire::MemorySample memory = memoryOf(run, 1).front();
        QVERIFY(isNear(ratio(statesOf(memory.live), 16 * parameters), 0.01));
        QVERIFY(isNear(ratio(of(memory.live, MemoryKind::Parameters), 4 * parameters), 0.01));
        QVERIFY(isNear(ratio(of(memory.live, MemoryKind::Gradients), 4 * parameters), 0.01));
        QVERIFY(isNear(ratio(of(memory.live, MemoryKind::Optimizer), 8 * parameters), 0.01));
        QVERIFY(of(memory.live, MemoryKind::Activations) < 10'000); // between two steps there are none
        QVERIFY(memory.highest >= memory.mostOfSum && memory.mostOfSum >= sumOf(memory.live));
        QVERIFY(memory.residentBytes > memory.highest);
        QVERIFY(memory.highestResidentBytes >= memory.residentBytes);
    }

    void thePlanExpectsWhatIsMeasured_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>(
            "tolerance"); // of the activations; nets other than chains of equal layers are roughly known
        const auto add = [](const char* settings, int ranks, double tolerance) {
            QTest::newRow(settings) << QString(settings) << ranks << tolerance;
        };
        add("train.batch=64", 1, 0.05);
        add("train.batch=512 train.accumulate=4", 1, 0.05);
        add("train.batch=100 optimizer.name=momentum train.dtype=float64", 1, 0.05);
        add("optimizer.name=gd net.hidden=64", 1, 0.1);
        add("net.name=mlp optimizer.name=sgd", 1, 0.1);
        add("net.name=cnn train.batch=32 train.steps=3", 1, 0.15);
        add("net.name=lenet5 train.batch=64", 1, 0.15);
        add("dataset.name=text net.name=gpt train.batch=8 dataset.train_samples=64 train.steps=3", 1, 0.15);
        add("dataset.name=text net.name=gpt net.context=500 train.batch=4 dataset.train_samples=16 "
            "dataset.test_samples=4 train.steps=3",
            1, 0.15);
        const QByteArray colours = "dataset.name=cifar10 dataset.path=" + m_cifar10.path().toUtf8()
            + " dataset.train_samples=100 dataset.test_samples=20 train.steps=3 ";
        add((colours + "train.batch=32 net.name=cnn").constData(), 1, 0.15);
        add((colours + "train.batch=96 net.name=lenet5 strategy.name=data world_size=2").constData(), 2, 0.15);
        add("strategy.name=data world_size=2 train.batch=128", 2, 0.05);
        add("strategy.name=data world_size=3 train.batch=96 aggregation.algorithm=ring", 3, 0.05);
        add("strategy.name=local world_size=2 local.every=4 train.batch=128", 2, 0.05);
        add("strategy.name=local world_size=2 local.every=4 local.outer_momentum=0.9 train.batch=128", 2, 0.05);
        const char* const pipeline = "strategy.name=pipeline train.batch=512 pipeline.microbatches=8 ";
        for (const char* schedule : {"gpipe", "1f1b", "interleaved"}) {
            for (const int stages : {2, 4}) {
                const QByteArray settings = QByteArray(pipeline) + "pipeline.schedule=" + schedule
                    + " pipeline.stages=" + QByteArray::number(stages);
                add(settings.constData(), stages, 0.05);
            }
        }
        add("strategy.name=pipeline pipeline.stages=2 train.batch=512 pipeline.microbatches=8 link.latency_us=50", 2,
            0.3);
        for (const char* stage : {"1", "2", "3"}) {
            for (const int sharded : {2, 4}) {
                const QByteArray settings = QByteArray("strategy.name=zero train.batch=512 zero.stage=") + stage
                    + " world_size=" + QByteArray::number(sharded);
                add(settings.constData(), sharded, 0.15);
            }
        }
        // Where evaluating takes more than a step.
        add("strategy.name=zero zero.stage=3 world_size=2 net.name=cnn train.batch=4 train.steps=2 "
            "dataset.test_samples=600",
            2, 0.15);
        add("strategy.name=tensor tensor.size=2 train.batch=512", 2, 0.05);
        add("strategy.name=tensor tensor.size=2 train.batch=512 train.accumulate=4", 2, 0.05);
        for (const char* stage : {"1", "2", "3"}) {
            add((QByteArray("strategy.name=zero train.batch=512 world_size=2 train.accumulate=4 zero.stage=") + stage)
                    .constData(),
                2, 0.15);
        }
        add("strategy.name=grid grid.data=2 grid.pipeline=2 train.batch=256 pipeline.microbatches=4", 4, 0.15);
        add("strategy.name=grid grid.data=1 grid.pipeline=2 grid.tensor=2 train.batch=256 pipeline.microbatches=4", 4,
            0.15);
    }

    /// What a convolution's kernel takes beside its output depends on the type, and on the processor's vectors.
    void thePlanIsABoundForConvolutions_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("ranks");
        const auto add
            = [](const QString& settings, int ranks) { QTest::newRow(qPrintable(settings)) << settings << ranks; };
        const QString colours = QStringLiteral("dataset.name=cifar10 dataset.path=%1 dataset.train_samples=100 "
                                               "dataset.test_samples=20 train.steps=2 ")
                                    .arg(m_cifar10.path());
        for (const char* const type : {"float32", "float64"}) {
            const QString typed = QStringLiteral("train.dtype=%1 ").arg(QLatin1String(type));
            add(typed + "net.name=lenet5 train.batch=8 train.steps=2", 1); // evaluating takes more than a step
            add(typed + "net.name=lenet5 train.batch=200 train.steps=2", 1);
            add(typed + "net.name=cnn train.batch=8 train.steps=2", 1);
            add(typed + colours + "net.name=lenet5 train.batch=8", 1);
            add(typed + colours + "net.name=lenet5 train.batch=96", 1);
            add(typed + colours + "net.name=lenet5 train.batch=96 strategy.name=tensor tensor.size=2", 2);
            add(typed + colours + "net.name=lenet5 train.batch=96 strategy.name=pipeline pipeline.stages=2", 2);
            add(typed + colours + "net.name=lenet5 train.batch=96 strategy.name=zero zero.stage=3 world_size=2", 2);
        }
    }
    void thePlanIsABoundForConvolutions()
    {
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        const auto run = deepMlp(settings);
        // Channels are rounded up to a vector, in the plan to the longest.
        const bool hasLongest = hasLongestVectors() || settings.contains(QStringLiteral("float64"));
        const auto memory = memoryOf(run, ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            const std::int64_t planned = plan::memoryOf(run, rank).highest;
            const double of = ratio(memory[static_cast<std::size_t>(rank)].highest, planned);
            QVERIFY2(of <= 1.02 && (!hasLongest || of >= 0.9), qPrintable(QString::number(of)));
        }
    }

    void thePlanKnowsOfRecomputation_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("tolerance");
        const auto add = [](const char* settings, int ranks, double tolerance) {
            QTest::newRow(settings) << QString(settings) << ranks << tolerance;
        };
        add("train.recompute=layer train.batch=512", 1, 0.1);
        add("train.recompute=layer train.batch=512 train.accumulate=4", 1, 0.1);
        add("train.recompute=layer dataset.name=text net.name=gpt train.batch=8 dataset.train_samples=64 train.steps=3",
            1, 0.15);
        add("train.recompute=layer strategy.name=data world_size=2 train.batch=512", 2, 0.1);
        for (const char* stage : {"1", "2", "3"}) {
            const QByteArray settings
                = QByteArray("train.recompute=layer strategy.name=zero world_size=2 train.batch=512 zero.stage=")
                + stage;
            add(settings.constData(), 2, 0.15);
        }
        add("train.recompute=layer strategy.name=zero world_size=2 zero.stage=3 dataset.name=text net.name=gpt "
            "net.width=128 "
            "train.batch=16 dataset.train_samples=64 train.steps=3",
            2, 0.15);
        for (const char* schedule : {"gpipe", "1f1b", "interleaved"}) {
            const QByteArray settings
                = QByteArray("strategy.name=pipeline train.batch=512 pipeline.microbatches=8 train.recompute=stage "
                             "pipeline.stages=2 pipeline.schedule=")
                + schedule;
            add(settings.constData(), 2, QByteArray(schedule) == "interleaved" ? 0.15 : 0.1);
        }
        add("train.recompute=stage strategy.name=grid grid.data=2 grid.pipeline=2 train.batch=256 "
            "pipeline.microbatches=4",
            4, 0.15);
    }

    void thePlanKnowsOfRecomputation() { thePlanExpectsWhatIsMeasured(); }

    void thePlanExpectsWhatIsMeasured()
    {
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        QFETCH(double, tolerance);
        const auto run = deepMlp(settings);
        const auto memory = memoryOf(run, ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            const wire::MemorySample& sample = memory[static_cast<std::size_t>(rank)];
            const plan::MemoryPlan planned = plan::memoryOf(run, rank);
            QCOMPARE(sample.planned, planned.bytes);
            QCOMPARE(sample.plannedHighest, planned.highest);
            const auto text = [&](const char* what, std::int64_t measured, std::int64_t expected) {
                return QStringLiteral("rank %1, %2: %3 bytes, expected %4")
                    .arg(rank)
                    .arg(what)
                    .arg(measured)
                    .arg(expected);
            };
            for (const MemoryKind kind : {MemoryKind::Parameters, MemoryKind::Gradients, MemoryKind::Optimizer,
                     MemoryKind::Data, MemoryKind::Other}) {
                const std::int64_t measured = of(sample.live, kind);
                const std::int64_t expected = of(planned.bytes, kind);
                QVERIFY2(expected == 0 ? measured < 1000 : isNear(ratio(measured, expected), 0.1),
                    qPrintable(text(nameOf(kind).data(), measured, expected)));
            }
            const std::int64_t activations = of(sample.most, MemoryKind::Activations);
            const std::int64_t expected = of(planned.bytes, MemoryKind::Activations);
            QVERIFY2(isNear(ratio(activations, expected), tolerance),
                qPrintable(text("activations", activations, expected)));
            QVERIFY2(isNear(ratio(sample.highest, planned.highest), 0.1),
                qPrintable(text("highest", sample.highest, planned.highest)));
        }
    }

    /// 8 + 8/N, 4 + 12/N and 16/N bytes a parameter.
    void shardedStatesTakeWhatThePaperSays_data()
    {
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("ranks");
        for (const int stage : {1, 2, 3}) {
            for (const int ranks : {2, 3, 4}) {
                QTest::addRow("stage %d, %d ranks", stage, ranks) << stage << ranks;
            }
        }
    }

    void shardedStatesTakeWhatThePaperSays()
    {
        QFETCH(int, stage);
        QFETCH(int, ranks);
        const auto run
            = deepMlp(QStringLiteral("strategy.name=zero zero.stage=%1 world_size=%2").arg(stage).arg(ranks));
        const auto parameters = static_cast<double>(plan::parametersOf(plan::netUnits(run)));
        const double wanted = stage == 1 ? 8.0 + 8.0 / ranks : stage == 2 ? 4.0 + 12.0 / ranks : 16.0 / ranks;
        for (const wire::MemorySample& memory : memoryOf(run, ranks)) {
            const double bytes = static_cast<double>(statesOf(memory.live)) / parameters;
            QVERIFY2(isNear(bytes / wanted, 0.02), qPrintable(QString::number(bytes)));
        }
    }

    /// 3.5 MB of states, and never more than two layers besides; one process would need 10.6 MB.
    void aNetLargerThanARankTrainsInShards()
    {
        const QString settings = QStringLiteral("train.batch=64 rank.memory_mb=9 ");
        QCOMPARE(trainedRanks(deepMlp(settings), 1).front().goodbye.outcome, wire::Outcome::Failed);
        for (const TrainedRank& rank :
            trainedRanks(deepMlp(settings + "strategy.name=zero zero.stage=3 world_size=3"), 3)) {
            QVERIFY2(rank.goodbye.outcome == wire::Outcome::Finished, rank.goodbye.message.c_str());
        }
    }

    void recomputationSavesWhatTheFormulaSays_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("fewerTimes");
        QTest::newRow("layer") << "train.recompute=layer" << 1 << 5.0;
        QTest::newRow("layer, data") << "train.recompute=layer strategy.name=data world_size=2" << 2 << 5.0;
        QTest::newRow("stage") << "train.recompute=stage strategy.name=pipeline pipeline.schedule=gpipe "
                                  "pipeline.microbatches=16 pipeline.cut=64,64"
                               << 2 << 9.0;
    }

    /// A deep net on many samples: activations are nearly all of its memory.
    void recomputationSavesWhatTheFormulaSays()
    {
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        QFETCH(double, fewerTimes);
        const QString net = "net.depth=128 net.hidden=96 dataset.train_samples=2048 train.batch=2048 train.steps=2 "
                            "dataset.test_samples=8 optimizer.name=sgd ";
        const auto kept = deepMlp(net + settings + " train.recompute=none");
        const auto run = deepMlp(net + settings);
        const auto memoryKept = memoryOf(kept, ranks);
        const auto memory = memoryOf(run, ranks);
        if (ranks == 1) {
            const auto part = ratio(of(memoryKept.front().most, MemoryKind::Activations), memoryKept.front().mostOfSum);
            QVERIFY2(part >= 0.8, qPrintable(QString::number(part)));
        }
        for (int rank = 0; rank < ranks; ++rank) {
            const auto place = static_cast<std::size_t>(rank);
            const auto most = of(memory[place].most, MemoryKind::Activations);
            const auto mostKept = of(memoryKept[place].most, MemoryKind::Activations);
            const auto planned = of(plan::memoryOf(run, rank).bytes, MemoryKind::Activations);
            const auto plannedKept = of(plan::memoryOf(kept, rank).bytes, MemoryKind::Activations);
            const QString text = QStringLiteral("rank %1: %2 instead of %3 bytes, expected %4 instead of %5")
                                     .arg(rank)
                                     .arg(most)
                                     .arg(mostKept)
                                     .arg(planned)
                                     .arg(plannedKept);
            QVERIFY2(isNear(ratio(mostKept - most, plannedKept - planned), 0.1), qPrintable(text));
            QVERIFY2(isNear(ratio(most, planned), 0.1), qPrintable(text));
            QVERIFY2(ratio(mostKept, most) > fewerTimes, qPrintable(text));
        }
    }

    void gradientsInSharedMemoryCount()
    {
        const auto run = deepMlp("strategy.name=data world_size=2 comm.backend=shm");
        const auto parameters = plan::parametersOf(plan::netUnits(run));
        for (const wire::MemorySample& memory : memoryOf(run, 2)) {
            QVERIFY(isNear(ratio(statesOf(memory.live), 16 * parameters), 0.01));
        }
    }

    /// In 1F1B a stage begins with backward when as many micro-batches are under way as there are stages from it on.
    void oneForwardOneBackwardHoldsFewerActivations()
    {
        constexpr int Stages = 2;
        constexpr int MicroBatches = 8;
        const QString settings = QStringLiteral("strategy.name=pipeline train.batch=512 pipeline.stages=%1 "
                                                "pipeline.microbatches=%2 pipeline.cut=5,4 pipeline.schedule=")
                                     .arg(Stages)
                                     .arg(MicroBatches);
        const auto activations = [&](const char* schedule) {
            const auto memory = memoryOf(deepMlp(settings + schedule), Stages);
            return of(memory.front().most, MemoryKind::Activations);
        };
        // Kept of a micro-batch by the first stage: 64 scaled images and the outputs of its five layers.
        constexpr std::int64_t Kept = (784 + 5 * 256) * 64 * 4;
        constexpr std::int64_t Passing = 3 * 256 * 64 * 4; // a layer's gradients in backward, and the received one
        const std::int64_t few = activations("1f1b");
        const std::int64_t all = activations("gpipe");
        QVERIFY2(few >= Stages * Kept && few <= Stages * Kept + Passing + 10'000, qPrintable(QString::number(few)));
        QVERIFY2(all >= MicroBatches * Kept && all <= MicroBatches * Kept + Passing + 10'000,
            qPrintable(QString::number(all)));
    }

    void aRunThatReachesItsLimitFailsWithItsReason()
    {
        // If no caller has checked the plan before, the rank itself does.
        const auto run = deepMlp("train.batch=64 rank.memory_mb=9");
        const TrainedRank rank = trainedRanks(run, 1).front();
        QCOMPARE(rank.goodbye.outcome, wire::Outcome::Failed);
        const QString message = QString::fromStdString(rank.goodbye.message);
        QVERIFY2(message.startsWith("rank 0: rank.memory_mb: 2.66 MB more do not fit; ")
                && message.contains("of 9 MB are in use") && message.contains("parameters 2.66")
                && message.contains("data 0.53"),
            qPrintable(message));
        // The same net, cut in two, has room.
        for (const TrainedRank& part :
            trainedRanks(deepMlp("train.batch=64 rank.memory_mb=9 strategy.name=pipeline"), 2)) {
            QCOMPARE(part.goodbye.outcome, wire::Outcome::Finished);
        }
    }

    void optimizersKeepAsManyTensorsAsThePlanSays()
    {
        for (const std::string_view name : optimizerNames()) {
            const auto run = runOf({{"optimizer.name", std::string(name)}});
            const auto optimizer = makeOptimizer(run, {torch::zeros({4})});
            QVERIFY(optimizer.isOk());
            QCOMPARE(
                plan::optimizerNumbers(run.settings->optimizer.name), static_cast<int>((*optimizer)->state().size()));
        }
    }

private:
    QTemporaryDir m_cifar10;
};

LOCKSTEP_TEST(TestMemoryOfRuns)
#include "test_memory_of_runs.moc"
