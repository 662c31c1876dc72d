// Sharded data parallelism against data parallelism with the same order of additions: to the last bit. What each rank
// keeps, and what goes over between the ranks.
#include "core/engine/comm/group.h"
#include "core/engine/strategy/trained_ranks.h"
#include "core/plan/formulas.h"
#include "engine/model/evaluation.h"
#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/joined_weights.h"
#include "engine/strategy/zero/shards.h"
#include "engine/strategy/zero/unit_exchange.h"
#include "plan/net.h"
#include "program/sanitizer.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

using Overrides = std::vector<experiment::Override>;

const QString ZeroText
    = QStringLiteral("dataset.name=text net.name=gpt net.width=16 net.heads=2 net.blocks=2 "
                     "net.context=16 dataset.train_samples=64 dataset.test_samples=21 train.batch=12 ");

Overrides zeroSettings(const QString& settings)
{
    return withSettings({{"dataset.train_samples", "600"}, {"dataset.test_samples", "131"}, {"train.steps", "20"},
                            {"rank.bind", "false"}},
        settings);
}

experiment::RunSpec zeroOf(int stage, int ranks, const QString& settings)
{
    Overrides overrides = zeroSettings(settings);
    overrides.push_back({"strategy.name", "zero"});
    overrides.push_back({"world_size", std::to_string(ranks)});
    overrides.push_back({"zero.stage", std::to_string(stage)});
    return runOf(overrides);
}

/// Data parallelism that counts every sample the same.
experiment::RunSpec dataOf(int ranks, const QString& settings)
{
    Overrides overrides = zeroSettings(settings);
    std::erase_if(overrides, [](const experiment::Override& each) { return each.name.starts_with("zero."); });
    overrides.push_back({"strategy.name", "data"});
    overrides.push_back({"world_size", std::to_string(ranks)});
    overrides.push_back({"aggregation.rule", "weighted_mean"});
    return runOf(overrides);
}

struct ZeroOutcome : TrainedRun {
    std::string failure;

    [[nodiscard]] TestScore score() const
    {
        const auto all = ranks.front().kept->all<wire::Evaluation>();
        return {all.back().accuracy, all.back().loss};
    }
    [[nodiscard]] double trainLoss() const { return ranks.front().kept->all<wire::Evaluation>().back().trainLoss; }
};

ZeroOutcome trainedByZero(const experiment::RunSpec& run, int ranks, Extras extras = {})
{
    ZeroOutcome outcome{trainedRun(run, ranks, std::move(extras)), {}};
    for (const TrainedRank& rank : outcome.ranks) {
        if (rank.goodbye.outcome != wire::Outcome::Finished) {
            outcome.failure = rank.goodbye.message;
        }
    }
    return outcome;
}

/// Does the passes of a net of sharded units one by one, and checks which units have their weights.
class UnitPasses {
public:
    using Pass = UnitExchange::Pass;
    struct One {
        std::size_t unit;
        std::optional<std::size_t> next;
        Pass pass;
        const char* during; ///< a letter per unit: x has its weights
        const char* after;
    };

    UnitPasses(ShardedNet& net, comm::WatchedCommunicator& group)
        : m_units(net.shards.units)
        , m_exchange(net.shards, net.net, group, plan::ZeroStage::Parameters, UnitExchange::Prefetch::Yes)
    { }

    Result<void> check(const One& one)
    {
        LOCKSTEP_TRY(m_exchange.need(one.unit, one.next));
        LOCKSTEP_TRY(compare(one.during));
        if (one.pass == Pass::Backward) {
            LOCKSTEP_TRY(m_exchange.openGradients(one.unit));
            m_exchange.zeroGradients(one.unit);
        }
        m_exchange.release(one.unit, one.pass);
        if (one.pass == Pass::Backward) {
            m_exchange.reduce(one.unit, UnitExchange::Sum::Replaces);
        }
        return compare(one.after);
    }

    Result<void> finish() { return m_exchange.finish(); }

private:
    Result<void> compare(const std::string& expected) const
    {
        std::string present;
        for (const ShardedUnit& unit : m_units) {
            present += unit.weights.storage().nbytes() > 0 ? 'x' : '-';
        }
        return present == expected ? Result<void>() : Error{"there are " + present + ", not " + expected};
    }

    const std::vector<ShardedUnit>& m_units;
    UnitExchange m_exchange;
};

} // namespace

