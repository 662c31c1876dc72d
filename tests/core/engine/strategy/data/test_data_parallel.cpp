// Data parallelism in this process: equal to one process, agreed steps, and what a broken rank does to verification.
#include "core/engine/strategy/trained_ranks.h"
#include "program/test_class.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

std::vector<experiment::Override> settings(int ranks, std::vector<experiment::Override> more = {})
{
    std::vector<experiment::Override> overrides{{"strategy.name", "data"}, {"world_size", std::to_string(ranks)},
        {"dataset.train_samples", "600"}, {"dataset.test_samples", "100"}, {"train.batch", "64"}, {"train.steps", "25"},
        {"verify", "true"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
}

/// The first message of a rank that did not finish.
QString failureOf(const std::vector<TrainedRank>& ranks)
{
    for (const TrainedRank& rank : ranks) {
        if (rank.goodbye.outcome != wire::Outcome::Finished) {
            return QString::fromStdString(rank.goodbye.message);
        }
    }
    return {};
}

wire::Verification verificationOf(const std::vector<TrainedRank>& ranks)
{
    const auto found = ranks.front().kept->all<wire::Verification>();
    return found.size() == 1 ? found.front() : wire::Verification{0, std::nan(""), 0};
}

} // namespace

class TestDataParallel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void equalsOneProcess_data();
    void equalsOneProcess();
    void equalsASingleRun();
    void aBatchOfEachRankIsALargerBatch();
    void aBrokenGradientIsFoundOut();
    void sumIsAMeanWithALargerLearningRate();
    void localRanksMeetEveryKSteps();
    void commandsTakeEffectAtTheSameStepEverywhere();
    void theStragglerIsWaitedFor();
    void messagesOfTheRingAreTold();
    void theAsynchronousServerLearns();
    void stalenessCountsTheUpdatesInBetween();
    void theAsynchronousServerHoldsTheFastBack();
    void aLinkCanChangeUnderAnAsynchronousServer();
    void anotherSpecIsAnErrorEverywhere();
};

void TestDataParallel::equalsOneProcess_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    const auto add
        = [](int ranks, const char* text) { QTest::addRow("%d ranks, %s", ranks, text) << ranks << QString(text); };
    for (const char* algorithm : {"all_reduce", "reduce_broadcast", "gather_broadcast", "all_gather",
             "reduce_scatter_all_gather", "ring", "tree", "halving_doubling", "parameter_server"}) {
        add(3, qPrintable(QString("train.batch=63 aggregation.algorithm=") + algorithm)); // equal parts
    }
    add(1, "aggregation.algorithm=ring");
    add(4, "optimizer.name=adam optimizer.lr=0.001");
    add(2, "optimizer.name=gd optimizer.lr=0.1"); // at 0.5 rounding grows to 1e-4 on some processors
    add(2, "net.name=cnn train.steps=5");
    add(4, "aggregation.rule=median aggregation.algorithm=all_gather");
    add(4, "aggregation.rule=trimmed_mean aggregation.algorithm=parameter_server");
    add(3, "aggregation.rule=weighted_mean train.batch=50"); // unequal parts
    add(4, "aggregation.what=weights aggregation.every=4");
    add(3, "aggregation.what=weights aggregation.every=3 optimizer.name=momentum aggregation.rule=weighted_mean");
    add(3, "train.batch=63 aggregation.rule=sum optimizer.lr=0.01 optimizer.clip=1");
    add(3, "train.batch=63 link.latency_us=100 link.bandwidth_mbps=10000 link.ranks=1");
    add(4, "train.dtype=float64");
    add(4, "train.batch=595"); // the last batch of an epoch has 5 samples
    add(8, "train.batch=597 aggregation.rule=weighted_mean"); // and here 3: some ranks have none
}

