// Layers shared by ranks, and copies of such nets: against one process. What is added up elsewhere rounds elsewhere, so
// double precision and 1e-10.
#include "core/engine/strategy/trained_ranks.h"
#include "core/plan/formulas.h"
#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/joined_weights.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "plan/grid.h"
#include "plan/net.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

const QString GridText = QStringLiteral("dataset.name=text net.name=gpt net.width=16 net.heads=4 net.context=12 "
                                        "dataset.train_samples=64 dataset.test_samples=20 train.batch=12");
const QString Tensor = QStringLiteral("strategy.name=tensor tensor.size=%1");
const QString Grid = QStringLiteral("strategy.name=grid grid.data=%1 grid.pipeline=%2 grid.tensor=%3");

/// Not every LibTorch has an RPC agent.
bool hasRemoteCalls()
{
    const auto names = transportNames();
    return std::find(names.begin(), names.end(), "rpc") != names.end();
}

experiment::RunSpec gridSpec(const QString& settings)
{
    return runOf(withSettings(
        {{"dataset.train_samples", "230"}, {"dataset.test_samples", "70"}, {"train.batch", "24"}, {"train.steps", "20"},
            {"rank.bind", "false"}, {"optimizer.name", "momentum"}, {"optimizer.lr", "0.02"}},
        settings));
}

struct GridOutcome {
    std::vector<TrainedRank> ranks;
    std::string failure;

    [[nodiscard]] const KeptMessages& first() const { return *ranks.front().kept; }
};

GridOutcome trainedOnGrid(const QString& settings, const Extras& extras = {})
{
    const auto run = gridSpec(settings);
    GridOutcome outcome;
    outcome.ranks = trainedRanks(run, *experiment::worldSizeOf(run), extras);
    for (const TrainedRank& rank : outcome.ranks) {
        if (rank.goodbye.outcome != wire::Outcome::Finished) {
            outcome.failure = rank.goodbye.message;
        }
    }
    return outcome;
}

/// The weights of the newest checkpoint, put together from what the ranks have.
Tensors weightsIn(const QTemporaryDir& folder)
{
    const auto all = checkpointsIn(folder.path().toStdString());
    const std::string file = folder.filePath("joined.safetensors").toStdString();
    if (all.empty() || !joinWeights(all.back(), file, WeightsFormat::Safetensors)) {
        return {};
    }
    const auto read = readTensorFile(file);
    return read && read->tensors ? *read->tensors : Tensors();
}

Tensors trainedWeights(const QString& settings, GridOutcome& outcome)
{
    const QTemporaryDir folder;
    const QString every = QString::number(gridSpec(settings).settings->train.steps);
    outcome = trainedOnGrid(settings + " checkpoint.every=" + every + " checkpoint.path=" + folder.path());
    return weightsIn(folder);
}

double difference(const Tensors& some, const Tensors& wanted)
{
    double most = wanted.empty() ? 1e300 : 0.0;
    for (const auto& [name, tensor] : wanted) {
        const auto found = some.find(name);
        const bool fits = found != some.end() && found->second.sizes() == tensor.sizes();
        most = std::max(most, fits ? (found->second - tensor).abs().max().item<double>() : 1e300);
    }
    return most;
}

/// Without the settings that divide the work.
QString ofOneProcess(const QString& settings)
{
    QStringList words = settings.split(' ');
    const auto isOfRanks = [](const QString& word) {
        return QStringList{"strategy", "tensor", "grid", "pipeline", "link", "comm"}.contains(word.section('.', 0, 0));
    };
    words.erase(std::remove_if(words.begin(), words.end(), isOfRanks), words.end());
    return words.join(' ');
}

} // namespace

class TestGridTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void weightsAreThoseOfOneProcess_data();
    void weightsAreThoseOfOneProcess();
    void singlePrecisionStaysNear();
    void aBrokenGradientIsFoundOut();
    void whatIsSentIsWhatThePlanSays_data();
    void whatIsSentIsWhatThePlanSays();
    void whatIsSentIsToldByKind();
    void resumingChangesNothing_data();
    void resumingChangesNothing();
    void sumsAreToldAsCommunication();
};