class TestZero : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void weightsAreThoseOfDataParallelism_data();
    void weightsAreThoseOfDataParallelism();
    void othersAddInAnotherOrder_data();
    void othersAddInAnotherOrder();
    void verificationFindsNoDifference();
    void aBrokenGradientIsFoundOut();
    void bytesAreThoseOfTheFormula_data();
    void bytesAreThoseOfTheFormula();
    void noRankKeepsMoreThanItsPart();
    void unitsAreThereWhileTheyWork();
    void fetchingAheadIsHidden();
    void resumingChangesNothing_data();
    void resumingChangesNothing();
    void weightsAreJoined();
    void commandsTakeEffectAtTheSameStepEverywhere();
};

void TestZero::weightsAreThoseOfDataParallelism_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    const auto add = [](int ranks, const QString& settings) {
        QTest::addRow("%d ranks, %s", ranks, qPrintable(settings)) << ranks << settings;
    };
    for (const int ranks : {2, 3, 4}) {
        add(ranks, "net.name=mlp net.hidden=50 train.batch=64");
        add(ranks, "net.name=deep-mlp net.hidden=33 train.batch=64 optimizer.name=adam optimizer.lr=0.001");
        add(ranks, ZeroText + "net.tied=true train.steps=8 optimizer.name=adam optimizer.lr=0.001");
    }
    add(1, "net.name=mlp train.batch=32");
    add(2, "net.name=logistic train.batch=32 optimizer.name=momentum");
    add(2, "net.name=mlp net.hidden=50 train.batch=64 zero.prefetch=false");
    // More than what is sent at once.
    add(3, "net.name=mlp net.hidden=1500 train.batch=30 train.steps=4 optimizer.name=adamw optimizer.lr=0.001");
    add(3, "net.name=cnn train.batch=12 train.steps=2 dataset.test_samples=7 optimizer.name=adam optimizer.lr=0.001");
    add(4, "net.name=lenet5 train.batch=24 train.steps=6");
    add(3, ZeroText + "train.steps=8");
    add(2, ZeroText + "net.tied=true train.steps=8 train.dtype=float64 zero.prefetch=false");
    add(3, "net.name=deep-mlp net.hidden=24 train.batch=64 train.dtype=float64 optimizer.name=nesterov");
    // The last batch of an epoch has one sample: two ranks have none.
    add(3, "net.name=deep-mlp net.hidden=16 dataset.train_samples=161 train.batch=40 optimizer.name=adam");
    add(3, "net.name=cnn dataset.train_samples=13 train.batch=6 train.steps=3 dataset.test_samples=7");
    add(3, ZeroText + "net.tied=true dataset.train_samples=25 train.steps=5");
    add(4, "net.name=mlp partition.name=unequal train.batch=50");
    add(2, "net.name=mlp train.batch=16 train.batch_of=rank optimizer.scale_lr=linear");
}

void TestZero::weightsAreThoseOfDataParallelism()
{
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    const ZeroOutcome data = trainedByZero(dataOf(ranks, settings), ranks);
    QVERIFY2(data.failure.empty(), data.failure.c_str());
    for (const int stage : {1, 2, 3}) {
        const ZeroOutcome zero = trainedByZero(zeroOf(stage, ranks, settings), ranks);
        QVERIFY2(zero.failure.empty(), zero.failure.c_str());
        for (const torch::Tensor& weights : zero.weights) {
            QVERIFY2(torch::equal(weights, data.weights.front()),
                qPrintable(QStringLiteral("stage %1: %2 apart")
                               .arg(stage)
                               .arg(largestDifference(weights, data.weights.front()))));
        }
        QCOMPARE(lossesOf(zero.ranks), lossesOf(data.ranks));
        QCOMPARE(zero.score().accuracy, data.score().accuracy);
        QVERIFY(std::abs(zero.score().loss - data.score().loss) < 1e-6);
        QVERIFY(std::abs(zero.trainLoss() - data.trainLoss()) < 1e-6);
        QVERIFY(ranks == 1 || zero.ranks[1].kept->all<wire::Evaluation>().empty()); // one rank reports
    }
}

void TestZero::othersAddInAnotherOrder_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addRow("clipping: a norm of parts") << "net.name=mlp optimizer.clip=0.1";
    QTest::addRow("clipping, adam") << "net.name=deep-mlp net.hidden=24 optimizer.clip=0.05 optimizer.name=adam";
    QTest::addRow("micro-batches") << "net.name=deep-mlp net.hidden=24 train.accumulate=4";
    // Ranks with 4, 4 and 3 samples in the last batch of an epoch, so that one has an empty micro-batch.
    QTest::addRow("an empty micro-batch") << "net.name=deep-mlp net.hidden=24 dataset.train_samples=161 "
                                             "train.accumulate=4 optimizer.name=adam optimizer.lr=0.001";
    QTest::addRow("micro-batches of a tied net") << ZeroText + "net.tied=true train.accumulate=3 train.steps=8";
    QTest::addRow("gloo") << "net.name=mlp comm.backend=gloo train.steps=8";
    QTest::addRow("links")
        << "net.name=deep-mlp net.hidden=24 link.latency_us=50 link.bandwidth_mbps=4000 train.steps=8";
}

