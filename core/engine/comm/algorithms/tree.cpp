// The binomial tree: reduce to rank 0, then broadcast from it, each in log2 p rounds. In round k of the reduction the
// ranks whose number is an odd multiple of 2^k send all they have to the rank 2^k below and are done; the broadcast
// reverses these rounds. Few messages, but each carries the whole array: good for short arrays.
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/algorithms/pieces.h"

namespace lockstep::comm {

Result<void> treeAllReduce(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    const int p = group.size();
    const int rank = group.rank();
    int distance = 1;
    for (; distance < p && (rank & distance) == 0; distance *= 2) {
        const int child = rank + distance;
        if (child < p) {
            LOCKSTEP_TRY_ASSIGN(const auto incoming, scratch.room(group, data));
            LOCKSTEP_TRY(group.receive(incoming, child));
            reduceInto(group, data, reduction, incoming.data);
        }
    }
    // Now `distance` is the way to the parent, or the first power of two that is not below p at the root.
    if (rank != 0) {
        const int parent = rank - distance;
        LOCKSTEP_TRY(group.send(data, parent));
        LOCKSTEP_TRY(group.receive(data, parent));
    }
    for (distance /= 2; distance >= 1; distance /= 2) {
        const int child = rank + distance;
        if (child < p) {
            LOCKSTEP_TRY(group.send(data, child));
        }
    }
    return {};
}

} // namespace lockstep::comm