void TestDataParallel::equalsOneProcess()
{
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    const auto results = trainedRanks(runOf(withSettings(::settings(ranks), settings)), ranks);
    QCOMPARE(failureOf(results), QString());
    const wire::Verification verification = verificationOf(results);
    qInfo("largest relative difference %.2g", verification.maxRelativeDifference);
    QVERIFY(verification.steps >= 5);
    // Unequal parts of a batch: only the weighted mean is the mean of the samples then.
    const bool areUneven = settings == "train.batch=595";
    QVERIFY(verification.maxRelativeDifference <= (areUneven ? 0.2 : 1e-5));
    // In float32 three other orders of sums show what rounding alone does.
    const bool isFloat64 = settings.contains("float64");
    QCOMPARE(verification.drifts.size(), isFloat64 ? std::size_t{0} : std::size_t{3});
    if (!isFloat64) {
        const double largest = *std::ranges::max_element(verification.drifts);
        qInfo("other orders of sums %.2g", largest);
        QVERIFY(largest > 0.0 && largest <= 1e-5);
        // "Within rounding" is up to 3 times the largest; how often chance exceeds that depends on the processor.
        const double lastPlaces = 4.0 * std::numeric_limits<float>::epsilon();
        QVERIFY(areUneven ? verification.maxRelativeDifference > 3.0 * largest
                          : verification.maxRelativeDifference <= std::max(10.0 * largest, lastPlaces));
    }
}

void TestDataParallel::equalsASingleRun()
{
    const std::vector<experiment::Override> data{{"dataset.train_samples", "600"}, {"dataset.test_samples", "100"},
        {"train.batch", "64"}, {"train.steps", "25"}};
    const auto single = trainedRanks(runOf(data), 1);
    const auto four = trainedRanks(runOf(settings(4)), 4);
    const auto losses = lossesOf(four);
    const auto wanted = lossesOf(single);
    QCOMPARE(losses.size(), std::size_t{25});
    QCOMPARE(wanted.size(), losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i) {
        QVERIFY(std::abs(losses[i] - wanted[i]) <= 1e-5 * wanted[i]);
    }
    const auto score = four.front().kept->all<wire::Evaluation>().back();
    const auto wantedScore = single.front().kept->all<wire::Evaluation>().back();
    QCOMPARE(score.accuracy, wantedScore.accuracy);
    QVERIFY(std::abs(score.trainLoss - wantedScore.trainLoss) <= 1e-5 * wantedScore.trainLoss);
    QVERIFY(four[1].kept->all<wire::Evaluation>().empty()); // one rank reports
}

void TestDataParallel::aBatchOfEachRankIsALargerBatch()
{
    const auto weak = trainedRanks(runOf(settings(3,
                                       {{"train.batch", "20"}, {"train.batch_of", "rank"}, {"optimizer.lr", "0.02"},
                                           {"optimizer.scale_lr", "linear"}})),
        3);
    QCOMPARE(failureOf(weak), QString());
    QVERIFY(verificationOf(weak).maxRelativeDifference <= 1e-5);
    const auto one = trainedRanks(runOf({{"dataset.train_samples", "600"}, {"dataset.test_samples", "100"},
                                      {"train.batch", "60"}, {"train.steps", "25"}, {"optimizer.lr", "0.06"}}),
        1);
    const auto losses = lossesOf(weak);
    const auto wanted = lossesOf(one);
    QCOMPARE(losses.size(), std::size_t{25});
    for (std::size_t i = 0; i < losses.size(); ++i) {
        QVERIFY(std::abs(losses[i] - wanted[i]) <= 1e-5 * wanted[i]);
    }
    const KeptRows rows = weak[1].kept->rows();
    QCOMPARE(rows.batch.front(), std::int64_t{20});
    QCOMPARE(rows.learningRate.front(), 0.06);
}