void TestZero::othersAddInAnotherOrder()
{
    QFETCH(QString, settings);
    const QString exact = settings + " train.batch=50 train.dtype=float64";
    const ZeroOutcome data = trainedByZero(dataOf(3, exact), 3);
    QVERIFY2(data.failure.empty(), data.failure.c_str());
    for (const int stage : {1, 2, 3}) {
        const ZeroOutcome zero = trainedByZero(zeroOf(stage, 3, exact), 3);
        QVERIFY2(zero.failure.empty(), zero.failure.c_str());
        const double apart = largestDifference(zero.weights.front(), data.weights.front());
        QVERIFY2(apart <= 1e-12, qPrintable(QStringLiteral("stage %1: %2 apart").arg(stage).arg(apart)));
        QVERIFY(torch::equal(zero.weights.front(), zero.weights.back()));
    }
    // Without clipping the weights are others.
    const ZeroOutcome without
        = trainedByZero(dataOf(3, QString(exact).remove(QRegularExpression("optimizer.clip=\\S+"))), 3);
    QCOMPARE(largestDifference(without.weights.front(), data.weights.front()) > 1e-6, settings.contains("clip"));
}

void TestZero::verificationFindsNoDifference()
{
    for (const auto& [stage, microBatches] : {std::pair{1, "1"}, {2, "1"}, {3, "1"}, {1, "3"}, {2, "3"}, {3, "3"}}) {
        const ZeroOutcome zero
            = trainedByZero(zeroOf(stage, 3,
                                QString("net.name=deep-mlp net.hidden=24 train.batch=50 verify=true "
                                        "train.dtype=float64 partition.name=unequal train.accumulate=%1")
                                    .arg(microBatches)),
                3);
        QVERIFY2(zero.failure.empty(), zero.failure.c_str());
        const auto found = zero.ranks.front().kept->all<wire::Verification>();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().steps, std::int64_t{20});
        QVERIFY2(found.front().maxRelativeDifference < 1e-12,
            qPrintable(QString::number(found.front().maxRelativeDifference)));
    }
}

void TestZero::aBrokenGradientIsFoundOut()
{
    for (const int stage : {1, 2, 3}) {
        Extras extras;
        extras.hooks[1].onGradient = [](std::int64_t step, torch::Tensor& gradients) {
            if (step == 7) {
                gradients.mul_(-1.0);
            }
        };
        const ZeroOutcome zero = trainedByZero(zeroOf(stage, 2, "net.name=mlp verify=true"), 2, extras);
        const auto found = zero.ranks.front().kept->all<wire::Verification>();
        QVERIFY(found.at(0).maxRelativeDifference > 1e-3);
        QVERIFY(found.at(0).atStep >= 8);
    }
}

void TestZero::bytesAreThoseOfTheFormula_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    for (const int ranks : {2, 3, 4}) {
        QTest::addRow("%d ranks", ranks) << ranks << "net.name=deep-mlp net.hidden=64 net.depth=9";
    }
    QTest::addRow("links") << 3 << "net.name=deep-mlp net.hidden=64 net.depth=9 link.latency_us=10 train.steps=5";
    QTest::addRow("tied") << 2 << ZeroText + "net.tied=true";
    QTest::addRow("micro-batches") << 2 << "net.name=deep-mlp net.hidden=64 net.depth=9 train.accumulate=4";
}

void TestZero::bytesAreThoseOfTheFormula()
{
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    const auto bytesOf = [](const ZeroOutcome& outcome) {
        const KeptRows rows = outcome.ranks.back().kept->rows();
        if (!outcome.failure.empty()) {
            return -1.0;
        }
        for (const std::int64_t bytes : rows.bytesSent) {
            if (bytes != rows.bytesSent.front()) {
                return -1.0;
            }
        }
        return static_cast<double>(rows.bytesSent.front());
    };
    const auto near = [](double a, double b) { return std::abs(a - b) <= 0.01 * b; }; // gaps between parameters
    const double data = bytesOf(trainedByZero(dataOf(ranks, settings), ranks));
    for (const int stage : {1, 2, 3}) {
        const auto run = zeroOf(stage, ranks, settings);
        const double bytes = bytesOf(trainedByZero(run, ranks));
        const std::vector<plan::NetUnit> units = plan::netUnits(run);
        const bool isTied = settings.contains("tied");
        const std::int64_t kept = units.back().parameters + (isTied ? units.front().parameters : 0);
        const double wanted = 4.0
            * tests::numbersSent(static_cast<plan::ZeroStage>(stage), ranks, plan::parametersOf(units), kept,
                run.settings->train.accumulate);
        QVERIFY2(
            near(bytes, wanted), qPrintable(QStringLiteral("stage %1: %2, not %3").arg(stage).arg(bytes).arg(wanted)));
        const bool isInOnePiece = run.settings->train.accumulate == 1;
        QVERIFY(isTied || !isInOnePiece || near(bytes, (stage == 3 ? 1.5 : 1.0) * data));
    }
}

