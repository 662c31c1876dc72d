// The ring (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009). Each
// rank communicates only with its two neighbours. The array is cut into one chunk per rank; the chunks go round twice:
//
//   reduce-scatter: in step s rank r sends chunk r - s to the next rank, receives chunk r - s - 1 from the previous
//       one and adds it to its own. After p - 1 steps rank r holds chunk r + 1 complete.
//   all-gather: in step s rank r passes on chunk r + 1 - s, which is complete, and takes chunk r - s.
//
// 2 (p - 1) messages of n / p bytes from every rank: no algorithm sends fewer bytes. Each chunk is added up along the
// ring, once, so all ranks end with the same bits.
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/algorithms/pieces.h"

namespace lockstep::comm {

Result<void> ringAllReduce(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    const int p = group.size();
    const int rank = group.rank();
    const int next = (rank + 1) % p;
    const int previous = (rank + p - 1) % p;
    const auto chunk = [&](int number) { return equalPart(data, ((number % p) + p) % p, p); };
    for (int step = 0; step < p - 1; ++step) {
        const View kept = chunk(rank - step - 1);
        LOCKSTEP_TRY_ASSIGN(const auto incoming, scratch.room(group, kept));
        LOCKSTEP_TRY(group.sendReceive(chunk(rank - step), next, incoming, previous));
        reduceInto(group, kept, reduction, incoming.data);
    }
    for (int step = 0; step < p - 1; ++step) {
        LOCKSTEP_TRY(group.sendReceive(chunk(rank + 1 - step), next, chunk(rank - step), previous));
    }
    return {};
}

} // namespace lockstep::comm