void TestDataParallel::aBrokenGradientIsFoundOut()
{
    Extras extras;
    extras.hooks[1].onGradient = [](std::int64_t step, torch::Tensor& gradients) {
        if (step == 7) {
            gradients.mul_(-1.0);
        }
    };
    const auto results = trainedRanks(runOf(settings(2)), 2, extras);
    QCOMPARE(failureOf(results), QString());
    const wire::Verification verification = verificationOf(results);
    QVERIFY(verification.maxRelativeDifference > 1e-3);
    QVERIFY(verification.atStep >= 8); // the step after which the weights were wrong
    QVERIFY(verification.maxRelativeDifference > 3.0 * *std::ranges::max_element(verification.drifts));
}

void TestDataParallel::sumIsAMeanWithALargerLearningRate()
{
    const auto sum
        = lossesOf(trainedRanks(runOf(settings(2, {{"aggregation.rule", "sum"}, {"optimizer.lr", "0.05"}})), 2));
    const auto mean = lossesOf(trainedRanks(runOf(settings(2, {{"optimizer.lr", "0.1"}})), 2));
    const auto same = lossesOf(trainedRanks(runOf(settings(2, {{"optimizer.lr", "0.05"}})), 2));
    QVERIFY(std::abs(sum.back() - mean.back()) < 1e-5);
    QVERIFY(std::abs(sum.back() - same.back()) > 1e-2);
}

void TestDataParallel::localRanksMeetEveryKSteps()
{
    const auto results
        = trainedRanks(runOf(settings(2, {{"aggregation.what", "weights"}, {"aggregation.every", "5"}})), 2);
    const KeptRows rows = results[1].kept->rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isMeeting = rows.step[i] % 5 == 0;
        QCOMPARE(rows.phaseNs[static_cast<std::size_t>(Phase::Communicate)][i] > 0, isMeeting);
        QCOMPARE(rows.bytesSent[i] > 0, isMeeting);
    }
}

void TestDataParallel::commandsTakeEffectAtTheSameStepEverywhere()
{
    for (const char* what : {"gradients", "weights"}) {
        Extras extras;
        extras.answer = [asked = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
            if (std::holds_alternative<wire::StepBatch>(message) && asked++ == 0) {
                return {{wire::Command::Pause, -1, 0.0}};
            }
            const auto* applied = std::get_if<wire::Applied>(&message);
            if (applied != nullptr && applied->command == wire::Command::Pause) {
                return {{wire::Command::SetStraggler, 1, 3.0}, {wire::Command::Resume, -1, 0.0}};
            }
            if (applied != nullptr && applied->command == wire::Command::Resume) {
                return {{wire::Command::Stop, -1, 0.0}};
            }
            return {};
        };
        const auto run = runOf(settings(3,
            {{"train.steps", "1000000"}, {"aggregation.what", what}, {"aggregation.every", "7"}, {"verify", "false"}}));
        const auto results = trainedRanks(run, 3, extras);
        std::map<wire::Command, std::set<std::int64_t>> steps;
        for (const TrainedRank& rank : results) {
            QCOMPARE(rank.goodbye.outcome, wire::Outcome::Stopped);
            QCOMPARE(rank.goodbye.step, results.front().goodbye.step);
            for (const auto& applied : rank.kept->all<wire::Applied>()) {
                steps[applied.command].insert(applied.step);
            }
        }
        QCOMPARE(steps.size(), std::size_t{4});
        for (const auto& [command, at] : steps) {
            QCOMPARE(at.size(), std::size_t{1});
        }
        QCOMPARE(*steps[wire::Command::Stop].begin(), results.front().goodbye.step + 1);
    }
}

