// A Delta: everything that the ranks of one run sent between two publications. The collector passes each one to the
// store writer and to the live source; replay reads them from the store. View models use only these.
#pragma once

#include "analysis/machine_record.h"
#include "analysis/run_record.h"
#include "wire/messages.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::store {

template <typename T>
struct FromRank {
    std::int32_t rank = 0;
    T what;
};

enum class RankState : std::uint8_t { Starting, Running, Paused, Finished, Stopped, Failed, Lost };

struct RankChange {
    std::int32_t rank = 0;
    RankState state = RankState::Starting;
    std::string message; ///< why it failed: "killed by signal 9 (Killed)", its own error line; else empty
    std::string data{}; ///< packed(Text) of the message

    [[nodiscard]] Text said() const { return unpacked(message, data); }
};

/// The rank's state according to a message; most have none.
[[nodiscard]] std::optional<RankChange> stateChange(std::int32_t rank, const wire::Message& message);

struct StatusChange {
    analysis::RunStatus status = analysis::RunStatus::Queued;
    std::string message;
    std::int64_t wallNs = 0;
    std::string data{}; ///< packed(Text) of the message
};

/// When the run was started, known at its first step. Only the session knows; a file has it in its summary.
struct RunStart {
    double secondsToFirstLoss = analysis::NotMeasured;
    double startSeconds = analysis::NotMeasured;
};

/// A round of a run that took turns which does not count for any of the runs (analysis::keptRounds): decided by the
/// session, once all of them have been measured.
struct LeftOutRound {
    std::int64_t number = 0;
};

/// The loss of a long stored run, which comes before its rows. At first only its outline may be there: the lowest and
/// highest of each few steps.
struct StoredLoss {
    std::shared_ptr<const analysis::Curve> curve;
    std::size_t steps = 0; ///< of the curve that an outline is of

    [[nodiscard]] bool isOutline() const { return curve->size() < steps; }
};

struct Delta;

/// Takes what is stored of a run in the thread that reads it, so that the window's thread need not.
class DeltaSink {
public:
    virtual ~DeltaSink() = default;
    virtual void add(const Delta& delta) = 0;
};

struct Delta {
    std::vector<FromRank<wire::Hello>> hellos;
    std::vector<FromRank<wire::Prepared>> prepared;
    std::vector<FromRank<wire::StepBatch>> steps;
    std::vector<FromRank<wire::SpanBatch>> spans;
    std::vector<FromRank<wire::TrafficBatch>> traffic;
    std::vector<FromRank<wire::Measurement>> measurements;
    std::vector<FromRank<wire::Verification>> verifications;
    std::vector<FromRank<wire::Share>> shares;
    std::vector<FromRank<wire::Evaluation>> evaluations;
    std::vector<FromRank<wire::MetricBatch>> metrics; ///< of users' own programs
    std::vector<FromRank<wire::LogLine>> logs;
    std::vector<FromRank<wire::Vitals>> vitals;
    std::vector<FromRank<wire::MemorySample>> memory;
    std::vector<FromRank<wire::Applied>> applied; ///< interventions
    std::vector<FromRank<wire::Held>> held; ///< between the blocks of a run that takes turns
    std::vector<LeftOutRound> leftOut;
    std::vector<FromRank<wire::CallBatch>> calls; ///< the last ones of each rank, of a run that failed
    std::vector<FromRank<wire::ClockSample>> clocks; ///< of runs on several hosts
    std::vector<analysis::Machine> machines; ///< that the ranks run on
    std::vector<analysis::MachineSample> machineSamples;
    std::vector<RankChange> ranks;
    std::vector<StatusChange> statuses;
    std::vector<RunStart> starts; ///< at most one
    std::vector<StoredLoss> storedLoss; ///< the last one is the whole of it
    /// A sink that has taken all that was stored, and takes no more: at most one. What follows it in this Delta is
    /// later, but for log lines.
    std::vector<std::shared_ptr<DeltaSink>> gathered;

    /// Every part with the table that a run's file keeps it in; null: it is not kept.
    template <typename Visit>
    static void parts(Visit&& visit)
    {
        visit("hellos", &Delta::hellos);
        visit("prepared", &Delta::prepared);
        visit("steps", &Delta::steps);
        visit("spans", &Delta::spans);
        visit("traffic", &Delta::traffic);
        visit("measurements", &Delta::measurements);
        visit("verifications", &Delta::verifications);
        visit("shares", &Delta::shares);
        visit("evaluations", &Delta::evaluations);
        visit("metrics", &Delta::metrics);
        visit("logs", &Delta::logs);
        visit("vitals", &Delta::vitals);
        visit("memory", &Delta::memory);
        visit("applied", &Delta::applied);
        visit("held", &Delta::held);
        visit("left_out", &Delta::leftOut);
        visit("calls", &Delta::calls);
        visit("clocks", &Delta::clocks);
        visit("machines", &Delta::machines);
        visit("machine_samples", &Delta::machineSamples);
        visit("ranks", &Delta::ranks);
        visit("statuses", &Delta::statuses);
        visit(nullptr, &Delta::starts);
        visit(nullptr, &Delta::storedLoss);
        visit(nullptr, &Delta::gathered);
    }

    [[nodiscard]] bool isEmpty() const;
    /// Appends what came later.
    void append(const Delta& later);
    /// What a rank sent, and the state that follows. Goodbye, Welcome and Control are not telemetry: only the state.
    void add(std::int32_t rank, const wire::Message& message);
};

using DeltaPtr = std::shared_ptr<const Delta>;

/// Where a view model gets a run from, live or replayed. GUI thread. Never blocks.
class DeltaSource {
public:
    virtual ~DeltaSource() = default;
    /// New data since the last call, or null. A slow reader gets larger Deltas, never more of them.
    [[nodiscard]] virtual DeltaPtr take() = 0;
    /// Whether all has been taken and nothing more will come; false where that is not known.
    [[nodiscard]] virtual bool isOver() const { return false; }
};

} // namespace lockstep::store
