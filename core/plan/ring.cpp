#include "plan/ring.h"

namespace lockstep::plan {

RingMove ringMove(int rank, int ranks, int number)
{
    const auto chunk = [ranks](int position) { return ((position % ranks) + ranks) % ranks; };
    if (number < ranks - 1) {
        // What comes in carries the sums of `number` + 1 ranks before this one.
        return {RingMove::Phase::ReduceScatter, number, chunk(rank - number), chunk(rank - number - 1), number + 2};
    }
    const int step = number - (ranks - 1);
    return {RingMove::Phase::AllGather, step, chunk(rank + 1 - step), chunk(rank - step), ranks};
}

} // namespace lockstep::plan