void TestZero::noRankKeepsMoreThanItsPart()
{
    constexpr int Ranks = 4;
    const auto run = zeroOf(3, Ranks, "net.name=deep-mlp net.hidden=64 net.depth=9");
    const auto whole = makeNet(run, torch::kCPU);
    std::int64_t kept = 0;
    for (int rank = 0; rank < Ranks; ++rank) {
        auto made = makeShardedNet(run, torch::kCPU, rank, Ranks);
        QVERIFY(made);
        const auto bytes
            = [](const torch::Tensor& tensor) { return static_cast<std::int64_t>(tensor.storage().nbytes()); };
        kept += bytes(made->kept.weights());
        QCOMPARE(bytes(made->kept.gradients()), bytes(made->kept.weights()));
        for (std::size_t unit = 0; unit < made->shards.units.size(); ++unit) {
            QCOMPARE(bytes(made->shards.units[unit].weights), std::int64_t{0});
            QVERIFY(made->shards.weights[unit].is_alias_of(made->kept.weights()));
            QVERIFY(made->shards.gradients[unit].is_alias_of(made->kept.gradients()));
        }
        for (const NamedTensor& parameter : made->net.parameters()) {
            QCOMPARE(bytes(parameter.tensor), std::int64_t{0});
            QVERIFY(!parameter.tensor.grad().defined());
        }
        QCOMPARE(made->net.parameterCount(), whole->parameterCount());
    }
    const std::int64_t all = whole->parameterCount() * 4;
    QVERIFY(kept >= all && kept < all + all / 100);

    // Stage 2 has all weights, once: the rank's own part is a view.
    auto second = makeShardedNet(zeroOf(2, Ranks, "net.name=mlp"), torch::kCPU, 1, Ranks);
    for (const NamedTensor& parameter : second->net.parameters()) {
        QVERIFY(parameter.tensor.is_alias_of(second->kept.weights()));
    }
    for (const torch::Tensor& own : second->shards.weights) {
        QVERIFY(own.is_alias_of(second->kept.weights()));
    }
    QCOMPARE(second->kept.gradients().numel() * Ranks, second->kept.weights().numel());
}

void TestZero::unitsAreThereWhileTheyWork()
{
    using Pass = UnitExchange::Pass;
    const auto run = zeroOf(3, 2, ZeroText + "net.tied=true");
    const auto results = asRanks(2, [&](comm::Communicator& group) -> Result<void> {
        auto made = makeShardedNet(run, torch::kCPU, group.rank(), 2); // embedding, two blocks, head
        LOCKSTEP_TRY_ASSIGN(auto ranks, group.split(0, group.rank()));
        comm::WatchedCommunicator watched(std::move(ranks));
        UnitPasses passes(*made, watched);
        // The embedding stays, because the head uses it as well; the head stays for its backward.
        for (const UnitPasses::One& one :
            {UnitPasses::One{0, 1, Pass::Forward, "xx--", "xx--"}, {1, 2, Pass::Forward, "xxx-", "x-x-"},
                {2, 3, Pass::Forward, "x-xx", "x--x"}, {3, std::nullopt, Pass::Forward, "x--x", "x--x"},
                {3, 2, Pass::Backward, "x-xx", "x-x-"}, {2, 1, Pass::Backward, "xxx-", "xx--"},
                {1, 0, Pass::Backward, "xx--", "x---"}, {0, std::nullopt, Pass::Backward, "x---", "----"}}) {
            LOCKSTEP_TRY(passes.check(one));
        }
        LOCKSTEP_TRY(passes.finish());
        for (const NamedTensor& parameter : made->net.parameters()) {
            if (parameter.tensor.grad().defined()) {
                return Error{parameter.name + " still has a gradient"};
            }
        }
        return {};
    });
    QCOMPARE(firstError(results), std::string());
}

