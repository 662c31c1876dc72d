// Measures a collective at one size after another. The method is that of nccl-tests (its PERFORMANCE.md): calls follow
// each other without a pause, and a call with inputs whose answer is known is checked element by element.
#pragma once

#include "engine/gpu/device_marks.h"
#include "engine/ranks/rank_group.h"
#include "engine/ranks/sub_group.h"
#include "engine/run/sweep/sweep_arrays.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::engine {

/// The times of calls that a device has queued one behind the other: `ends`, ns, has the start of the first call and
/// the end of each. Processes that share a GPU take turns at it, and what one has queued runs in its turn: a call may
/// seem to last no time, and the next twice as long. So each time is the mean of it and its neighbours, eight in all.
[[nodiscard]] std::vector<std::int64_t> timesOfQueuedCalls(std::span<const std::int64_t> ends);

class CollectiveBench {
public:
    /// `marks`: of the device whose memory is exchanged; null for the host's. Every rank calls it, as it does all
    /// below; all arguments must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<CollectiveBench>> make(
        const experiment::RunSpec& run, RankGroup& all, DeviceMarks* marks, Recorder& recorder);

    [[nodiscard]] const Sweep& sweep() const { return m_sweep; }
    /// "in 2 groups of 2 ranks, asynchronous, root 1": what is not usual; may be empty.
    [[nodiscard]] Text how() const;
    /// Measures, reports and records as step `step`.
    [[nodiscard]] Result<void> measure(const SweepPoint& point, std::int64_t step);
    /// Call after changing the links of all ranks.
    void applyLinks();

private:
    CollectiveBench(const experiment::RunSpec& run, RankGroup& all, std::unique_ptr<SubGroup> part, DeviceMarks* marks,
        Recorder& recorder);

    struct Plan {
        std::int64_t warmUp = 0;
        std::int64_t calls = 0;
    };
    [[nodiscard]] comm::WatchedCommunicator& ranks() { return m_part ? m_part->ranks() : *m_all.communicator; }
    [[nodiscard]] bool isBackends() const;
    [[nodiscard]] bool startsCalls() const { return m_sweep.isAsync && m_marks == nullptr; }
    [[nodiscard]] Result<void> call();
    [[nodiscard]] Result<void> exchange();
    [[nodiscard]] Result<std::int64_t> timeTwice();
    [[nodiscard]] Result<Plan> agreeOnCalls(std::int64_t once);
    using Times = std::vector<std::int64_t>; ///< of the calls, ns
    [[nodiscard]] Result<Times> time(std::int64_t calls);
    [[nodiscard]] Result<Times> timeCalls(std::int64_t calls);
    [[nodiscard]] Result<Times> timeQueuedCalls(std::int64_t calls);
    [[nodiscard]] Result<Times> timeStartedCalls(std::int64_t calls);
    /// Its errors name the ranks by their numbers in the run.
    template <typename T>
    [[nodiscard]] Result<T> ofPart(Result<T> result) const
    {
        return result || !m_part ? result : Result<T>(m_part->named(result.error()));
    }
    void report(Times times, std::int64_t wrong);

    const experiment::RunSpec& m_run;
    RankGroup& m_all;
    std::unique_ptr<SubGroup> m_part; ///< this rank's group; null: all ranks are one
    DeviceMarks* m_marks;
    Recorder& m_recorder;
    Sweep m_sweep;
    SweepArrays m_arrays;
    const comm::Algorithm* m_algorithm;
    comm::Scratch m_scratch;
};

} // namespace lockstep::engine
