// Optimizer state on disk and in the host's memory: equal to none bit for bit, in how much memory, and what fails how.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/memory/memory_account.h"
#include "engine/strategy/zero/offload.h"
#include "engine/strategy/zero/state_file.h"
#include "plan/memory.h"
#include "plan/zero.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

experiment::RunSpec offloadedRun(const QString& settings)
{
    return runOf(withSettings({{"strategy.name", "zero"}, {"world_size", "2"}, {"dataset.train_samples", "200"},
                                  {"dataset.test_samples", "50"}, {"train.batch", "8"}, {"train.steps", "12"},
                                  {"net.name", "deep-mlp"}, {"net.depth", "4"}, {"net.hidden", "400"},
                                  {"optimizer.name", "adam"}, {"optimizer.lr", "0.001"}, {"rank.bind", "false"}},
        settings));
}

TrainedRun trainedByTwo(const experiment::RunSpec& run)
{
    return trainedRun(run, 2);
}

/// Weights of two sizes after a few steps with fixed gradients.
std::vector<torch::Tensor> steps(Optimizer& optimizer, const std::vector<torch::Tensor>& weights, int count)
{
    for (int step = 0; step < count; ++step) {
        std::vector<torch::Tensor> gradients;
        for (const torch::Tensor& weight : weights) {
            gradients.push_back(torch::sin(weight * 3.0 + static_cast<double>(step)));
        }
        optimizer.step(gradients, 0.01);
    }
    return weights;
}

std::vector<torch::Tensor> someWeights()
{
    return {torch::linspace(-1.0, 1.0, 1000), torch::linspace(0.5, 2.0, 333)};
}

} // namespace

