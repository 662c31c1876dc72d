// Separates waiting from transferring for ranks on a GPU, whose work comes later than their calls, and for ranks on
// several hosts. Such a rank knows when it reached the step's aggregation and when it left; only the rows of all ranks
// show who came last. Rows are held back until all ranks have sent that step's, as long as the aggregation lets one
// rank run ahead of another; then
//
//   wait = last arrival - own arrival,    communicate = own end - last arrival.
//
// A rank that sends no row, as a script's workers that only serve others, is not waited for after a while. Rows without
// an arrival pass immediately. Arrivals by different clocks are compared as the hosts measured these: where the errors
// do not say whether a rank came before the last of the others, its row stays as it was sent.
#pragma once

#include "analysis/timing/rank_clocks.h"
#include "store/account/delta.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace lockstep::store {

class StepJoin {
public:
    /// Batches in each rank's row order, none empty; the spans of split phases.
    struct Joined {
        std::vector<FromRank<wire::StepBatch>> steps;
        std::vector<FromRank<wire::SpanBatch>> spans;
    };

    /// `clocks`, as they are known when rows are complete, must outlive it; null: all ranks read one clock.
    explicit StepJoin(std::int32_t worldSize, const analysis::RankClocks* clocks = nullptr);

    [[nodiscard]] std::int32_t ranks() const { return static_cast<std::int32_t>(m_held.size()); }
    /// Ranks of one host read one clock where nothing else is known.
    void setHost(std::int32_t rank, const std::string& host) { m_hosts.at(static_cast<std::size_t>(rank)) = host; }
    /// Takes a rank's rows; returns the rows now complete.
    [[nodiscard]] Joined add(std::int32_t rank, const wire::StepBatch& batch);
    /// The rows still held back, unchanged: a rank has ended and its rows will not come.
    [[nodiscard]] Joined takeRest();
    [[nodiscard]] bool isEmpty() const;

private:
    class Output;

    /// On a rank's own clock.
    struct LastArrival {
        std::int64_t ns = 0;
        bool isKnown = true;
    };
    [[nodiscard]] bool shareClock(std::size_t one, std::size_t other) const;
    /// Of the rows at the front, which are of one step.
    [[nodiscard]] LastArrival lastArrivalFor(std::size_t rank) const;

    /// Advances as far as the rows at the front allow.
    void advance(Output& output);
    void passUnjoined(Output& output);
    /// Whether a row of each rank that takes part is there.
    [[nodiscard]] bool isStepThere() const;

    const analysis::RankClocks* m_clocks;
    std::vector<std::string> m_hosts; ///< by rank
    std::vector<bool> m_hasRows; ///< by rank: it has sent some
    bool m_goesOnWithout = false; ///< ranks that have sent none
    std::vector<std::deque<StepRow>> m_held; ///< by rank, step order; Communicate is still the whole
};

} // namespace lockstep::store
