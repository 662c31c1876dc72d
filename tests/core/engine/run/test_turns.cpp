// A run that takes turns with others: it runs blocks of steps, holds between them without using the processor, and goes
// on after its last step without touching what it has learnt.
#include "core/engine/strategy/trained_ranks.h"
#include "program/test_class.h"

#include <QtTest>

#include <atomic>
#include <ctime>
#include <memory>
#include <set>
#include <utility>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr std::int64_t OwnSteps = 25;
constexpr double BlockSteps = 10;

std::vector<experiment::Override> settings(const std::string& strategy, int ranks)
{
    return {{"strategy.name", strategy}, {"world_size", std::to_string(ranks)}, {"dataset.train_samples", "600"},
        {"dataset.test_samples", "100"}, {"train.batch", "60"}, {"train.steps", std::to_string(OwnSteps)}};
}

double processSeconds()
{
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

/// The workbench's side. The first command goes out with the first message, while rank 0 loads; rank 0 begins late
/// enough to have it. Each hold of rank 0 is answered once the other ranks hold, too.
Extras workbench(double firstSteps, std::function<std::vector<wire::Control>(const wire::Message&)> answer)
{
    Extras extras;
    extras.answer = [firstSteps, answer = std::move(answer), isFirst = true](
                        const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (std::exchange(isFirst, false)) {
            return {{wire::Command::RunSteps, -1, firstSteps}};
        }
        if (std::holds_alternative<wire::Held>(message)) {
            QTest::qSleep(10);
        }
        return answer(message);
    };
    extras.hooks[0].onPrepared = [](engine::Job&) { QTest::qSleep(60); };
    return extras;
}

/// Holds the run before its first step, gives it `blocks` turns, then stops it.
Extras turns(int blocks)
{
    return workbench(0.0, [given = 0, blocks](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (!std::holds_alternative<wire::Held>(message)) {
            return {};
        }
        return {given++ < blocks ? wire::Control{wire::Command::RunSteps, given, BlockSteps}
                                 : wire::Control{wire::Command::Stop, -1, 0.0}};
    });
}

/// The same for several ranks, of which some may be late: a hold of rank 0 is answered when the others hold, too.
Extras turnsOf(int ranks, int blocks)
{
    Extras extras = turns(blocks);
    const auto held = std::make_shared<std::atomic<int>>(0);
    extras.others = [held](const wire::Message& message) { *held += std::holds_alternative<wire::Held>(message); };
    extras.answer = [held, ranks, count = 0, answer = extras.answer](const wire::Message& message) mutable {
        if (std::holds_alternative<wire::Held>(message)) {
            ++count;
            for (int ms = 0; ms < 20'000 && *held < count * (ranks - 1); ++ms) {
                QTest::qSleep(1);
            }
        }
        return answer(message);
    };
    return extras;
}

} // namespace

class TestTurns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void learnsTheSame_data();
    void learnsTheSame();
    void blocksCountTheirSteps();
    void holdingCostsNothing();
    void aHeldRunCanBeStopped();
    void aHeldRunCanBePaused();
    void aCommandForAStepBeyondTheBlockIsReadInTheHold();
    void theFirstRunHoldsAtItsEnd();
    void anAsynchronousServerKeepsItsWeightsWhileItIsMeasured();
};

void TestTurns::learnsTheSame_data()
{
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("ranks");
    QTest::addRow("single") << "single" << 1;
    QTest::addRow("data") << "data" << 2;
    QTest::addRow("zero") << "zero" << 2;
    QTest::addRow("local") << "local" << 2;
    QTest::addRow("pipeline") << "pipeline" << 2;
    QTest::addRow("tensor") << "tensor" << 2;
}

