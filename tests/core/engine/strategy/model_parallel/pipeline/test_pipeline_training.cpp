// A net cut by layers over several ranks against one process that takes the same micro-batches in turn: to the last
// bit.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/optim/optimizer.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QDir>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>
#include <set>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

using Overrides = std::vector<experiment::Override>;

Overrides pipelineSettings(const QString& settings)
{
    return withSettings({{"dataset.train_samples", "600"}, {"dataset.test_samples", "130"}, {"train.steps", "20"},
                            {"rank.bind", "false"}},
        settings);
}

experiment::RunSpec pipelineOf(int stages, const QString& settings)
{
    Overrides overrides = pipelineSettings(settings);
    overrides.push_back({"strategy.name", "pipeline"});
    overrides.push_back({"pipeline.stages", std::to_string(stages)});
    return runOf(overrides);
}

struct PipelineOutcome {
    std::vector<TrainedRank> ranks;
    torch::Tensor weights; ///< of all parts, in the order of the net
    std::string failure;
};

/// The weights as a single process has them, part by part; without the gaps that flat buffers have.
PipelineOutcome trainedInStages(const experiment::RunSpec& run, int ranks)
{
    std::map<int, std::vector<torch::Tensor>> byRank;
    Extras extras;
    for (int rank = 0; rank < ranks; ++rank) {
        byRank[rank] = {};
        extras.hooks[rank].onEnd = [&byRank, rank](const torch::Tensor& at) { byRank[rank].push_back(at.clone()); };
    }
    PipelineOutcome outcome;
    outcome.ranks = trainedRanks(run, ranks, extras);
    for (const TrainedRank& rank : outcome.ranks) {
        if (rank.goodbye.outcome != wire::Outcome::Finished) {
            outcome.failure = rank.goodbye.message;
            return outcome;
        }
    }
    std::vector<torch::Tensor> parts;
    for (auto& [rank, weights] : byRank) {
        parts.push_back(weights.at(0));
    }
    outcome.weights = torch::cat(parts);
    return outcome;
}

/// A row for each transport that this LibTorch has.
void addTransports()
{
    QTest::addColumn<QString>("transport");
    for (const std::string_view name : transportNames()) {
        QTest::addRow("%s", std::string(name).c_str()) << QStringLiteral(" pipeline.transport=") + name.data();
    }
}

/// Threads of this process.
int threadCount()
{
    return static_cast<int>(QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size());
}

const QString SmallGpt
    = QStringLiteral("dataset.name=text net.name=gpt net.width=16 net.heads=2 net.context=16 "
                     "dataset.train_samples=64 dataset.test_samples=20 train.batch=12 train.steps=4");

void addNet(int stages, const QString& settings, int microBatches)
{
    QTest::addRow("%d stages, %d micro-batches, %s", stages, microBatches, qPrintable(settings))
        << stages << settings << microBatches;
}

/// The same nets by remote calls, which give the same numbers.
void addRemoteCalls()
{
    const QString rpc = QStringLiteral(" pipeline.transport=rpc");
    addNet(1, "net.name=mlp train.batch=32" + rpc, 4);
    for (const char* schedule : {"gpipe", "1f1b"}) {
        const QString with = rpc + " pipeline.schedule=" + schedule;
        addNet(2, "net.name=mlp train.batch=64" + with, 4);
        addNet(2, "net.name=mlp train.batch=50" + with, 3);
        for (const int stages : {2, 3, 4}) {
            addNet(stages, "net.name=deep-mlp net.hidden=32 train.batch=32" + with, 4);
            addNet(stages, SmallGpt + with, 5);
        }
        addNet(3, "net.name=deep-mlp net.hidden=16 dataset.train_samples=161 train.batch=40" + with, 8);
        addNet(2, "net.name=cnn train.batch=16 train.steps=6" + with, 2);
    }
    for (const int stages : {2, 3, 4}) {
        const QString with = rpc + " pipeline.schedule=interleaved";
        addNet(stages, "net.name=deep-mlp net.hidden=24 train.batch=36" + with, 2 * stages);
        addNet(stages, SmallGpt + " net.blocks=6" + with, stages);
    }
    addNet(
        2, "net.name=deep-mlp net.hidden=24 train.batch=30 pipeline.schedule=interleaved pipeline.virtual=4" + rpc, 8);
    addNet(3, "net.name=deep-mlp net.hidden=600 train.batch=32 train.steps=5" + rpc, 2);
}

} // namespace

class TestPipelineTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// As lockstep-rank does: RPC writes to peers that may be gone.
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void weightsAreThoseOfTheSameMicroBatches_data();
    void weightsAreThoseOfTheSameMicroBatches();
    void tiedWeightsAddUpTheirGradients_data() { addTransports(); }
    void tiedWeightsAddUpTheirGradients();
    void verificationFindsNoDifference_data() { addTransports(); }
    void verificationFindsNoDifference();
    void aBrokenGradientIsFoundOut_data() { addTransports(); }
    void aBrokenGradientIsFoundOut();
    void passesAreToldWithTheirMicroBatch_data() { addTransports(); }
    void passesAreToldWithTheirMicroBatch();
    void commandsTakeEffectAtTheSameStepEverywhere_data() { addTransports(); }
    void commandsTakeEffectAtTheSameStepEverywhere();
    void onlyTheLastStageTellsOfSamples_data() { addTransports(); }
    void onlyTheLastStageTellsOfSamples();
    void aRankThatFailsIsNamedAndNoThreadIsLeft_data() { addTransports(); }
    void aRankThatFailsIsNamedAndNoThreadIsLeft();
    void linksAreForMessagesOnly_data() { addTransports(); }
    void linksAreForMessagesOnly();
    void aRankThatNeverAnswersIsGivenUp_data() { addTransports(); }
    void aRankThatNeverAnswersIsGivenUp();
};

void TestPipelineTraining::weightsAreThoseOfTheSameMicroBatches_data()
{
    QTest::addColumn<int>("stages");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("microBatches");
    for (const char* schedule : {"gpipe", "1f1b"}) {
        const QString with = QStringLiteral(" pipeline.schedule=") + schedule;
        addNet(2, "net.name=mlp train.batch=64" + with, 4);
        addNet(2, "net.name=mlp train.batch=50" + with, 3); // 17, 17, 16
        for (const int stages : {2, 3, 4}) {
            addNet(stages, "net.name=deep-mlp net.hidden=32 train.batch=32" + with, 4);
        }
        addNet(2, "net.name=cnn train.batch=16 train.steps=6" + with, 2);
        addNet(3, "net.name=lenet5 train.batch=20 train.steps=6" + with, 5);
        // The last batch of an epoch, 1 sample, has fewer than there are micro-batches.
        addNet(3, "net.name=deep-mlp net.hidden=16 dataset.train_samples=161 train.batch=40" + with, 8);
    }
    // Text: tokens go in, activations between, a label for each byte at the end.
    for (const int stages : {2, 3, 4}) {
        addNet(stages, SmallGpt, 3);
        addNet(stages, SmallGpt + " pipeline.schedule=gpipe", 5);
    }
    addNet(3, SmallGpt + " pipeline.schedule=interleaved", 3);
    for (const int stages : {2, 4}) {
        addNet(stages, "net.name=deep-mlp net.hidden=24 train.batch=32 pipeline.schedule=interleaved", 4);
    }
    addNet(2, "net.name=deep-mlp net.hidden=24 train.batch=32 pipeline.schedule=interleaved pipeline.virtual=4", 8);
    addNet(1, "net.name=mlp train.batch=32", 4);
    addNet(2, "net.name=mlp pipeline.cut=1,1 optimizer.name=adam optimizer.lr=0.001 train.batch=64", 4);
    addNet(3, "net.name=deep-mlp net.hidden=24 pipeline.cut=1,6,1 optimizer.name=momentum train.batch=32", 4);
    addNet(2, "net.name=mlp train.batch=64 link.latency_us=200 link.bandwidth_mbps=2000 train.steps=6", 4);
    addNet(3, "net.name=deep-mlp net.hidden=600 train.batch=32 train.steps=5", 2); // messages larger than a mailbox
    if (const auto names = transportNames(); std::ranges::find(names, "rpc") != names.end()) {
        addRemoteCalls();
    }
}