class TestOffload : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void everyOptimizerIsEqualToNone_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<int>("place");
        QTest::addColumn<bool>("isStaged");
        for (const char* optimizer : {"adam", "adamw", "momentum", "nesterov"}) {
            for (const auto place : {experiment::Offload::Host, experiment::Offload::Disk}) {
                for (const bool isStaged : {false, true}) {
                    QTest::addRow("%s, %s%s", optimizer, nameOf(place).data(), isStaged ? ", staged" : "")
                        << QString(optimizer) << static_cast<int>(place) << isStaged;
                }
            }
        }
    }

    /// Host, and the copies that a GPU's weights need, are tried on the CPU's tensors here.
    void everyOptimizerIsEqualToNone()
    {
        QFETCH(QString, optimizer);
        QFETCH(int, place);
        QFETCH(bool, isStaged);
        const auto spec = offloadedRun("optimizer.weight_decay=0.01 optimizer.name=" + optimizer);
        const auto plainWeights = someWeights();
        const auto plain = makeOptimizer(spec, plainWeights);
        const auto weights = someWeights();
        const auto offloaded
            = makeOffloadedOptimizer(spec, weights, {static_cast<experiment::Offload>(place), "", 128, isStaged});
        QVERIFY2(offloaded.isOk(), messageOf(offloaded).c_str());
        steps(**plain, plainWeights, 7);
        steps(**offloaded, weights, 7);
        QVERIFY(torch::equal(weights[0], plainWeights[0]) && torch::equal(weights[1], plainWeights[1]));
        const auto state = (*offloaded)->state();
        const auto wanted = (*plain)->state();
        QCOMPARE(state.size(), wanted.size());
        for (std::size_t i = 0; i < state.size(); ++i) {
            QVERIFY(torch::equal(state[i], wanted[i]));
        }
        QCOMPARE((*offloaded)->stepsTaken(), (*plain)->stepsTaken());
        // A state that is set is the one that the next step begins with.
        auto emptied = (*offloaded)->state();
        for (torch::Tensor& each : emptied) {
            each.zero_();
        }
        (*offloaded)->setState(emptied);
        QVERIFY(torch::equal((*offloaded)->state().front(), emptied.front()));
        QVERIFY(!torch::equal(wanted.front(), emptied.front()));
    }

    void aRunIsEqualToNone_data()
    {
        QTest::addColumn<QString>("settings");
        for (const char* each : {"zero.stage=1", "zero.stage=2", "zero.stage=3", "zero.stage=1 optimizer.clip=0.1",
                 "zero.stage=3 optimizer.name=nesterov train.dtype=float64", "zero.stage=2 train.precision=bfloat16"}) {
            QTest::addRow("%s", each) << QString(each);
        }
    }

    void aRunIsEqualToNone()
    {
        QFETCH(QString, settings);
        const TrainedRun plain = trainedByTwo(offloadedRun(settings));
        const TrainedRun offloaded = trainedByTwo(offloadedRun(settings + " zero.offload=disk"));
        QCOMPARE(QString::fromStdString(offloaded.ranks[0].goodbye.message),
            QString::fromStdString(plain.ranks[0].goodbye.message));
        QCOMPARE(lossesOf(offloaded.ranks), lossesOf(plain.ranks)); // to the last bit
        for (std::size_t rank = 0; rank < 2; ++rank) {
            QVERIFY(torch::equal(offloaded.weights[rank], plain.weights[rank]));
        }
    }

    void memoryIsWhatTheFormulaSays()
    {
        const auto plainRun = offloadedRun("zero.stage=1");
        const auto diskRun = offloadedRun("zero.stage=1 zero.offload=disk");
        const TrainedRun plain = trainedByTwo(plainRun);
        const TrainedRun disk = trainedByTwo(diskRun);
        const auto memoryOf = [](const TrainedRank& rank) {
            const auto samples = rank.kept->all<wire::MemorySample>();
            wire::MemorySample last = samples.back();
            for (const wire::MemorySample& each : samples) {
                std::int64_t& most = of(last.most, MemoryKind::Optimizer);
                most = std::max(most, of(each.most, MemoryKind::Optimizer));
            }
            return last;
        };
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const wire::MemorySample with = memoryOf(disk.ranks[rank]);
            const wire::MemorySample without = memoryOf(plain.ranks[rank]);
            const auto planned = plan::memoryOf(diskRun, static_cast<int>(rank));
            const auto number = [](std::int64_t bytes) { return static_cast<double>(bytes); };
            // Between two steps there is none; while the weights are updated, three chunks of two moments.
            QVERIFY(of(with.live, MemoryKind::Optimizer) < 1000);
            QCOMPARE(of(planned.bytes, MemoryKind::Optimizer), std::int64_t{0});
            const double formula = number(plan::OffloadChunksInMemory * plan::OffloadChunkElements * 2 * 4);
            QVERIFY(number(of(without.live, MemoryKind::Optimizer)) > 1.5 * formula);
            QVERIFY2(std::abs(number(of(with.most, MemoryKind::Optimizer)) / formula - 1.0) <= 0.1,
                qPrintable(QString("%1 of %2").arg(of(with.most, MemoryKind::Optimizer)).arg(formula)));
            for (const MemoryKind kind : {MemoryKind::Parameters, MemoryKind::Gradients, MemoryKind::Data}) {
                QVERIFY(std::abs(number(of(with.live, kind)) / number(of(planned.bytes, kind)) - 1.0) <= 0.1);
            }
            QVERIFY(with.highest < without.highest);
            qInfo("optimizer state: %.0f %% of the states without offload",
                100.0 * number(of(without.live, MemoryKind::Optimizer)) / number(statesOf(without.live)));
        }
    }

    void noFileIsLeft()
    {
        QTemporaryDir folder;
        const auto weights = someWeights();
        const auto offloaded = makeOffloadedOptimizer(
            offloadedRun(""), weights, {experiment::Offload::Disk, folder.path().toStdString(), 128});
        QVERIFY(offloaded.isOk());
        QVERIFY(QDir(folder.path()).isEmpty()); // the file has no name while it is in use
        steps(**offloaded, weights, 1);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void aFolderThatIsNotThereIsRefused()
    {
        const auto result = trainedRanks(offloadedRun("zero.offload=disk zero.offload_path=/no/such/folder"), 2);
        QCOMPARE(result[0].goodbye.outcome, wire::Outcome::Refused);
        QVERIFY(QString::fromStdString(result[0].goodbye.message)
                    .startsWith(
                        "zero.offload_path: the optimizer state in /no/such/folder cannot be stored: No such file"));
    }

    void aFullDiskIsRefused()
    {
        QVERIFY(QString::fromStdString(messageOf(StateFile::create("/dev/shm", std::int64_t{1} << 50)))
                    .startsWith("zero.offload_path: the optimizer state in /dev/shm needs 1125899906842624 bytes: "));
    }

    void hostNeedsAGpu()
    {
        const auto result = trainedRanks(offloadedRun("zero.offload=host"), 2);
        QCOMPARE(result[0].goodbye.outcome, wire::Outcome::Refused);
        QVERIFY(QString::fromStdString(result[0].goodbye.message).startsWith("zero.offload: host moves the optimizer"));
        const auto onCpu = experiment::validate(offloadedRun("zero.offload=disk"));
        QVERIFY(onCpu.isOk());
    }

    void whatHasNoStateIsRefused()
    {
        experiment::RunSpec spec = offloadedRun("zero.offload=disk");
        spec.settings["optimizer.name"] = std::string("sgd");
        QVERIFY(
            QString::fromStdString(messageOf(experiment::validate(spec))).startsWith("zero.offload: disk moves the"));
    }
};

LOCKSTEP_TEST(TestOffload)
#include "test_offload.moc"
