// A Delta: all that came in from the ranks of one run between two publications. The collector gives each one to the
// store writer and to the live source; replay reads the same ones from the store. View models know nothing else.
#pragma once

#include "analysis/machine.h"
#include "analysis/run_record.h"
#include "analysis/step_curve.h"
#include "analysis/summary.h"
#include "base/ids.h"
#include "wire/messages.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::session {

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
};

struct StatusChange {
    analysis::RunStatus status = analysis::RunStatus::Queued;
    std::string message;
    std::int64_t wallNs = 0;
};

struct Delta {
    std::vector<FromRank<wire::Hello>> hellos;
    std::vector<FromRank<wire::Prepared>> prepared;
    std::vector<FromRank<wire::StepBatch>> steps;
    std::vector<FromRank<wire::SpanBatch>> spans;
    std::vector<FromRank<wire::TrafficBatch>> traffic;
    std::vector<FromRank<wire::Evaluation>> evaluations;
    std::vector<FromRank<wire::Measurement>> measurements;
    std::vector<FromRank<wire::Verification>> verifications;
    std::vector<FromRank<wire::Share>> shares;
    std::vector<FromRank<wire::LogLine>> logs;
    std::vector<FromRank<wire::Vitals>> vitals;
    std::vector<FromRank<wire::MemorySample>> memory;
    std::vector<FromRank<wire::Applied>> applied; ///< interventions
    std::vector<analysis::Machine> machines; ///< that the ranks run on
    std::vector<analysis::MachineSample> machineSamples;
    std::vector<RankChange> ranks;
    std::vector<StatusChange> statuses;

    [[nodiscard]] bool isEmpty() const;
    /// Appends what came later.
    void append(const Delta& later);
};

/// Tells the summary of what was dropped, and of a pipeline's passes.
void addSpans(analysis::SummaryBuilder& summary, std::int32_t rank, const wire::SpanBatch& spans);
/// Tells of pauses.
void addIntervention(analysis::SummaryBuilder& summary, const wire::Applied& applied);
void addIntervention(analysis::RunClock& clock, const wire::Applied& applied);

/// As analysis has it, of one rank.
[[nodiscard]] analysis::CollectiveMeasurement measurementOf(const wire::Measurement& measured);

/// As analysis has it, of one rank.
[[nodiscard]] analysis::RankShare shareOf(const FromRank<wire::Share>& share);

/// As analysis has it, of one rank.
[[nodiscard]] analysis::RankMemory memoryOf(const FromRank<wire::MemorySample>& sample);

/// One row of a batch.
[[nodiscard]] analysis::StepRow rowAt(const wire::StepBatch& batch, std::size_t row);

using DeltaPtr = std::shared_ptr<const Delta>;

/// Where a view model gets a run from, live or replayed. GUI thread. Never blocks.
class DeltaSource {
public:
    virtual ~DeltaSource() = default;
    /// What is new since the last call; null when nothing is. A slow reader gets larger Deltas, never more of them.
    [[nodiscard]] virtual DeltaPtr take() = 0;
};

} // namespace lockstep::session
