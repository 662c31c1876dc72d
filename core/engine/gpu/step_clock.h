// Where the time of one step goes: phases follow each other without a gap, and repeat (chunks) without extra rows.
#pragma once

#include "base/phase.h"
#include "engine/comm/operation.h"
#include "engine/gpu/device_marks.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::engine {

/// A recorded step. On a device the times are known once `last` is reached.
struct StepTimes {
    struct Span {
        Phase phase = Phase::Data;
        std::int64_t startNs = 0;
        std::int64_t durationNs = 0;
        std::int32_t microBatch = -1; ///< of a pipeline's pass
    };
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    /// When this rank arrived at the collective part; 0 without one, if waiting is known already, or where a step's
    /// calls on the host's clock are several.
    std::int64_t arrivalNs = 0;
    /// Of Communicate: how much of it may have been waiting, because the two could not be separated.
    std::int64_t unattributedNs = 0;
    std::int64_t betweenHostsNs = 0; ///< of Communicate, where it is known
    std::int64_t hiddenNs = 0; ///< on a device: communication during Backward, on a stream of its own
    std::array<std::int64_t, PhaseCount> phaseNs{};
    std::vector<Span> spans;
};

class StepClock {
public:
    /// A phase nested in the open one, which continues afterwards. No-op without a clock.
    class Within {
    public:
        Within(StepClock* clock, Phase phase);
        ~Within();
        Within(const Within&) = delete;
        Within& operator=(const Within&) = delete;

    private:
        StepClock* m_clock;
        std::optional<Phase> m_outer;
        std::int32_t m_microBatch = -1;
    };

    /// On the host's clock; or on a device's own, whose marks must outlive this: then phases are those of the device,
    /// which does their work later.
    explicit StepClock(DeviceMarks* marks = nullptr);

    /// From now on calls `onPass` at the end of each forward and backward, with its beginning on the host's clock.
    void setOnPass(std::function<void(std::int64_t beganNs)> onPass) { m_onPass = std::move(onPass); }
    /// A step starts now; forgets the one before.
    void start();
    /// The open forward or backward has run, but its result is not sent yet. The end of the phase does the same.
    void endPass();
    /// Ends the phase that is open and opens this one.
    void begin(Phase phase, std::int32_t microBatch = -1);
    /// Who makes a call: some ranks, or all, whose rows then show when the last one came.
    enum class CallOf { Some, All };
    /// Communication that has just ended, on the host's clock: waits until the last rank has arrived, then transfers.
    /// Cuts the open phase; outside of a step it does nothing. On a device, whose work comes later, it does nothing.
    void communicated(const comm::OperationTimes& times, CallOf of = CallOf::Some);
    /// On a device: this step's collectives that ran on a stream beside the phases' own, which waits for them in
    /// Communicate. Each lies between two of these `marks` of that stream, which must live as long as the records; in
    /// order, they start with a beginning.
    void communicatedBeside(DeviceMarks& marks, std::vector<DeviceMarks::Mark> ends);
    /// The ranks meet in the phase opened last. On a device: there the arrivals of all ranks show who waited.
    void setArrival();
    /// Ends the phase that is open.
    void stop();

    /// What begin() to stop() recorded, to be evaluated later.
    struct Record;
    [[nodiscard]] Record take();
    /// On a device: `record.last` has been reached; releases all its marks.
    [[nodiscard]] StepTimes timesOf(const Record& record) const;

private:
    struct Moment {
        std::int64_t at = 0; ///< nanoseconds, or a mark
        std::optional<Phase> phase; ///< that begins here; none: nothing is open from here on
        std::int32_t microBatch = -1;
    };

    void note(std::optional<Phase> phase, std::int32_t microBatch);
    [[nodiscard]] static std::int64_t hiddenOf(const Record& record, const StepTimes& times);
    [[nodiscard]] bool hasOneArrival() const;

    DeviceMarks* m_marks;
    std::function<void(std::int64_t)> m_onPass; ///< empty: nothing
    std::int64_t m_unattributedNs = 0; ///< in this step
    std::int64_t m_betweenHostsNs = 0; ///< in this step
    std::int64_t m_passBeganNs = 0; ///< on the host's clock, after the communication in it; known with m_onPass
    std::vector<Moment> m_moments;
    std::size_t m_arrival = 0; ///< which of the moments; 0: none, since that is the start
    int m_calls = 0; ///< in this step, on the host's clock
    DeviceMarks* m_marksBeside = nullptr;
    std::vector<DeviceMarks::Mark> m_beside; ///< in this step
};

struct StepClock::Record {
    DeviceMarks::Mark last = 0; ///< with a device
    std::size_t arrival = 0;
    std::int64_t unattributedNs = 0;
    std::int64_t betweenHostsNs = 0;
    std::vector<Moment> moments;
    DeviceMarks* marksBeside = nullptr;
    std::vector<DeviceMarks::Mark> beside;
};

} // namespace lockstep::engine
