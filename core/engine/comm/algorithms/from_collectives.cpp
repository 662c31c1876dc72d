// All-reduce from the backend's other collectives, as one would write it with torch.distributed.
#include "engine/comm/algorithms/gathered.h"
#include "engine/comm/algorithms/pieces.h"

#include <functional>
#include <vector>

namespace lockstep::comm {

namespace {

std::vector<const void*> arraysIn(const std::byte* memory, std::size_t bytesEach, int ranks)
{
    std::vector<const void*> arrays;
    for (int rank = 0; rank < ranks; ++rank) {
        arrays.push_back(memory + static_cast<std::size_t>(rank) * bytesEach);
    }
    return arrays;
}

/// Reduces or combines the gathered arrays into one.
using Bring = std::function<Result<void>(const View& gathered)>;

Bring combining(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    return [&group, data, &combine, &scratch](
               const View& gathered) { return combineGathered(group, data, combine, gathered, scratch); };
}

Bring reducing(Communicator& group, View data, Reduction reduction)
{
    return [&group, data, reduction](const View& gathered) -> Result<void> {
        group.memory(data.space)
            ->reduce(reduction, data.type, data.data, arraysIn(gathered.bytes(), data.byteCount(), group.size()),
                data.count);
        return {};
    };
}

Result<void> gatherAndBroadcast(Communicator& group, View data, const Bring& bring, Scratch& scratch)
{
    const bool isRoot = group.rank() == 0;
    LOCKSTEP_TRY_ASSIGN(const auto gathered,
        isRoot ? scratch.room(group, data, group.size()) : Result<View>(View{nullptr, 0, data.type, data.space}));
    LOCKSTEP_TRY(group.gather(data, gathered, 0));
    if (isRoot) {
        LOCKSTEP_TRY(bring(gathered));
    }
    return group.broadcast(data, 0);
}

Result<void> gatherEverywhere(Communicator& group, View data, const Bring& bring, Scratch& scratch)
{
    LOCKSTEP_TRY_ASSIGN(const auto gathered, scratch.room(group, data, group.size()));
    LOCKSTEP_TRY(group.allGather(data, gathered));
    return bring(gathered);
}

} // namespace

Result<void> combineGathered(
    Communicator& group, const View& to, const Combine& combine, const View& gathered, Scratch& scratch)
{
    if (to.space == Space::Host) {
        combine(to, arraysIn(gathered.bytes(), to.byteCount(), group.size()));
        return {};
    }
    LOCKSTEP_TRY_ASSIGN(const auto landing, scratch.landing(group, gathered.byteCount()));
    Memory& device = *group.memory(to.space);
    device.copy(landing, gathered.data, gathered.byteCount());
    LOCKSTEP_TRY(group.finish());
    combine({landing, to.count, to.type}, arraysIn(landing, to.byteCount(), group.size()));
    device.copy(to.data, landing, to.byteCount());
    return group.finish(); // the next one lands in the same place
}

Result<void> nativeAllReduce(Communicator& group, View data, Reduction reduction, Scratch&)
{
    return group.allReduce(data, data, reduction);
}

Result<void> reduceBroadcast(Communicator& group, View data, Reduction reduction, Scratch&)
{
    LOCKSTEP_TRY(group.reduce(data, data, reduction, 0));
    return group.broadcast(data, 0);
}

Result<void> gatherBroadcastCombine(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    return gatherAndBroadcast(group, data, combining(group, data, combine, scratch), scratch);
}

Result<void> gatherBroadcast(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    return gatherAndBroadcast(group, data, reducing(group, data, reduction), scratch);
}

Result<void> allGatherCombine(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    return gatherEverywhere(group, data, combining(group, data, combine, scratch), scratch);
}

Result<void> allGatherReduce(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    return gatherEverywhere(group, data, reducing(group, data, reduction), scratch);
}

/// Both take equal parts, so the array is padded to a multiple of p.
Result<void> reduceScatterAllGather(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    const int p = group.size();
    const std::int64_t each = (data.count + p - 1) / p;
    LOCKSTEP_TRY_ASSIGN(const View padded, scratch.room(group, View{nullptr, each * p, data.type, data.space}));
    Memory& memory = *group.memory(data.space);
    memory.copy(padded.data, data.data, data.byteCount());
    memory.zero(padded.bytes() + data.byteCount(), padded.byteCount() - data.byteCount());
    const View own = equalPart(padded, group.rank(), p);
    LOCKSTEP_TRY(group.reduceScatter(padded, own, reduction));
    LOCKSTEP_TRY(group.allGather(own, padded));
    memory.copy(data.data, padded.data, data.byteCount());
    return {};
}

} // namespace lockstep::comm
