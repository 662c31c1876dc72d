// Who runs when, on simulated ranks: one at a time, every run once a round, until the differences are known or the
// limit is reached.
#include "core/experiment/overrides.h"
#include "launch/turn_taker.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <set>

using namespace lockstep;
using namespace lockstep::launch;

namespace {

experiment::RunSpec runNamed(const std::string& name, std::vector<experiment::Override> overrides = {})
{
    overrides.push_back({"strategy.name", overrides.empty() ? "single" : "data"});
    const experiment::Spec spec{"aggregation", {}, {{name, {}}}, 1};
    const auto changed = experiment::customise(spec, overrides, {});
    if (!changed) {
        qFatal("%s", changed.error().message.c_str());
    }
    return experiment::expand(*changed)->front();
}

experiment::RunSpec sweepNamed(const std::string& name)
{
    auto sweep = runNamed(name);
    sweep.settings["strategy.name"] = std::string("collectives");
    return sweep;
}

/// The ranks of some runs, as a TurnTaker sees them; a step of a run takes `ms` times a noise.
class Machine {
public:
    struct Run {
        double ms = 1.0;
        std::int64_t total = 100;
        std::int32_t ranks = 1;
        experiment::RunSpec spec = runNamed("any");
    };

    Machine(std::vector<Run> runs, double noise)
        : m_runs(std::move(runs))
        , m_noise(noise)
        , taker(
              [this](std::size_t run, const wire::Control& control) {
                  m_sent.push_back({run, control});
              },
              7,
              [this](std::size_t run, const std::vector<std::int64_t>& rounds) {
                  QVERIFY2(!leftOut.contains(run), "once");
                  leftOut[run] = rounds;
              })
    { }

    /// Starts them all; the first trains until the others are there, unless it is a sweep.
    void start()
    {
        for (std::size_t run = 0; run < m_runs.size(); ++run) {
            m_steps.push_back(0);
            m_isHeld.push_back(false);
            taker.add(m_runs[run].spec, m_runs[run].ranks);
            taker.onPrepared(run, m_runs[run].total);
            if (run > 0 || experiment::isSweep(m_runs[run].spec)) {
                hold(run, {});
            }
        }
        m_steps[0] = experiment::isSweep(m_runs[0].spec) ? 0 : 5;
        taker.allAdded();
    }