/// Also where steps are measured after the last one: losses, weights and evaluations are those of the run alone.
void TestTurns::learnsTheSame()
{
    QFETCH(QString, strategy);
    QFETCH(int, ranks);
    const auto run = runOf(settings(strategy.toStdString(), ranks));
    const TrainedRun alone = finishedRun(run, ranks);
    const TrainedRun inTurns = trainedRun(run, ranks, turnsOf(ranks, 6));
    QCOMPARE(lossesOf(inTurns.ranks), lossesOf(alone.ranks));
    std::set<std::vector<std::int64_t>> places;
    for (int rank = 0; rank < ranks; ++rank) {
        const TrainedRank& of = inTurns.ranks[static_cast<std::size_t>(rank)];
        QVERIFY2(of.goodbye.outcome == wire::Outcome::Finished, of.goodbye.message.c_str());
        QCOMPARE(of.goodbye.step, OwnSteps);
        QCOMPARE(of.kept->rows().size(), static_cast<std::size_t>(OwnSteps));
        std::vector<std::int64_t> steps;
        for (const wire::Held& held : of.kept->all<wire::Held>()) {
            steps.push_back(held.step);
        }
        places.insert(steps);
        QVERIFY(of.kept->all<wire::Applied>().empty()); // turns are no interventions
        for (const auto& batch : of.kept->all<wire::SpanBatch>()) {
            for (const wire::SpanRow& span : batch.rows) {
                QVERIFY(span.step <= OwnSteps);
            }
        }
    }
    QCOMPARE(places.size(), std::size_t{1}); // every rank holds at the same steps
    const std::vector<std::int64_t>& steps = *places.begin();
    QCOMPARE(steps.size(), std::size_t{7});
    QVERIFY(steps.back() > OwnSteps);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        QCOMPARE(steps[i] - steps[i - 1], static_cast<std::int64_t>(BlockSteps));
    }
    QCOMPARE(inTurns.ranks.front().kept->all<wire::Evaluation>().size(),
        alone.ranks.front().kept->all<wire::Evaluation>().size());
}

void TestTurns::blocksCountTheirSteps()
{
    auto overrides = settings("single", 1);
    overrides.push_back({"train.evaluate_every", "100000"}); // evaluated after the last step alone: in the third block
    const auto ranks = trainedRanks(runOf(overrides), 1, turns(5));
    const auto held = ranks.front().kept->all<wire::Held>();
    QCOMPARE(held.size(), std::size_t{6});
    QCOMPARE(held.front().block, std::int64_t{0});
    const KeptRows rows = ranks.front().kept->rows();
    for (std::size_t i = 1; i < held.size(); ++i) {
        QCOMPARE(held[i].block, static_cast<std::int64_t>(i));
        const bool isEvaluated = held[i - 1].step < OwnSteps && held[i].step > OwnSteps;
        const auto gaps = isEvaluated ? 2 : 1;
        QCOMPARE(held[i].steps, static_cast<std::int64_t>(BlockSteps) - gaps * wire::UncountedSteps);
        QCOMPARE(held[i].samples, held[i].steps * 60);
        QVERIFY(held[i].startNs >= held[i - 1].timeNs);
        QVERIFY(held[i].wallNs > 0 && held[i].wallNs < held[i].timeNs - held[i].startNs);
        if (held[i].step <= OwnSteps) {
            std::int64_t wall = 0;
            for (auto row = static_cast<std::size_t>(held[i].step - held[i].steps);
                 row < static_cast<std::size_t>(held[i].step); ++row) {
                wall += rows.wallNs[row];
            }
            QCOMPARE(held[i].wallNs, wall);
        }
    }
}

void TestTurns::holdingCostsNothing()
{
    auto used = std::make_shared<double>(-1.0);
    const auto extras = workbench(0.0, [used, isHeld = false](const wire::Message& message) mutable {
        std::vector<wire::Control> answer;
        if (std::holds_alternative<wire::Held>(message) && !isHeld) {
            isHeld = true;
            const double before = processSeconds(); // of this thread, which sleeps, and of the ranks
            QTest::qSleep(600);
            *used = processSeconds() - before;
            answer = {{wire::Command::RunSteps, -1, 1000.0}, {wire::Command::Stop, -1, 0.0}};
        }
        return answer;
    });
    const auto ranks = trainedRanks(runOf(settings("data", 3)), 3, extras);
    QCOMPARE(ranks.front().goodbye.outcome, wire::Outcome::Stopped);
    QVERIFY2(*used >= 0.0 && *used < 0.03, qPrintable(QString::number(*used)));
}

void TestTurns::aHeldRunCanBeStopped()
{
    const auto ranks = trainedRanks(runOf(settings("data", 2)), 2, turns(1));
    for (const TrainedRank& rank : ranks) {
        QCOMPARE(rank.goodbye.outcome, wire::Outcome::Stopped);
        QVERIFY(rank.goodbye.step >= static_cast<std::int64_t>(BlockSteps) && rank.goodbye.step < OwnSteps);
    }
    QCOMPARE(ranks.front().kept->all<wire::Applied>().size(), std::size_t{1}); // before its end, a stop is told
}

/// A pause lasts, whatever turn comes in between.
void TestTurns::aHeldRunCanBePaused()
{
    const auto extras = workbench(0.0, [held = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (std::holds_alternative<wire::Held>(message)) {
            return {held++ == 0 ? wire::Control{wire::Command::Pause, -1, 0.0}
                                : wire::Control{wire::Command::Stop, -1, 0.0}};
        }
        const auto* applied = std::get_if<wire::Applied>(&message);
        if (applied != nullptr && applied->command == wire::Command::Pause) {
            return {{wire::Command::RunSteps, -1, BlockSteps}, {wire::Command::Resume, -1, 0.0}};
        }
        return {};
    });
    const auto ranks = trainedRanks(runOf(settings("data", 2)), 2, extras);
    const auto held = ranks.front().kept->all<wire::Held>();
    QCOMPARE(held.size(), std::size_t{2});
    QCOMPARE(held[1].step - held[0].step, static_cast<std::int64_t>(BlockSteps));
}