void TestGridTraining::weightsAreThoseOfOneProcess_data()
{
    QTest::addColumn<QString>("settings");
    const auto add = [](const QString& settings) { QTest::addRow("%s", qPrintable(settings)) << settings; };
    const QStringList nets{"net.name=mlp net.hidden=30", "net.name=lenet5 train.steps=8",
        "net.name=deep-mlp net.hidden=18 net.depth=5", GridText + " train.steps=8",
        GridText + " net.tied=true train.steps=8"};
    for (const QString& net : nets) {
        for (const int size : {2, 4}) {
            add(net + " " + Tensor.arg(size));
        }
        for (const auto& [data, pipeline, tensor] :
            std::vector<std::array<int, 3>>{{2, 2, 1}, {2, 1, 2}, {1, 2, 2}, {2, 2, 2}}) {
            add(net + " " + Grid.arg(data).arg(pipeline).arg(tensor) + " pipeline.microbatches=3");
        }
    }
    add("net.name=logistic " + Tensor.arg(4));
    add(nets[0] + " train.accumulate=3 " + Tensor.arg(2));
    add(nets[3] + " net.tied=true train.steps=8 train.accumulate=2 " + Tensor.arg(4));
    const QString cnn = QStringLiteral("net.name=cnn train.batch=8 train.steps=4 ");
    add(cnn + Tensor.arg(2));
    add(cnn + Tensor.arg(4));
    add(cnn + Grid.arg(2).arg(2).arg(2) + " pipeline.microbatches=2");
    // Columns, rows and letters that do not divide.
    add("net.name=mlp net.hidden=31 " + Tensor.arg(3));
    add(GridText + " net.width=24 net.heads=3 train.steps=8 " + Tensor.arg(3));
    // The norm that is clipped is that of the whole net.
    for (const QString& net : {nets[0], nets[3], nets[4]}) {
        const QString grid = Grid.arg(2).arg(2).arg(2) + " pipeline.microbatches=2";
        for (const QString& ranks : {Tensor.arg(2), grid, grid + " grid.zero=true"}) {
            add(net + " optimizer.name=sgd optimizer.clip=0.05 train.steps=6 " + ranks);
        }
    }
    if (hasRemoteCalls()) {
        const QString rpc = " pipeline.transport=rpc pipeline.microbatches=3";
        add(nets[2] + " " + Grid.arg(2).arg(2).arg(2) + rpc);
        add(nets[4] + " optimizer.clip=0.05 " + Grid.arg(2).arg(3).arg(1) + rpc);
        add(nets[0] + " " + Grid.arg(1).arg(1).arg(2) + rpc);
    }
    add(nets[0] + " pipeline.schedule=gpipe " + Grid.arg(2).arg(2).arg(1) + " optimizer.name=adam optimizer.lr=0.001");
    add("net.name=deep-mlp net.hidden=16 net.depth=6 pipeline.schedule=interleaved " + Grid.arg(2).arg(2).arg(2));
    // The last batch of an epoch leaves a copy with fewer samples than micro-batches, and none for another.
    add("net.name=mlp dataset.train_samples=25 pipeline.microbatches=4 " + Grid.arg(3).arg(2).arg(1));
    add(nets[0] + " link.latency_us=100 link.bandwidth_mbps=2000 train.steps=5 " + Grid.arg(2).arg(2).arg(2));
    add(nets[0] + " train.steps=5 " + Grid.arg(2).arg(1).arg(3));
    add(nets[0] + " grid.zero=true optimizer.name=adam optimizer.lr=0.001 " + Grid.arg(3).arg(2).arg(1));
}

