// All-reduce out of the backend's other collectives: what one would write with torch.distributed alone.
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/algorithms/pieces.h"

#include <algorithm>

namespace lockstep::comm {

namespace {

/// The arrays that stand behind each other in `gathered`, by rank.
void combineGathered(const View& to, const Combine& combine, const std::byte* gathered, int ranks)
{
    std::vector<const void*> inputs;
    for (int rank = 0; rank < ranks; ++rank) {
        inputs.push_back(gathered + static_cast<std::size_t>(rank) * to.byteCount());
    }
    combine(to, inputs);
}

Combine reducing(Reduction reduction)
{
    return [reduction](const View& to, std::span<const void* const> arrays) {
        reduceArrays(reduction, to.type, to.data, arrays, to.count);
    };
}

} // namespace

Result<void> nativeAllReduce(Communicator& group, View data, Reduction reduction, Scratch&)
{
    return group.allReduce(data, data, reduction);
}

Result<void> reduceBroadcast(Communicator& group, View data, Reduction reduction, Scratch&)
{
    if (auto reduced = group.reduce(data, data, reduction, 0); !reduced) {
        return reduced;
    }
    return group.broadcast(data, 0);
}

Result<void> gatherBroadcastCombine(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    const int p = group.size();
    const bool isRoot = group.rank() == 0;
    std::byte* gathered = isRoot ? scratch.reserve(data.byteCount() * static_cast<std::size_t>(p)) : nullptr;
    if (auto done = group.gather(data, {gathered, isRoot ? data.count * p : 0, data.type}, 0); !done) {
        return done;
    }
    if (isRoot) {
        combineGathered(data, combine, gathered, p);
    }
    return group.broadcast(data, 0);
}

Result<void> gatherBroadcast(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    return gatherBroadcastCombine(group, data, reducing(reduction), scratch);
}

Result<void> allGatherCombine(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    const int p = group.size();
    std::byte* gathered = scratch.reserve(data.byteCount() * static_cast<std::size_t>(p));
    if (auto done = group.allGather(data, {gathered, data.count * p, data.type}); !done) {
        return done;
    }
    combineGathered(data, combine, gathered, p);
    return {};
}

Result<void> allGatherReduce(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    return allGatherCombine(group, data, reducing(reduction), scratch);
}

/// Both take equal parts, so the array is filled up to a multiple of p.
Result<void> reduceScatterAllGather(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    const int p = group.size();
    const std::int64_t each = (data.count + p - 1) / p;
    const std::size_t whole = static_cast<std::size_t>(each * p) * sizeOf(data.type);
    const View padded{scratch.reserve(whole), each * p, data.type};
    std::copy_n(data.bytes(), data.byteCount(), padded.bytes());
    std::fill_n(padded.bytes() + data.byteCount(), whole - data.byteCount(), std::byte{0});
    const View own = equalPart(padded, group.rank(), p);
    if (auto reduced = group.reduceScatter(padded, own, reduction); !reduced) {
        return reduced;
    }
    if (auto gathered = group.allGather(own, padded); !gathered) {
        return gathered;
    }
    std::copy_n(padded.bytes(), data.byteCount(), data.bytes());
    return {};
}

} // namespace lockstep::comm
