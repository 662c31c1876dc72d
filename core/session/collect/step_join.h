// Separates waiting from transferring for ranks on a GPU, whose work comes later than their calls. Such a rank knows
// when it reached the step's aggregation and when it left; only the rows of all ranks show who came last. Rows are held
// back until all ranks have sent that step's, as long as the aggregation lets one rank run ahead of another; then
//
//   wait = last arrival - own arrival,    communicate = own end - last arrival.
//
// Rows without an arrival pass immediately. All stamps are CLOCK_MONOTONIC of one machine.
#pragma once

#include "session/delta.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace lockstep::session {

class StepJoin {
public:
    /// Batches in each rank's row order, none empty; the spans of split phases.
    struct Joined {
        std::vector<FromRank<wire::StepBatch>> steps;
        std::vector<FromRank<wire::SpanBatch>> spans;
    };

    explicit StepJoin(std::int32_t worldSize);

    /// Takes a rank's rows; returns the rows now complete.
    [[nodiscard]] Joined add(std::int32_t rank, const wire::StepBatch& batch);
    /// The rows still held back, unchanged: a rank has ended and its rows will not come.
    [[nodiscard]] Joined takeRest();
    [[nodiscard]] bool isEmpty() const;

private:
    class Output;

    /// Advances as far as the rows at the front allow.
    void advance(Output& output);
    void passUnjoined(Output& output);

    std::vector<std::deque<StepRow>> m_held; ///< by rank, step order; Communicate is still the whole
};

} // namespace lockstep::session