void TestGridTraining::weightsAreThoseOfOneProcess()
{
    QFETCH(QString, settings);
    const QString exact = settings + " train.dtype=float64";
    GridOutcome shared;
    const Tensors weights = trainedWeights(exact + " verify=true", shared);
    QVERIFY2(shared.failure.empty(), shared.failure.c_str());
    GridOutcome one;
    const Tensors wanted = trainedWeights(ofOneProcess(exact), one);
    QVERIFY2(one.failure.empty(), one.failure.c_str());
    const double apart = difference(weights, wanted);
    QVERIFY2(apart <= 1e-10, qPrintable(QString::number(apart)));

    const auto verified = shared.first().all<wire::Verification>();
    QCOMPARE(verified.size(), std::size_t{1});
    QCOMPARE(verified.front().steps, gridSpec(settings).settings->train.steps);
    QVERIFY2(verified.front().maxRelativeDifference <= 1e-10,
        qPrintable(QString::number(verified.front().maxRelativeDifference)));
    const std::vector<double> losses = lossesOf(shared.ranks);
    const std::vector<double> wantedLosses = lossesOf(one.ranks);
    QCOMPARE(losses.size(), wantedLosses.size());
    for (std::size_t i = 0; i < losses.size(); ++i) {
        QVERIFY(std::abs(losses[i] - wantedLosses[i]) <= 1e-10);
    }
    const auto score = shared.first().all<wire::Evaluation>().back();
    const auto wantedScore = one.first().all<wire::Evaluation>().back();
    QCOMPARE(score.accuracy, wantedScore.accuracy);
    QVERIFY(std::abs(score.loss - wantedScore.loss) <= 1e-10);
    QVERIFY(std::abs(score.trainLoss - wantedScore.trainLoss) <= 1e-10);
}

void TestGridTraining::singlePrecisionStaysNear()
{
    for (const int size : {2, 4}) {
        const GridOutcome outcome = trainedOnGrid("net.name=mlp optimizer.name=sgd verify=true " + Tensor.arg(size));
        QVERIFY2(outcome.failure.empty(), outcome.failure.c_str());
        const double apart = outcome.first().all<wire::Verification>().at(0).maxRelativeDifference;
        QVERIFY2(apart <= 1e-5, qPrintable(QString::number(apart)));
    }
}

void TestGridTraining::aBrokenGradientIsFoundOut()
{
    Extras extras;
    extras.hooks[1].onGradient = [](std::int64_t step, torch::Tensor& gradients) {
        if (step == 3) {
            gradients.mul_(-1.0);
        }
    };
    for (const QString& ranks : {Tensor.arg(2), Grid.arg(2).arg(1).arg(1)}) {
        const GridOutcome outcome = trainedOnGrid("net.name=mlp verify=true " + ranks, extras);
        const auto found = outcome.first().all<wire::Verification>().at(0);
        QVERIFY(found.maxRelativeDifference > 1e-3);
        QVERIFY(found.atStep >= 4);
    }
}

void TestGridTraining::whatIsSentIsWhatThePlanSays_data()
{
    QTest::addColumn<QString>("settings");
    for (const char* net : {"net.name=logistic", "net.name=mlp", "net.name=cnn", "net.name=lenet5",
             "net.name=deep-mlp net.depth=5", "net.name=deep-mlp net.depth=4"}) {
        QTest::addRow("%s", net) << QString(net);
    }
    QTest::addRow("gpt") << GridText;
}

void TestGridTraining::whatIsSentIsWhatThePlanSays()
{
    QFETCH(QString, settings);
    for (const int size : {2, 4}) {
        const QString all = settings + " train.batch=8 train.steps=2 " + Tensor.arg(size);
        const GridOutcome outcome = trainedOnGrid(all);
        QVERIFY2(outcome.failure.empty(), outcome.failure.c_str());
        const auto wanted = static_cast<double>(tests::summedNumbers(gridSpec(all)) * 8 * 4) * 2.0 * (size - 1) / size;
        const KeptRows rows = outcome.first().rows();
        QVERIFY(wanted > 0.0);
        // Each sum is rounded down to bytes separately.
        QVERIFY2(std::abs(static_cast<double>(rows.bytesSent.at(1)) - wanted) < 64.0,
            qPrintable(QString("%1 sent, %2 planned").arg(rows.bytesSent.at(1)).arg(wanted)));
        QCOMPARE(rows.bytesByKind[static_cast<std::size_t>(TrafficKind::LayerSums)], rows.bytesSent);
    }
}