void TestPipelineTraining::weightsAreThoseOfTheSameMicroBatches()
{
    QFETCH(int, stages);
    QFETCH(QString, settings);
    QFETCH(int, microBatches);
    const auto number = QString::number(microBatches);
    const PipelineOutcome cut
        = trainedInStages(pipelineOf(stages, settings + " pipeline.microbatches=" + number), stages);
    QVERIFY2(cut.failure.empty(), cut.failure.c_str());
    QStringList ofOne = settings.split(' ');
    ofOne.erase(std::remove_if(ofOne.begin(), ofOne.end(),
                    [](const QString& each) {
                        return each.startsWith("pipeline.") || each.startsWith("link.") || each.startsWith("comm.");
                    }),
        ofOne.end());
    const auto single
        = [&](const QString& more) { return trainedInStages(runOf(pipelineSettings(ofOne.join(' ') + more)), 1); };
    const PipelineOutcome one = single(" train.accumulate=" + number);
    QVERIFY2(one.failure.empty(), one.failure.c_str());
    // Interleaved parts are on the ranks in turn: their order in the joined weights differs.
    const auto sorted = [](const torch::Tensor& weights) { return std::get<0>(weights.sort()); };
    if (settings.contains("interleaved")) {
        QVERIFY(torch::equal(sorted(cut.weights), sorted(one.weights)));
    } else {
        QVERIFY(torch::equal(cut.weights, one.weights));
    }
    QCOMPARE(lossesOf(cut.ranks), lossesOf(one.ranks));
    const auto scores = cut.ranks.front().kept->all<wire::Evaluation>();
    const auto wanted = one.ranks.front().kept->all<wire::Evaluation>();
    QCOMPARE(scores.size(), wanted.size());
    QCOMPARE(scores.back().accuracy, wanted.back().accuracy);
    QVERIFY(std::abs(scores.back().loss - wanted.back().loss) < 1e-6);
    QVERIFY(std::abs(scores.back().trainLoss - wanted.back().trainLoss) < 1e-6);
    // Against the whole batch in one piece, in double precision: what the order of additions makes.
    if (stages > 1 && !settings.contains("link.") && !settings.contains("gloo")) {
        const QString exact = " train.dtype=float64";
        const PipelineOutcome wide
            = trainedInStages(pipelineOf(stages, settings + exact + " pipeline.microbatches=" + number), stages);
        const PipelineOutcome whole = single(exact);
        const double apart = settings.contains("interleaved")
            ? largestDifference(sorted(wide.weights), sorted(whole.weights))
            : largestDifference(wide.weights, whole.weights);
        QVERIFY2(apart <= 1e-10, qPrintable(QString::number(apart)));
    }
}

void TestPipelineTraining::tiedWeightsAddUpTheirGradients()
{
    QFETCH(QString, transport);
    const QString settings = QStringLiteral("dataset.name=text net.name=gpt net.tied=true net.width=16 net.heads=2 "
                                            "net.context=16 dataset.train_samples=64 dataset.test_samples=20 "
                                            "train.batch=12 train.steps=20 train.dtype=float64 optimizer.name=adam");
    for (const int stages : {2, 3}) {
        const auto ranks
            = trainedRanks(pipelineOf(stages, settings + transport + " verify=true pipeline.microbatches=3"), stages);
        const auto found = ranks.front().kept->all<wire::Verification>();
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(found.front().maxRelativeDifference < 1e-10,
            qPrintable(QString::number(found.front().maxRelativeDifference)));
    }
}

void TestPipelineTraining::verificationFindsNoDifference()
{
    QFETCH(QString, transport);
    const auto ranks = trainedRanks(
        pipelineOf(3, "net.name=deep-mlp net.hidden=32 train.batch=50 pipeline.microbatches=3 verify=true" + transport),
        3);
    const auto found = ranks.front().kept->all<wire::Verification>();
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().steps, std::int64_t{20});
    QCOMPARE(found.front().maxRelativeDifference, 0.0);
}

void TestPipelineTraining::aBrokenGradientIsFoundOut()
{
    QFETCH(QString, transport);
    Extras extras;
    extras.hooks[0].onGradient = [](std::int64_t step, torch::Tensor& gradients) {
        if (step == 7) {
            gradients.mul_(-1.0);
        }
    };
    const auto ranks = trainedRanks(pipelineOf(2, "net.name=mlp verify=true" + transport), 2, extras);
    const auto found = ranks.front().kept->all<wire::Verification>();
    QVERIFY(found.at(0).maxRelativeDifference > 1e-3);
    QVERIFY(found.at(0).atStep >= 8);
}

void TestPipelineTraining::passesAreToldWithTheirMicroBatch()
{
    QFETCH(QString, transport);
    const auto ranks = trainedRanks(pipelineOf(2, "net.name=mlp train.batch=64 train.steps=3" + transport), 2);
    for (const TrainedRank& rank : ranks) {
        std::map<std::pair<std::int64_t, Phase>, std::vector<std::int32_t>> passes; // by step and phase
        for (const wire::SpanBatch& batch : rank.kept->all<wire::SpanBatch>()) {
            for (const wire::SpanRow& span : batch.rows) {
                const bool isPass = span.phase == Phase::Forward || span.phase == Phase::Backward;
                QCOMPARE(span.microBatch >= 0, isPass);
                if (isPass) {
                    passes[{span.step, span.phase}].push_back(span.microBatch);
                }
            }
        }
        QCOMPARE(passes.size(), std::size_t{6});
        for (const auto& [which, microBatches] : passes) {
            QCOMPARE(microBatches, (std::vector<std::int32_t>{0, 1, 2, 3}));
        }
    }
}

