// Steps that a device carries out asynchronously, on the CPU with a time line that is late: what is reported of them
// and when, and how a device's clock is held against the host's.
#include "base/clock.h"
#include "core/engine/run/late_marks.h"
#include "core/engine/strategy/trained_ranks.h"
#include "engine/gpu/host_alignment.h"
#include "engine/gpu/step_clock.h"
#include "engine/run/sweep/collective_bench.h"
#include "program/test_class.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

constexpr std::int64_t WorkNs = 1'000'000; // longer than the host takes for a whole step, also where it is busy

/// Numbered marks whose times a test sets.
class SetMarks final : public DeviceMarks {
public:
    Mark mark() override { return m_next++; }
    bool isReached(Mark) override { return true; }
    std::int64_t timeNs(Mark mark) override { return times.at(static_cast<std::size_t>(mark)); }
    void release(Mark mark) override { releasedTo = mark; }

    std::vector<std::int64_t> times;
    Mark releasedTo = -1;

private:
    Mark m_next = 0;
};

using Seen = LateMarks::Seen;

TrainedRank trainedOnDevice(const experiment::RunSpec& run, const TrainingHooks& hooks, const Answer& answer = {})
{
    return trainedRanks(run, 1, {.answer = answer, .hooks = {{0, hooks}}}).front();
}

TrainingHooks late(Seen& seen)
{
    return {.marks = [&seen] { return std::make_unique<LateMarks>(WorkNs, &seen); }};
}

} // namespace

class TestDeviceSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two processes take turns at a GPU: in its turn each ends one call and does the next.
    void queuedCallsAreTimedWithTheirNeighbours()
    {
        std::vector<std::int64_t> ends{0};
        for (int call = 0; call < 20; ++call) {
            ends.push_back(ends.back() + (call % 2 == 0 ? 600 : 0));
        }
        QCOMPARE(timesOfQueuedCalls(ends), std::vector<std::int64_t>(20, 300));
        QCOMPARE(timesOfQueuedCalls(std::array<std::int64_t, 4>{5, 6, 9, 35}), std::vector<std::int64_t>(3, 10));
        QVERIFY(timesOfQueuedCalls(std::array<std::int64_t, 1>{5}).empty());
    }

    void aStepIsTimedByTheDevice()
    {
        SetMarks marks;
        StepClock clock(&marks);
        clock.start();
        clock.begin(Phase::Forward);
        clock.begin(Phase::Communicate);
        clock.setArrival();
        {
            const StepClock::Within within(&clock, Phase::Wait);
        }
        clock.stop();
        const StepClock::Record record = clock.take();
        QCOMPARE(record.last, DeviceMarks::Mark{5});
        marks.times = {1000, 1010, 1110, 1310, 1710, 2510};
        const StepTimes times = clock.timesOf(record);
        QCOMPARE(times.startNs, 1000);
        QCOMPARE(times.endNs, 2510);
        QCOMPARE(times.arrivalNs, 1110);
        QCOMPARE(times.phaseNs[static_cast<std::size_t>(Phase::Forward)], 100);
        QCOMPARE(times.phaseNs[static_cast<std::size_t>(Phase::Wait)], 400);
        QCOMPARE(times.phaseNs[static_cast<std::size_t>(Phase::Communicate)], 200 + 800);
        QCOMPARE(times.spans.size(), std::size_t{4});
        QCOMPARE(times.spans[3].startNs, 1710);
        QCOMPARE(marks.releasedTo, DeviceMarks::Mark{5});
    }

    void whatRanBesideBackwardIsHidden_data()
    {
        QTest::addColumn<qint64>("waitNs");
        QTest::addColumn<qint64>("hiddenNs");
        QTest::newRow("all of it") << qint64(0) << qint64(150);
        QTest::newRow("a part") << qint64(60) << qint64(90);
        QTest::newRow("nothing: other ranks come late") << qint64(1000) << qint64(0);
    }

    /// The phases' stream waits for the other one in Communicate.
    void whatRanBesideBackwardIsHidden()
    {
        QFETCH(qint64, waitNs);
        QFETCH(qint64, hiddenNs);
        SetMarks marks;
        SetMarks beside;
        StepClock clock(&marks);
        clock.start();
        clock.begin(Phase::Backward);
        clock.begin(Phase::Communicate);
        clock.begin(Phase::Optimize);
        clock.stop();
        std::vector<DeviceMarks::Mark> ends;
        for (int i = 0; i < 4; ++i) {
            ends.push_back(beside.mark());
        }
        clock.communicatedBeside(beside, ends);
        const StepClock::Record record = clock.take();
        marks.times = {0, 10, 410, 410 + waitNs, 2000};
        beside.times = {7000, 7050, 7200, 7300}; // its clock is another
        QCOMPARE(clock.timesOf(record).hiddenNs, hiddenNs);
        QCOMPARE(beside.releasedTo, DeviceMarks::Mark{3});
        // Of a step without such collectives, nothing.
        clock.start();
        clock.begin(Phase::Backward);
        clock.stop();
        const StepClock::Record next = clock.take();
        marks.times.insert(marks.times.end(), {2100, 2200, 2300});
        QCOMPARE(clock.timesOf(next).hiddenNs, std::int64_t(0));
    }

    void communicationCutsTheOpenPhase()
    {
        constexpr std::int64_t Us = 1000;
        const auto of
            = [](const StepTimes& times, Phase phase) { return times.phaseNs[static_cast<std::size_t>(phase)]; };
        StepClock clock;
        clock.start();
        clock.begin(Phase::Optimize, 3);
        const std::int64_t now = monotonicNs();
        // Within the phase: 20 us of waiting, 30 us of transferring, and what is left of the phase.
        clock.communicated({now, now + 20 * Us, now + 50 * Us});
        // What has not been told counts as communicating.
        clock.communicated({now + 60 * Us, 0, now + 75 * Us});
        // The last rank came before this one, and after it had left.
        clock.communicated({now + 80 * Us, now - 5, now + 84 * Us});
        clock.communicated({now + 90 * Us, now + 999 * Us, now + 91 * Us});
        while (monotonicNs() < now + 100 * Us) { }
        clock.stop();
        const StepTimes times = clock.timesOf(clock.take());
        QCOMPARE(of(times, Phase::Wait), 21 * Us);
        QCOMPARE(of(times, Phase::Communicate), (30 + 15 + 4) * Us);
        QCOMPARE(times.unattributedNs, 15 * Us);
        QCOMPARE(of(times, Phase::Optimize) + 70 * Us, times.endNs - times.spans.front().startNs);
        QVERIFY(std::ranges::all_of(times.spans, [](const auto& span) { return span.microBatch == 3; }));
        clock.communicated({now, now, now + 1}); // between two steps
        QVERIFY(clock.timesOf(clock.take()).spans.empty());
    }

    void oneCallOfAllRanksHasAnArrival()
    {
        StepClock clock;
        const auto timesOf = [&clock](int calls, StepClock::CallOf of) {
            clock.start();
            clock.begin(Phase::Forward);
            clock.begin(Phase::Communicate);
            for (int i = 0; i < calls; ++i) {
                const std::int64_t now = monotonicNs();
                clock.communicated({now, 0, now + 1}, of);
            }
            clock.begin(Phase::Optimize);
            clock.stop();
            return clock.timesOf(clock.take());
        };
        const StepTimes times = timesOf(1, StepClock::CallOf::All);
        QCOMPARE(times.spans.at(1).phase, Phase::Communicate);
        QCOMPARE(times.arrivalNs, times.spans.at(1).startNs);
        QVERIFY(times.unattributedNs > 0); // until the rows of all ranks tell it
        QCOMPARE(timesOf(2, StepClock::CallOf::All).arrivalNs, 0);
        QCOMPARE(timesOf(1, StepClock::CallOf::Some).arrivalNs, 0);
        QCOMPARE(timesOf(0, StepClock::CallOf::All).arrivalNs, 0);
    }

    void whatADeviceWaitsForIsNotTold()
    {
        SetMarks marks;
        StepClock clock(&marks);
        clock.start();
        clock.begin(Phase::Communicate);
        clock.communicated({1, 2, 3});
        clock.stop();
        const StepClock::Record record = clock.take();
        marks.times = {0, 10, 25};
        const StepTimes times = clock.timesOf(record);
        QCOMPARE(times.unattributedNs, 15);
        QCOMPARE(times.spans.size(), std::size_t{1});
    }

    void aLateDeviceChangesNoNumber()
    {
        const auto run = runOf(quick());
        Seen seen;
        const TrainedRank plain = trainedOnDevice(run, {});
        const TrainedRank behind = trainedOnDevice(run, late(seen));
        QCOMPARE(behind.goodbye.message, plain.goodbye.message);
        const KeptRows expected = plain.kept->rows();
        const KeptRows rows = behind.kept->rows();
        QVERIFY(expected.size() > 10);
        QCOMPARE(rows.step, expected.step);
        QCOMPARE(rows.loss, expected.loss);
        QCOMPARE(rows.samples, expected.samples);
        QCOMPARE(
            behind.kept->all<wire::Evaluation>().back().accuracy, plain.kept->all<wire::Evaluation>().back().accuracy);
        QVERIFY(!seen.wasAskedEarly);
        QVERIFY2(seen.mostPending > 6, "no step was queued before the one before it was done");
        QVERIFY2(seen.mostPending < 60, qPrintable(QString::number(seen.mostPending)));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            // Data, forward, backward, optimize, one piece of work each, and the mark at its end.
            QVERIFY(rows.wallNs[i] >= 4 * WorkNs);
            std::int64_t phases = 0;
            for (const auto& phase : rows.phaseNs) {
                phases += phase[i];
            }
            QVERIFY(phases >= 4 * WorkNs && phases <= rows.wallNs[i]);
            QVERIFY(i == 0 || rows.endNs[i] > rows.endNs[i - 1]);
        }
    }

    void evaluationsAndTheEndComeAfterTheirSteps()
    {
        Seen seen;
        const TrainedRank result = trainedOnDevice(runOf(quick({{"train.evaluate_every", "1"}})), late(seen));
        std::int64_t told = 0;
        for (const auto& message : result.kept->everything()) {
            if (const auto* rows = std::get_if<wire::StepBatch>(&message); rows != nullptr && rows->size() > 0) {
                told = rows->rows.back().step;
            }
            if (const auto* evaluation = std::get_if<wire::Evaluation>(&message)) {
                QCOMPARE(evaluation->step, told);
            }
        }
        QCOMPARE(told, result.goodbye.step);
    }

    void aStopTellsOfEveryStep()
    {
        Seen seen;
        bool isAsked = false;
        const TrainedRank result
            = trainedOnDevice(runOf(quick({{"train.epochs", "200"}})), late(seen), [&](const wire::Message& message) {
                  const bool isRow = std::holds_alternative<wire::StepBatch>(message);
                  return isRow && !std::exchange(isAsked, true)
                      ? std::vector<wire::Control>{{.command = wire::Command::Stop}}
                      : std::vector<wire::Control>{};
              });
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Stopped);
        QCOMPARE(static_cast<std::int64_t>(result.kept->rows().size()), result.goodbye.step);
    }

    void aBrokenLossIsThatOfItsStep()
    {
        Seen seen;
        TrainingHooks hooks = late(seen);
        constexpr std::int64_t BrokenAt = 7;
        // The gradient of this step breaks the weights: the next one's loss is no number, and others are queued behind
        // it.
        hooks.onGradient = [](std::int64_t step, torch::Tensor& gradients) {
            if (step == BrokenAt - 1) {
                gradients.fill_(std::numeric_limits<float>::quiet_NaN());
            }
        };
        const TrainedRank result = trainedOnDevice(runOf(quick()), hooks);
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Failed);
        QCOMPARE(result.goodbye.step, BrokenAt);
        QVERIFY2(result.goodbye.message.find("loss became NaN at step 7 ") != std::string::npos,
            result.goodbye.message.c_str());
        const KeptRows rows = result.kept->rows();
        QCOMPARE(static_cast<std::int64_t>(rows.size()), BrokenAt);
        QVERIFY(std::isnan(rows.loss.back()));
    }

    void aClockThatIsAheadIsMovedAtOnce()
    {
        HostAlignment alignment;
        alignment.seen(5000, 4000);
        QCOMPARE(alignment.offsetNs(), -1000);
    }

    void aClockThatIsBehindIsMovedByTheQuickestLook()
    {
        HostAlignment alignment;
        constexpr std::int64_t Behind = 70'000;
        std::int64_t device = 1'000'000'000;
        for (int look = 0; look < 50; ++look, device += HostAlignment::WindowNs / 25) {
            const std::int64_t lateness = look % 7 == 3 ? 2'000 : 40'000; // most looks come late
            alignment.seen(device + alignment.offsetNs(), device + Behind + lateness);
        }
        QVERIFY2(std::abs(alignment.offsetNs() - (Behind + 2'000)) <= 2'000,
            qPrintable(QString::number(alignment.offsetNs())));
    }
};

LOCKSTEP_TEST(TestDeviceSteps)
#include "test_device_steps.moc"