void TestGridTraining::whatIsSentIsToldByKind()
{
    const GridOutcome outcome = trainedOnGrid("net.name=mlp net.hidden=32 train.batch=16 train.steps=3 "
        + Grid.arg(2).arg(2).arg(2) + " pipeline.microbatches=2");
    QVERIFY2(outcome.failure.empty(), outcome.failure.c_str());
    for (int rank = 0; rank < 8; ++rank) {
        const KeptRows rows = outcome.ranks[static_cast<std::size_t>(rank)].kept->rows();
        const auto sent = [&](TrafficKind kind) { return rows.bytesByKind[static_cast<std::size_t>(kind)].at(1); };
        const bool isLast = rank >= 4;
        // Half of the 32 activations of a copy's 8 samples one way, their gradients the other.
        QCOMPARE(sent(TrafficKind::Activations), std::int64_t{16 * 8 * 4});
        // The first layer is shared by its outputs and the net's input needs no gradient; the second by its inputs.
        QCOMPARE(sent(TrafficKind::LayerSums), isLast ? std::int64_t{8 * 10 * 4} : std::int64_t{0});
        const auto weights = static_cast<std::int64_t>(isLast ? 16 * 10 + 16 : 784 * 16 + 16); // rounded up to 64 bytes
        QCOMPARE(sent(TrafficKind::Gradients), weights * 4);
        QCOMPARE(sent(TrafficKind::Weights), std::int64_t{0});
    }
}

void TestGridTraining::resumingChangesNothing_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addRow("tensor") << "net.name=lenet5 " + Tensor.arg(2);
    QTest::addRow("text") << GridText + " net.tied=true optimizer.name=adam " + Tensor.arg(4);
    QTest::addRow("grid with ZeRO-1") << "net.name=mlp optimizer.name=adam grid.zero=true " + Grid.arg(2).arg(2).arg(2);
    QTest::addRow("grid") << "net.name=mlp optimizer.name=adam " + Grid.arg(2).arg(2).arg(2);
    if (hasRemoteCalls()) {
        QTest::addRow("remote calls") << GridText + " net.tied=true pipeline.transport=rpc "
                + Grid.arg(1).arg(3).arg(1);
    }
}

void TestGridTraining::resumingChangesNothing()
{
    QFETCH(QString, settings);
    const QTemporaryDir folder;
    const QString with = settings + " checkpoint.keep=0 checkpoint.path=" + folder.path();
    QCOMPARE(trainedOnGrid(with + " train.steps=8 checkpoint.every=4").failure, std::string());
    const Tensors wanted = weightsIn(folder);
    QVERIFY(!wanted.empty());
    QVERIFY(QDir(folder.path() + "/step-00000008").removeRecursively());
    const QString from = " checkpoint.from=" + folder.path() + "/step-00000004";
    QCOMPARE(trainedOnGrid(with + " train.steps=8 checkpoint.every=8" + from).failure, std::string());
    QCOMPARE(difference(weightsIn(folder), wanted), 0.0);
    const QString other = settings.contains("tensor.size=2") ? " tensor.size=4" : " train.batch=11";
    QVERIFY(trainedOnGrid(with + " train.steps=8" + from + other).failure.starts_with("checkpoint.from: "));
}

void TestGridTraining::sumsAreToldAsCommunication()
{
    const GridOutcome outcome = trainedOnGrid("net.name=mlp train.steps=3 " + Tensor.arg(2));
    for (const TrainedRank& rank : outcome.ranks) {
        int sums = 0;
        bool isWithin = false; // a sum: waiting cuts its communication in two
        for (const wire::SpanBatch& batch : rank.kept->all<wire::SpanBatch>()) {
            for (const wire::SpanRow& span : batch.rows) {
                const bool isOfSum = span.phase == Phase::Communicate || span.phase == Phase::Wait;
                sums += isOfSum && !isWithin ? 1 : 0;
                isWithin = isOfSum;
            }
        }
        QCOMPARE(sums, 3); // of the second layer's outputs; what the first is given needs no gradient
    }
}

LOCKSTEP_TEST(TestGridTraining)
#include "test_grid_training.moc"