void TestPipelineTraining::commandsTakeEffectAtTheSameStepEverywhere()
{
    QFETCH(QString, transport);
    Extras extras;
    extras.answer = [asked = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (std::holds_alternative<wire::StepBatch>(message) && asked++ == 0) {
            return {{wire::Command::Pause, -1, 0.0}, {wire::Command::Resume, -1, 0.0}};
        }
        const auto* applied = std::get_if<wire::Applied>(&message);
        if (applied != nullptr && applied->command == wire::Command::Resume) {
            return {{wire::Command::Stop, -1, 0.0}};
        }
        return {};
    };
    const auto ranks
        = trainedRanks(pipelineOf(3, "net.name=deep-mlp net.hidden=16 train.steps=1000000" + transport), 3, extras);
    std::map<wire::Command, std::set<std::int64_t>> steps;
    for (const TrainedRank& rank : ranks) {
        QCOMPARE(rank.goodbye.outcome, wire::Outcome::Stopped);
        QCOMPARE(rank.goodbye.step, ranks.front().goodbye.step);
        for (const auto& applied : rank.kept->all<wire::Applied>()) {
            steps[applied.command].insert(applied.step);
        }
    }
    QCOMPARE(steps.size(), std::size_t{3});
    for (const auto& [command, at] : steps) {
        QCOMPARE(at.size(), std::size_t{1});
    }
}

void TestPipelineTraining::onlyTheLastStageTellsOfSamples()
{
    QFETCH(QString, transport);
    const auto ranks
        = trainedRanks(pipelineOf(2, "net.name=mlp train.batch=64 train.steps=4 optimizer.clip=0.1" + transport), 2);
    const KeptRows first = ranks[0].kept->rows();
    const KeptRows last = ranks[1].kept->rows();
    for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(first.batch[i], std::int64_t{0});
        QCOMPARE(last.batch[i], std::int64_t{64});
        // 64 samples of 128 activations one way and their gradients the other; 8 bytes for the norm.
        QCOMPARE(first.bytesSent[i] - 8, std::int64_t{64 * 128 * 4});
        QCOMPARE(last.bytesSent[i] - 8, std::int64_t{64 * 128 * 4});
    }
    QVERIFY(ranks[1].kept->all<wire::Evaluation>().empty()); // one rank reports
}

void TestPipelineTraining::aRankThatFailsIsNamedAndNoThreadIsLeft()
{
    QFETCH(QString, transport);
    Extras extras;
    extras.hooks[1].onGradient = [](std::int64_t step, torch::Tensor&) {
        if (step == 5) {
            throw std::runtime_error("broken on purpose");
        }
    };
    const auto run = pipelineOf(3, "net.name=deep-mlp net.hidden=16 train.steps=1000" + transport);
    static_cast<void>(trainedRanks(run, 3, extras)); // what LibTorch starts once
    const int threads = threadCount();
    const auto ranks = trainedRanks(run, 3, extras);
    QTRY_COMPARE(threadCount(), threads);
    for (const std::size_t rank : {0, 2}) {
        QCOMPARE(ranks[rank].goodbye.outcome, wire::Outcome::Failed);
        const QString said = QString::fromStdString(ranks[rank].goodbye.message);
        QVERIFY2(said.contains("rank 1 (process ") && said.contains("has left the group"), qPrintable(said));
    }
    QVERIFY(ranks[1].goodbye.message.find("broken on purpose") != std::string::npos);
}

void TestPipelineTraining::linksAreForMessagesOnly()
{
    QFETCH(QString, transport);
    Extras extras;
    extras.answer = [asked = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (std::holds_alternative<wire::StepBatch>(message) && asked++ == 0) {
            return {{wire::Command::SetLink, -1, 5.0}, {wire::Command::Stop, -1, 0.0}};
        }
        return {};
    };
    const auto ranks = trainedRanks(pipelineOf(2, "net.name=mlp train.steps=1000000" + transport), 2, extras);
    bool isApplied = false;
    for (const auto& applied : ranks[0].kept->all<wire::Applied>()) {
        isApplied = isApplied || applied.command == wire::Command::SetLink;
    }
    QCOMPARE(isApplied, !transport.contains("rpc"));
    QCOMPARE(ranks[0].goodbye.outcome, wire::Outcome::Stopped);
}

void TestPipelineTraining::aRankThatNeverAnswersIsGivenUp()
{
    QFETCH(QString, transport);
    Extras extras;
    extras.hooks[1].onGradient = [](std::int64_t step, torch::Tensor&) {
        if (step == 3) {
            QTest::qSleep(1500);
        }
    };
    const auto ranks = trainedRanks(pipelineOf(2, "net.name=mlp comm.timeout_s=0.5" + transport), 2, extras);
    const QString said = QString::fromStdString(ranks[0].goodbye.message);
    QCOMPARE(ranks[0].goodbye.outcome, wire::Outcome::Failed);
    QVERIFY2(said.contains("rank 0 has waited 0 s for rank 1"), qPrintable(said));
    QCOMPARE(ranks[1].goodbye.outcome, wire::Outcome::Failed);
}

LOCKSTEP_TEST(TestPipelineTraining)
#include "test_pipeline_training.moc"