void TestDataParallel::theStragglerIsWaitedFor()
{
    // The first rank computes meanwhile, and on a busy machine it is late itself: so the delay is many times a step.
    const auto results = trainedRanks(
        runOf(settings(2, {{"straggler.ranks", "1"}, {"straggler.delay_ms", "120"}, {"train.steps", "15"}})), 2);
    QCOMPARE(failureOf(results), QString());
    const auto medianWaitMs = [](const TrainedRank& rank) {
        const KeptRows rows = rank.kept->rows();
        std::vector<double> waits;
        for (const std::int64_t waitNs : rows.phaseNs[static_cast<std::size_t>(Phase::Wait)]) {
            waits.push_back(static_cast<double>(waitNs) / 1e6);
        }
        std::sort(waits.begin(), waits.end());
        return waits[waits.size() / 2];
    };
    const double first = medianWaitMs(results[0]);
    const double straggler = medianWaitMs(results[1]);
    QVERIFY2(
        first >= 105.0 && first > straggler, qPrintable(QStringLiteral("%1 ms and %2 ms").arg(first).arg(straggler)));
}

void TestDataParallel::messagesOfTheRingAreTold()
{
    // At least 100 ms, so that a step is sampled.
    const auto results
        = trainedRanks(runOf(settings(3, {{"aggregation.algorithm", "ring"}, {"straggler.delay_ms", "15"}})), 3);
    for (const TrainedRank& rank : results) {
        std::map<std::int64_t, int> sends;
        for (const auto& batch : rank.kept->all<wire::TrafficBatch>()) {
            for (const wire::TrafficRow& row : batch.rows) {
                QCOMPARE(row.number, sends[row.step]);
                ++sends[row.step];
                QVERIFY(row.bytes > 0 && row.durationNs > 0);
            }
        }
        QVERIFY(!sends.empty());
        for (const auto& [step, count] : sends) {
            QCOMPARE(count, 2 * (3 - 1));
        }
    }
}

void TestDataParallel::theAsynchronousServerLearns()
{
    const auto results = trainedRanks(
        runOf(settings(
            3, {{"aggregation.algorithm", "parameter_server_async"}, {"verify", "false"}, {"train.steps", "90"}})),
        3);
    QCOMPARE(failureOf(results), QString());
    const auto losses = lossesOf(results);
    QCOMPARE(losses.size(), std::size_t{90});
    QVERIFY(losses.back() < 0.6 * losses.front());
    const auto last = results.front().kept->all<wire::Evaluation>().back();
    QCOMPARE(last.step, std::int64_t{90});
    QVERIFY(last.trainLoss > 0.0 && last.trainLoss < 0.6 * losses.front()); // of the server's weights
}

/// With p ranks of s steps the server makes p s updates, each of which but a rank's own is seen once by the staleness
/// of that rank's next gradient, except those after its last.
void TestDataParallel::stalenessCountsTheUpdatesInBetween()
{
    const auto staleOf = [](const TrainedRank& rank) {
        std::vector<std::int64_t> staleness;
        for (const auto& batch : rank.kept->all<wire::StepBatch>()) {
            for (const StepRow& row : batch.rows) {
                staleness.push_back(row.staleness);
            }
        }
        return staleness;
    };
    const auto run = [](const char* ranks, const char* delayed) {
        return runOf(settings(QString::fromLatin1(ranks).toInt(),
            {{"aggregation.algorithm", "parameter_server_async"}, {"aggregation.staleness", "2"}, {"verify", "false"},
                {"straggler.ranks", delayed}, {"straggler.delay_ms", "8"}}));
    };
    const auto alone = trainedRanks(run("1", ""), 1);
    QCOMPARE(staleOf(alone[0]), std::vector<std::int64_t>(alone[0].kept->rows().step.size(), 0));
    // Rank 1 is slow: rank 0 may be two steps ahead, so that between two of rank 1's gradients it makes one, on
    // average, and never more than it may be ahead and behind.
    const auto two = trainedRanks(run("2", "1"), 2);
    const auto fast = staleOf(two[0]);
    const auto slow = staleOf(two[1]);
    const auto steps = static_cast<std::int64_t>(slow.size());
    QCOMPARE(fast.size(), slow.size());
    const auto sumOf = [](const std::vector<std::int64_t>& values) {
        return std::accumulate(values.begin(), values.end(), std::int64_t{0});
    };
    for (const auto& staleness : {fast, slow}) {
        QVERIFY2(sumOf(staleness) <= steps, qPrintable(QString::number(sumOf(staleness))));
        QVERIFY(*std::min_element(staleness.begin(), staleness.end()) >= 0);
        QVERIFY(*std::max_element(staleness.begin(), staleness.end()) <= 4);
    }
    QVERIFY2(sumOf(slow) >= steps / 2, qPrintable(QString::number(sumOf(slow))));
    // Other algorithms have none.
    const auto synchronous = trainedRanks(runOf(settings(2, {{"verify", "false"}})), 2);
    const auto none = staleOf(synchronous[0]);
    QVERIFY(!none.empty() && *std::max_element(none.begin(), none.end()) == -1);
}