void TestZero::fetchingAheadIsHidden()
{
    if (IsSanitized) {
        QSKIP("a sanitizer's own time is measured with it");
    }
    // With a link of 300 us per message, overlap with arithmetic becomes visible.
    const QString settings = "net.name=deep-mlp net.hidden=256 net.depth=9 train.batch=512 train.steps=6 "
                             "dataset.train_samples=1024 link.latency_us=300 zero.prefetch=";
    const auto hiddenOf = [](const ZeroOutcome& outcome) {
        std::vector<std::int64_t> hidden = outcome.ranks.front().kept->rows().hiddenNs;
        std::sort(hidden.begin(), hidden.end());
        return hidden[hidden.size() / 2];
    };
    const std::int64_t ahead = hiddenOf(trainedByZero(zeroOf(3, 2, settings + "true"), 2));
    const std::int64_t not_ = hiddenOf(trainedByZero(zeroOf(3, 2, settings + "false"), 2));
    QVERIFY2(ahead > not_ + 500'000, qPrintable(QStringLiteral("%1 and %2 ns").arg(ahead).arg(not_)));
}

void TestZero::resumingChangesNothing_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    for (const int stage : {1, 2, 3}) {
        QTest::addRow("stage %d, deep-mlp", stage)
            << stage << 3 << "net.name=deep-mlp net.hidden=24 optimizer.name=adam train.batch=32";
        QTest::addRow("stage %d, gpt", stage) << stage << 2 << ZeroText + "net.tied=true optimizer.name=momentum";
    }
}

void TestZero::resumingChangesNothing()
{
    QFETCH(int, stage);
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    QTemporaryDir folder;
    const ZeroOutcome whole
        = trainedByZero(zeroOf(stage, ranks, settings + " checkpoint.every=5 checkpoint.path=" + folder.path()), ranks);
    QVERIFY2(whole.failure.empty(), whole.failure.c_str());
    const auto all = checkpointsIn(folder.path().toStdString());
    QVERIFY(all.size() >= 2);
    QTemporaryDir other;
    const QString from = " checkpoint.path=" + other.path() + " checkpoint.from=" + QString::fromStdString(all.front());
    const ZeroOutcome rest = trainedByZero(zeroOf(stage, ranks, settings + from), ranks);
    QVERIFY2(rest.failure.empty(), rest.failure.c_str());
    QVERIFY(torch::equal(whole.weights.front(), rest.weights.front()));
    QCOMPARE(rest.ranks.front().kept->rows().step.front(), readManifest(all.front())->step + 1);
    // Another stage cuts otherwise.
    const ZeroOutcome refused = trainedByZero(zeroOf(stage % 3 + 1, ranks, settings + from), ranks);
    QVERIFY2(refused.failure.find("was made with zero.stage") != std::string::npos, refused.failure.c_str());
}

void TestZero::weightsAreJoined()
{
    // A first tensor that is sent in more than one piece.
    const QString settings = "net.name=mlp net.hidden=1500 train.batch=30 train.steps=3";
    for (const int stage : {1, 2, 3}) {
        QTemporaryDir folder;
        const ZeroOutcome zero
            = trainedByZero(zeroOf(stage, 3, settings + " checkpoint.every=3 checkpoint.path=" + folder.path()), 3);
        QVERIFY2(zero.failure.empty(), zero.failure.c_str());
        const auto all = checkpointsIn(folder.path().toStdString());
        const std::string file = folder.filePath("joined.safetensors").toStdString();
        QCOMPARE(messageOf(joinWeights(all.back(), file, WeightsFormat::Safetensors)), std::string());
        const auto read = readTensorFile(file);
        QVERIFY2(read && read->tensors, messageOf(read).c_str());
        const Tensors& joined = *read->tensors;
        const auto net = makeNet(zeroOf(stage, 3, settings), torch::kCPU);
        QCOMPARE(joined.size(), net->parameters().size());
        const FlatLayout layout = layoutOf(net->parameters());
        for (std::size_t i = 0; i < layout.ranges.size(); ++i) {
            const NamedTensor& parameter = net->parameters()[i];
            const auto [first, count] = layout.ranges[i];
            QVERIFY(torch::equal(joined.at(parameter.name),
                zero.weights.front().narrow(0, first, count).view(parameter.tensor.sizes())));
        }
    }
}

void TestZero::commandsTakeEffectAtTheSameStepEverywhere()
{
    for (const int stage : {1, 3}) {
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
            = trainedRanks(zeroOf(stage, 3, "net.name=deep-mlp net.hidden=16 train.steps=1000000"), 3, extras);
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
}

LOCKSTEP_TEST(TestZero)
#include "test_zero.moc"