/// Local runs agree on the step after their next exchange: here that one lies beyond the block, and what ends the hold
/// is behind it on the board.
void TestTurns::aCommandForAStepBeyondTheBlockIsReadInTheHold()
{
    const auto extras = workbench(
        0.0, [held = 0, isSent = false](const wire::Message& message) mutable -> std::vector<wire::Control> {
            if (std::holds_alternative<wire::Held>(message)) {
                return {held++ == 0 ? wire::Control{wire::Command::RunSteps, 1, BlockSteps}
                                    : wire::Control{wire::Command::Stop, -1, 0.0}};
            }
            if (held == 1 && std::holds_alternative<wire::StepBatch>(message) && !std::exchange(isSent, true)) {
                return {{wire::Command::SetStraggler, 1, 1.0}};
            }
            return {};
        });
    auto overrides = settings("local", 2);
    overrides.push_back({"train.steps", "100"});
    overrides.push_back({"local.every", "16"}); // holds first after the first 16, then in mid-period
    overrides.push_back({"straggler.ranks", "0"});
    overrides.push_back({"straggler.delay_ms", "40"}); // so that the command comes before the block's end
    const auto ranks = trainedRanks(runOf(overrides), 2, extras);
    for (const TrainedRank& rank : ranks) {
        QCOMPARE(rank.goodbye.outcome, wire::Outcome::Stopped);
        QCOMPARE(rank.goodbye.step, 16 + static_cast<std::int64_t>(BlockSteps));
    }
    const auto applied = ranks.front().kept->all<wire::Applied>(); // which reports what it has passed on
    QCOMPARE(applied.front().command, wire::Command::SetStraggler);
    QCOMPARE(applied.front().step, 16 + static_cast<std::int64_t>(BlockSteps) + 1);
}

/// It starts at once, and waits at its end for the others, which still load.
void TestTurns::theFirstRunHoldsAtItsEnd()
{
    const auto extras = workbench(-1.0, [held = 0](const wire::Message& message) mutable -> std::vector<wire::Control> {
        if (std::holds_alternative<wire::Held>(message)) {
            return {held++ < 2 ? wire::Control{wire::Command::RunSteps, -1, BlockSteps}
                               : wire::Control{wire::Command::Stop, -1, 0.0}};
        }
        return {};
    });
    const auto ranks = trainedRanks(runOf(settings("data", 2)), 2, extras);
    const auto held = ranks.front().kept->all<wire::Held>();
    QCOMPARE(held.size(), std::size_t{3});
    QCOMPARE(held[0].step, OwnSteps);
    QCOMPARE(held[0].block, std::int64_t{0});
    QCOMPARE(held[1].steps, static_cast<std::int64_t>(BlockSteps) - wire::UncountedSteps);
    QCOMPARE(ranks.front().goodbye.outcome, wire::Outcome::Finished);
}

/// Its ranks are at different steps, and the last of their own may be in the middle of a block.
void TestTurns::anAsynchronousServerKeepsItsWeightsWhileItIsMeasured()
{
    auto overrides = settings("data", 2);
    overrides.push_back({"aggregation.algorithm", "parameter_server_async"});
    overrides.push_back({"optimizer.name", "adam"});
    const TrainedRun trained = trainedRun(runOf(overrides), 2, turnsOf(2, 6));
    for (const TrainedRank& rank : trained.ranks) {
        QVERIFY2(rank.goodbye.outcome == wire::Outcome::Finished, rank.goodbye.message.c_str());
        QCOMPARE(rank.goodbye.step, OwnSteps);
        QCOMPARE(rank.kept->rows().size(), static_cast<std::size_t>(OwnSteps));
        const auto held = rank.kept->all<wire::Held>();
        QCOMPARE(held.size(), std::size_t{7});
        QVERIFY(held.back().step > OwnSteps);
        QCOMPARE(held.back().steps, static_cast<std::int64_t>(BlockSteps) - wire::UncountedSteps);
    }
    // Each has read the server's weights after its own and the other's last step.
    QVERIFY(torch::equal(trained.weights[0], trained.weights[1]));
    QCOMPARE(trained.ranks.front().kept->all<wire::Evaluation>().back().step, OwnSteps);
}

LOCKSTEP_TEST(TestTurns)
#include "test_turns.moc"
