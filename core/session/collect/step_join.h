// Tells waiting from transferring. A rank knows when it came to the step's aggregation and when it left; only the rows
// of all ranks together say who came last. Rows are held back until all ranks have sent theirs of that step, which is
// no longer than the aggregation lets one rank run ahead of another; then
//
//   wait = last arrival - own arrival,    communicate = own end - last arrival.
//
// Rows without an arrival pass at once. All stamps are CLOCK_MONOTONIC of one machine.
#pragma once

#include "session/delta.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace lockstep::session {

class StepJoin {
public:
    /// Batches in the order of their rows within a rank, none empty; the spans of what was split.
    struct Joined {
        std::vector<FromRank<wire::StepBatch>> steps;
        std::vector<FromRank<wire::SpanBatch>> spans;
    };

    explicit StepJoin(std::int32_t worldSize);

    /// Takes a rank's rows; gives what has become complete.
    [[nodiscard]] Joined add(std::int32_t rank, const wire::StepBatch& batch);
    /// What is still held back, as it came: a rank has ended and its rows will not come.
    [[nodiscard]] Joined takeRest();
    [[nodiscard]] bool isEmpty() const;

private:
    class Output;

    /// Moves on as far as the rows at the front allow.
    void advance(Output& output);
    void passUnjoined(Output& output);

    std::vector<std::deque<StepRow>> m_held; ///< by rank, step order; Communicate is still the whole
};

} // namespace lockstep::session