    /// Lets the ranks do what they were told, `turns` times or until nothing more is sent.
    void work(int turns = 100'000)
    {
        for (int i = 0; i < turns && !m_sent.empty(); ++i) {
            const auto [run, control] = m_sent.front();
            m_sent.pop_front();
            commands.push_back({run, control});
            if (control.command == wire::Command::Stop) {
                taker.onEnded(run);
            } else {
                carryOut(run, control);
            }
        }
    }

    /// The runs in the order in which they were given turns of `steps` > 0.
    [[nodiscard]] std::vector<std::size_t> turns() const
    {
        std::vector<std::size_t> runs;
        for (std::size_t i = 1; i < commands.size(); ++i) { // the first one is no turn: the others are loading
            const auto& [run, control] = commands[i];
            if (control.command == wire::Command::RunSteps && control.value > 0) {
                runs.push_back(run);
            }
        }
        return runs;
    }

    std::vector<std::pair<std::size_t, wire::Control>> commands;
    std::map<std::size_t, std::vector<std::int64_t>> leftOut; ///< as reported
    std::set<std::pair<std::size_t, std::int64_t>> stalls; ///< run and round

private:
    void carryOut(std::size_t run, const wire::Control& control)
    {
        if (control.value == 0.0 && m_isHeld[run]) {
            return; // as it does already
        }
        const bool isBlock = m_isHeld[run];
        const auto asked = static_cast<std::int64_t>(control.value);
        const std::int64_t steps = asked < 0 ? std::max<std::int64_t>(0, m_runs[run].total - m_steps[run]) : asked;
        m_steps[run] += steps;
        if (experiment::isSweep(m_runs[run].spec)) {
            return m_steps[run] < m_runs[run].total ? hold(run, {}) : taker.onEnded(run);
        }
        wire::Held held;
        if (asked > 0 && isBlock) {
            held.block = control.rank;
            held.startNs = m_now;
            held.steps = std::max<std::int64_t>(0, steps - wire::UncountedSteps);
            held.wallNs = static_cast<std::int64_t>(
                static_cast<double>(held.steps) * m_runs[run].ms * std::exp(m_noise * m_normal(m_random)) * 1e6);
            held.wallNs *= stalls.contains({run, held.block}) ? 8 : 1;
            m_now += held.wallNs + 1;
        }
        hold(run, held);
    }

    void hold(std::size_t run, wire::Held held)
    {
        m_isHeld[run] = true;
        held.step = m_steps[run];
        held.timeNs = m_now;
        for (std::int32_t rank = 0; rank < m_runs[run].ranks; ++rank) {
            taker.onHeld(run, rank, held);
        }
    }

    std::vector<Run> m_runs;
    std::vector<std::int64_t> m_steps;
    std::vector<bool> m_isHeld;
    std::deque<std::pair<std::size_t, wire::Control>> m_sent;
    std::mt19937_64 m_random{3};
    std::normal_distribution<double> m_normal;
    double m_noise;
    std::int64_t m_now = 1'000'000'000;

public:
    TurnTaker taker;
};

std::vector<Machine::Run> threeRuns(std::int64_t total = 100)
{
    return {{1.0, total}, {2.0, total}, {1.0, total, 2}};
}

} // namespace

class TestTurnTaker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theFirstStartsAndTheOthersHold()
    {
        QVERIFY(TurnTaker::firstCommand(runNamed("any"), 0).value < 0);
        QCOMPARE(TurnTaker::firstCommand(runNamed("any"), 1).value, 0.0);
        Machine machine(threeRuns(), 0.01);
        machine.start();
        machine.work(2);
        // It does not train to its end while the others load; once they are there, it is told to hold, too.
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(machine.commands[i].first, std::size_t{0});
            QCOMPARE(machine.commands[i].second.rank, 0); // no block
            QCOMPARE(machine.commands[i].second.value, i == 0 ? 25.0 : 0.0);
        }
    }

    void nothingBeginsBeforeAllRanksHold()
    {
        std::vector<std::size_t> told;
        TurnTaker taker([&](std::size_t run, const wire::Control&) { told.push_back(run); }, 1);
        taker.add(runNamed("a"), 1);
        taker.add(runNamed("b"), 2);
        taker.allAdded();
        taker.onHeld(0, 0, {.step = 5});
        taker.onHeld(1, 1, {});
        QVERIFY(told.empty());
        QVERIFY(!taker.isReady(1));
        taker.onHeld(1, 0, {});
        QVERIFY(taker.isReady(1));
        QCOMPARE(told.size(), std::size_t{1});
    }

    void everyRunHasOneTurnARound()
    {
        Machine machine(threeRuns(2000), 0.01);
        machine.start();
        machine.work(40);
        const auto turns = machine.turns();
        QVERIFY(turns.size() >= 30);
        std::set<std::vector<std::size_t>> orders;
        for (std::size_t round = 0; round + 3 <= turns.size(); round += 3) {
            const std::vector<std::size_t> order(turns.begin() + static_cast<std::ptrdiff_t>(round),
                turns.begin() + static_cast<std::ptrdiff_t>(round) + 3);
            QCOMPARE(std::set<std::size_t>(order.begin(), order.end()).size(), std::size_t{3});
            orders.insert(order);
        }
        QVERIFY2(orders.size() > 2, "the order within a round is random");
    }

    void blocksAreOfOneSize()
    {
        const auto every = runNamed("weights", {{"aggregation.what", "weights"}, {"aggregation.every", "7"}});
        Machine machine({{1.0, 5000}, {2.0, 5000}, {1.0, 5000, 1, every}}, 0.0);
        machine.start();
        machine.work(40);
        std::map<std::size_t, std::set<double>> sizes; // after the round that finds them
        for (const auto& [run, control] : machine.commands) {
            if (control.rank > 0) {
                sizes[run].insert(control.value - static_cast<double>(wire::UncountedSteps));
            }
        }
        // 40 ms of steps that take 4/3 ms as a mean.
        QCOMPARE(sizes[0], std::set<double>({30.0}));
        QCOMPARE(sizes[1], std::set<double>({30.0}));
        QCOMPARE(sizes[2], std::set<double>({35.0})); // a multiple of 7
        Machine slow({{100.0, 5000}, {100.0, 5000}}, 0.0);
        slow.start();
        slow.work(20);
        QCOMPARE(slow.commands.back().second.value, static_cast<double>(TurnTaker::FewestSteps + wire::UncountedSteps));
    }

    /// With little noise: not one round more than the run's own steps and the fewest rounds take.
    void measuringEndsWhenTheDifferencesAreKnown()
    {
        Machine machine(threeRuns(), 0.01);
        machine.start();
        machine.work();
        const auto turns = machine.turns();
        QCOMPARE(turns.size(), 3 * (TurnTaker::FewestRounds + 1)); // and one that finds the sizes
        // At the end each is stopped, one after the other.
        std::vector<std::size_t> stopped;
        for (const auto& [run, control] : machine.commands) {
            if (control.command == wire::Command::Stop) {
                stopped.push_back(run);
            }
        }
        QCOMPARE(stopped, std::vector<std::size_t>({0, 1, 2}));
    }

    void theLimitIsKept()
    {
        auto limited = runNamed("limited");
        limited.settings["measure.limit_s"] = 3.0;
        Machine machine({{1.0, 100, 1, limited}, {1.0, 100, 1, limited}}, 2.0); // noise that nothing averages out
        machine.start();
        machine.work();
        QCOMPARE(machine.commands.back().second.command, wire::Command::Stop);
        QVERIFY2(machine.taker.extraSeconds() >= 3.0, qPrintable(QString::number(machine.taker.extraSeconds())));
        limited.settings["measure.limit_s"] = 0.0;
        Machine none({{1.0, 100, 1, limited}, {1.0, 100, 1, limited}}, 2.0);
        none.start();
        none.work();
        QCOMPARE(none.taker.extraSeconds(), 0.0);
    }

    /// Until all differences are known every run takes part in every round; then none that is done.
    void allRunsAreMeasuredAlike()
    {
        Machine machine({{1.0, 100}, {1.0, 20'000}, {1.0, 100}}, 0.01);
        machine.start();
        machine.work();
        const auto turns = machine.turns();
        for (const std::size_t run : {0, 2}) {
            QCOMPARE(
                std::count(turns.begin(), turns.end(), run), static_cast<std::ptrdiff_t>(TurnTaker::FewestRounds + 1));
        }
        // Once only the long run has steps left, it needs no turns.
        const auto toTheEnd = std::count_if(machine.commands.begin(), machine.commands.end(),
            [](const auto& command) { return command.first == 1 && command.second.value < 0; });
        QCOMPARE(toTheEnd, std::ptrdiff_t{1});
        for (const auto& [run, rounds] : machine.leftOut) {
            QVERIFY(rounds.empty());
        }
        QCOMPARE(machine.leftOut.size(), std::size_t{3});
    }

    /// A difference that is not known yet keeps those going whose own is: rounds are the same for all.
    void aPreciseRunGoesOnWithTheOthers()
    {
        Machine machine(threeRuns(), 0.01);
        for (std::int64_t round = 1; round <= 12; ++round) {
            machine.stalls.insert({1, round}); // more than a third of the first thirty
        }
        machine.start();
        machine.work();
        const auto turns = machine.turns();
        const auto first = std::count(turns.begin(), turns.end(), std::size_t{0});
        QVERIFY2(first > static_cast<std::ptrdiff_t>(TurnTaker::FewestRounds) + 10, qPrintable(QString::number(first)));
        QCOMPARE(std::count(turns.begin(), turns.end(), std::size_t{1}), first);
        QCOMPARE(std::count(turns.begin(), turns.end(), std::size_t{2}), first);
    }

    /// All are told the same rounds, before the first of them is stopped.
    void stalledRoundsAreReportedToAll()
    {
        Machine machine(threeRuns(), 0.01);
        machine.stalls = {{0, 4}, {2, 9}};
        machine.start();
        for (int turn = 0; turn < 100'000 && machine.leftOut.empty(); ++turn) {
            machine.work(1);
        }
        QVERIFY(std::ranges::none_of(
            machine.commands, [](const auto& command) { return command.second.command == wire::Command::Stop; }));
        machine.work();
        QCOMPARE(machine.leftOut.size(), std::size_t{3});
        for (const auto& [run, rounds] : machine.leftOut) {
            QCOMPARE(rounds, (std::vector<std::int64_t>{4, 9}));
        }
        const auto turns = machine.turns();
        QCOMPARE(turns.size(), 3 * (TurnTaker::FewestRounds + 1 + 2)); // thirty that count
    }

    /// A finished run is compared in the rounds that it had; one that failed is compared with none.
    void aRunThatEndedLimitsTheRoundsIfItIsCompared_data()
    {
        QTest::addColumn<analysis::RunStatus>("how");
        QTest::addRow("finished") << analysis::RunStatus::Finished;
        QTest::addRow("failed") << analysis::RunStatus::Failed;
    }
    void aRunThatEndedLimitsTheRoundsIfItIsCompared()
    {
        QFETCH(analysis::RunStatus, how);
        Machine machine(threeRuns(600), 0.01);
        machine.start();
        machine.work(32); // nine rounds, and the one that finds the size
        machine.taker.onGoodbye(2, 0);
        machine.taker.onEnded(2, how);
        machine.work();
        const bool isCompared = how == analysis::RunStatus::Finished;
        QVERIFY(machine.leftOut.contains(0));
        QCOMPARE(machine.leftOut[0].empty(), !isCompared);
        QVERIFY(!isCompared || machine.leftOut[0].front() >= 10);
        const auto turns = machine.turns();
        const auto rounds = std::count(turns.begin(), turns.end(), std::size_t{0});
        // Its own steps only, or as many rounds as the difference to the other one needs.
        QCOMPARE(rounds < static_cast<std::ptrdiff_t>(TurnTaker::FewestRounds), isCompared);
    }

    void aPausedRunStopsTheTurns()
    {
        Machine machine(threeRuns(1000), 0.01);
        machine.start();
        machine.work(10);
        machine.taker.setPaused(1, true);
        machine.work();
        const std::size_t before = machine.commands.size();
        machine.work();
        QCOMPARE(machine.commands.size(), before);
        QVERIFY(machine.commands.back().second.command != wire::Command::Stop);
        machine.taker.setPaused(1, false);
        machine.work();
        QCOMPARE(machine.commands.back().second.command, wire::Command::Stop);
    }

    void aPauseIsNotMeasuring()
    {
        std::size_t current = 2;
        TurnTaker taker(
            [&](std::size_t run, const wire::Control& control) { current = control.value > 0 ? run : current; }, 1);
        for (std::size_t run = 0; run < 2; ++run) {
            taker.add(runNamed("any"), 1);
            taker.onPrepared(run, 10);
            taker.onHeld(run, 0, {.step = 10});
        }
        taker.allAdded();
        QVERIFY(current < 2); // its steps are done: what follows is measuring
        taker.setPaused(current, true);
        taker.setPaused(current, false);
        taker.onHeld(current, 0,
            {.step = 20, .timeNs = 3'600'000'000'000, .startNs = 1, .steps = 6, .wallNs = 6'000'000, .samples = 6});
        QCOMPARE(taker.extraSeconds(), 0.006);
    }

    void aRunThatEndsLeavesTheRound()
    {
        Machine machine(threeRuns(1000), 0.01);
        machine.start();
        machine.work(10);
        machine.taker.onEnded(2);
        const std::size_t before = machine.commands.size();
        machine.work();
        // What it was told before may still come; after that it has no more turns.
        const auto later = std::count_if(machine.commands.begin() + static_cast<std::ptrdiff_t>(before) + 1,
            machine.commands.end(), [](const auto& command) { return command.first == 2; });
        QCOMPARE(later, std::ptrdiff_t{0});
        QCOMPARE(machine.commands.back().second.command, wire::Command::Stop);
    }

    /// Without a goodbye.
    void aRunWhoseRanksDieLearnsItsRounds()
    {
        Machine machine(threeRuns(600), 0.01);
        machine.start();
        machine.work(32);
        QVERIFY(!machine.leftOut.contains(2));
        machine.taker.onClosing(2);
        QVERIFY(machine.leftOut.contains(2));
    }

    /// Ranks of one's own program may have unequal numbers of steps.
    void aRankThatEndsFirstLeavesTheOthersTheirTurns()
    {
        std::vector<std::size_t> told;
        TurnTaker taker([&](std::size_t run, const wire::Control&) { told.push_back(run); }, 1);
        for (const std::size_t run : {0, 1}) {
            taker.add(runNamed("any"), 2);
            taker.onPrepared(run, 0);
            taker.onHeld(run, 0, {});
            taker.onHeld(run, 1, {});
        }
        told.clear();
        taker.allAdded();
        QCOMPARE(told.size(), std::size_t{1});
        const std::size_t first = told.back();
        taker.onGoodbye(first, 1);
        QVERIFY(!taker.isReady(first));
        QCOMPARE(told.size(), std::size_t{1});
        taker.onHeld(first, 0, {});
        QVERIFY(taker.isReady(first));
        QCOMPARE(told.size(), std::size_t{2});
        QVERIFY(told.back() != first);
    }

    void sweepsTakeTurnsByTheirSizes()
    {
        QCOMPARE(TurnTaker::firstCommand(sweepNamed("any"), 0).value, 0.0); // not beside what loads
        Machine machine(
            {{1.0, 4, 2, sweepNamed("a")}, {1.0, 4, 2, sweepNamed("b")}, {1.0, 6, 2, sweepNamed("c")}}, 0.0);
        machine.start();
        machine.work();
        std::vector<std::size_t> order;
        for (const auto& [run, control] : machine.commands) {
            QCOMPARE(control.command, wire::Command::RunSteps);
            if (control.value != 0.0) {
                order.push_back(run);
            }
        }
        // Four rounds of one size each, then what one has more than the others.
        QCOMPARE(order.size(), std::size_t{13});
        for (std::size_t round = 0; round < 12; round += 3) {
            const auto first = order.begin() + static_cast<std::ptrdiff_t>(round);
            QCOMPARE(std::set<std::size_t>(first, first + 3), std::set<std::size_t>({0, 1, 2}));
        }
        QCOMPARE(machine.commands.back().first, std::size_t{2});
        QCOMPARE(machine.commands.back().second.value, -1.0);
    }

    void anAsynchronousServerIsMeasuredBeyondItsSteps()
    {
        const auto server = runNamed("async", {{"aggregation.algorithm", "parameter_server_async"}});
        Machine machine({{1.0, 100}, {1.0, 100, 1, server}}, 0.01);
        machine.start();
        machine.work();
        const auto turns = machine.turns();
        QCOMPARE(std::count(turns.begin(), turns.end(), std::size_t{1}),
            static_cast<std::ptrdiff_t>(TurnTaker::FewestRounds + 1));
    }
};

LOCKSTEP_TEST(TestTurnTaker)
#include "test_turn_taker.moc"
