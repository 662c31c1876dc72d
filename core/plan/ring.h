// Who sends what in a ring all-reduce: the engine carries it out, the window replays it.
#pragma once

namespace lockstep::plan {

/// One exchange of one rank: it sends a chunk to the next rank and receives one from the previous one.
struct RingMove {
    enum class Phase { ReduceScatter, AllGather };

    Phase phase = Phase::ReduceScatter;
    int step = 0; ///< of its phase: 0 .. ranks - 2
    int sends = 0; ///< chunk that goes to rank + 1
    int receives
        = 0; ///< chunk that comes from rank - 1: added to its own in reduce-scatter, taken as it is in all-gather
    int contributions = 0; ///< ranks whose values are summed in the received chunk once the exchange is over

    bool operator==(const RingMove&) const = default;
};

/// A rank makes 2 (ranks - 1) exchanges: half of them reduce-scatter, half all-gather. `number`: from 0, in the order
/// in which every rank makes them. `ranks` at least 2.
[[nodiscard]] RingMove ringMove(int rank, int ranks, int number);

} // namespace lockstep::plan
