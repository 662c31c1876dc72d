// The spans of one run, rank by rank: what a timeline draws. Bounded: when there are too many, the oldest go, and the
// model says so. Spans of a rank come nearly in order (waiting is separated from transferring only when all ranks have
// sent their rows), so each batch is merged into the end of its lane. Times are CLOCK_MONOTONIC. GUI thread only.
#pragma once

#include "base/phase.h"
#include "store/account/delta.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::ui {

struct TimelineSpan {
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::int32_t step = 0;
    Phase phase = Phase::Data;
    std::int16_t microBatch = -1; ///< of a pass, or a sum within it: 0, 1, ...; -1 of other spans

    [[nodiscard]] std::int64_t endNs() const { return startNs + durationNs; }
};
static_assert(sizeof(TimelineSpan) == 24, "two million of them are kept");

struct TimelineWindow {
    std::int64_t fromNs = 0;
    std::int64_t toNs = 0;

    [[nodiscard]] std::int64_t length() const { return toNs - fromNs; }
    bool operator==(const TimelineWindow&) const = default;
};

/// What distinguishes spans.
enum class TimelineColours { Phase, MicroBatch };

/// Neighbouring columns of pixels that look the same.
struct TimelineSlice {
    int from = 0;
    int to = 0; ///< behind the last one
    Phase phase = Phase::Data; ///< the one that takes most of the column's time
    bool isSparse = false; ///< less than half of the column's time is any phase at all
    std::int16_t microBatch = -1; ///< that has most of the phase's time; -1: none has, or colours are those of phases
};

/// Where a step begins on the lane of the lowest rank.
struct StepStart {
    std::int32_t step = 0;
    std::int64_t startNs = 0;
};

class TimelineModel {
public:
    static constexpr std::size_t MaximumSpans = 2'000'000;

    explicit TimelineModel(std::size_t maximumSpans = MaximumSpans);

    void take(const store::Delta& delta);

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool isEmpty() const { return m_size == 0; }
    /// Ascending; a rank has a lane once it has sent a span.
    [[nodiscard]] const std::vector<std::int32_t>& ranks() const { return m_ranks; }
    [[nodiscard]] const std::vector<TimelineSpan>& lane(std::size_t number) const { return m_lanes.at(number).spans; }

    /// The start of the run's first span, also when that is no longer kept.
    [[nodiscard]] std::int64_t originNs() const { return m_originNs; }
    [[nodiscard]] std::int64_t endNs() const { return m_endNs; }
    /// All that is kept.
    [[nodiscard]] TimelineWindow whole() const;
    /// The newest `steps` steps, to the end; of a long evaluation after them only the beginning.
    [[nodiscard]] TimelineWindow newest(int steps) const;
    /// One step whose time is nearest the median of all that are kept, without an evaluation.
    [[nodiscard]] TimelineWindow typical() const;

    /// Dropped because there were more than the model keeps.
    [[nodiscard]] std::int64_t forgotten() const { return m_forgotten; }
    /// Whether any span has had this phase.
    [[nodiscard]] bool hasPhase(Phase phase) const { return m_hasPhase[static_cast<std::size_t>(phase)]; }
    /// How many micro-batches the steps of a pipeline have had at most; 0: this is no pipeline.
    [[nodiscard]] int microBatches() const { return m_microBatches; }
    /// Never sent, because the rank was under load.
    [[nodiscard]] std::int64_t dropped() const { return m_dropped; }

    /// What each of `columns` pixel columns shows, without the empty ones. One pass over the visible spans.
    [[nodiscard]] std::vector<TimelineSlice> slices(std::size_t lane, const TimelineWindow& window, int columns,
        TimelineColours colours = TimelineColours::Phase) const;
    /// The forward and backward passes of micro-batches that touch the window and take at least this long.
    [[nodiscard]] std::vector<TimelineSpan> passesIn(
        std::size_t lane, const TimelineWindow& window, std::int64_t leastNs) const;
    /// The longest span that touches the window: the one under the mouse.
    [[nodiscard]] std::optional<TimelineSpan> longestIn(std::size_t lane, const TimelineWindow& window) const;
    /// Where no rank did anything between two steps, for longer than two steps of the window take on average: other
    /// runs had their turn, or the run was paused. In the window's order.
    [[nodiscard]] std::vector<TimelineWindow> breaksIn(const TimelineWindow& window) const;
    [[nodiscard]] std::size_t countIn(std::size_t lane, const TimelineWindow& window) const;
    [[nodiscard]] std::vector<StepStart> stepStarts(const TimelineWindow& window) const;
    /// A model with only the spans that overlap the window.
    [[nodiscard]] TimelineModel part(const TimelineWindow& window) const;

private:
    struct Lane {
        std::vector<TimelineSpan> spans; ///< by start
        std::int64_t longestNs = 0; ///< no span is longer: how far before a window one that reaches into it can begin
    };

    void merge(std::int32_t rank, const wire::SpanBatch& batch);
    void forgetOldest();
    [[nodiscard]] Lane& laneOf(std::int32_t rank);
    [[nodiscard]] const Lane* fullest() const;
    /// Every span that touches the window is in it; others may be.
    [[nodiscard]] static std::span<const TimelineSpan> candidates(const Lane& lane, const TimelineWindow& window);

    std::size_t m_maximum;
    std::vector<std::int32_t> m_ranks;
    std::vector<Lane> m_lanes; ///< beside m_ranks
    std::size_t m_size = 0;
    std::int64_t m_originNs = 0;
    std::int64_t m_endNs = 0;
    std::int64_t m_forgotten = 0;
    std::int64_t m_dropped = 0;
    std::array<bool, PhaseCount> m_hasPhase{};
    int m_microBatches = 0;
};

} // namespace lockstep::ui