void TestDataParallel::theAsynchronousServerHoldsTheFastBack()
{
    const auto run = [](const char* staleness) {
        return runOf(settings(2,
            {{"aggregation.algorithm", "parameter_server_async"}, {"aggregation.staleness", staleness},
                {"straggler.ranks", "1"}, {"straggler.delay_ms", "10"}, {"verify", "false"}}));
    };
    const auto waitOf = [](const TrainedRank& rank) {
        const auto waits = rank.kept->rows().phaseNs[static_cast<std::size_t>(Phase::Wait)];
        return static_cast<double>(std::accumulate(waits.begin(), waits.end(), std::int64_t{0})) / 1e6;
    };
    const auto bound = trainedRanks(run("1"), 2);
    QVERIFY(waitOf(bound[0]) > 150.0); // 25 steps of 10 ms, less the few that it may be ahead
    const auto free = trainedRanks(run("1000"), 2);
    QVERIFY(waitOf(free[0]) < 1.0);
}

/// The server's threads and the workers learn of a change at different messages.
void TestDataParallel::aLinkCanChangeUnderAnAsynchronousServer()
{
    Extras extras;
    extras.answer = [asked = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        const auto* batch = std::get_if<wire::StepBatch>(&message);
        if (batch == nullptr || ++asked > 40) {
            return {};
        }
        return {{wire::Command::SetLink, -1, asked % 2 == 1 ? 200.0 : 0.0}};
    };
    const auto run = runOf(settings(3,
        {{"aggregation.algorithm", "parameter_server_async"}, {"train.steps", "1500"}, {"train.epochs", "1000"},
            {"verify", "false"}}));
    const auto results = trainedRanks(run, 3, extras);
    for (const TrainedRank& rank : results) {
        QVERIFY2(rank.goodbye.outcome == wire::Outcome::Finished, rank.goodbye.message.c_str());
    }
    const auto applied = results.front().kept->all<wire::Applied>();
    QVERIFY2(applied.size() >= 3, qPrintable(QString::number(applied.size())));
}

void TestDataParallel::anotherSpecIsAnErrorEverywhere()
{
    std::vector<TrainedRank> results(2);
    std::vector<std::jthread> threads;
    const std::string group = "test-unequal-" + std::to_string(getpid());
    for (int rank = 0; rank < 2; ++rank) {
        threads.emplace_back([&, rank] {
            engine::Recorder recorder(std::make_unique<KeepingSink>(results[static_cast<std::size_t>(rank)].kept));
            const auto run = runOf(settings(2, {{"net.hidden", rank == 0 ? "128" : "64"}}));
            results[static_cast<std::size_t>(rank)].goodbye
                = engine::train(run, {Rank{rank}, 2, rank, group}, recorder);
        });
    }
    threads.clear();
    for (const TrainedRank& rank : results) {
        QCOMPARE(rank.goodbye.outcome, wire::Outcome::Failed);
        QVERIFY2(rank.goodbye.message.find("rank 1 was started with a different spec than rank 0") != std::string::npos,
            rank.goodbye.message.c_str());
    }
}

LOCKSTEP_TEST(TestDataParallel)
#include "test_data_parallel.moc"
