#include "engine/comm/algorithms/algorithms.h"

#include <algorithm>

namespace lockstep::comm {

namespace {

constexpr Algorithm Table[]
    = {{"all_reduce", nativeAllReduce, MadeOf::Collectives}, {"reduce_broadcast", reduceBroadcast, MadeOf::Collectives},
        {"gather_broadcast", gatherBroadcast, MadeOf::Collectives, gatherBroadcastCombine},
        {"all_gather", allGatherReduce, MadeOf::Collectives, allGatherCombine},
        {"reduce_scatter_all_gather", reduceScatterAllGather, MadeOf::Collectives},
        {"ring", ringAllReduce, MadeOf::Messages}, {"tree", treeAllReduce, MadeOf::Messages},
        {"halving_doubling", halvingDoubling, MadeOf::Messages},
        {"parameter_server", parameterServer, MadeOf::Messages, parameterServerCombine}};

} // namespace

std::span<const Algorithm> algorithms()
{
    return Table;
}

const Algorithm* algorithm(std::string_view name)
{
    const auto* found
        = std::find_if(std::begin(Table), std::end(Table), [&](const Algorithm& a) { return a.name == name; });
    return found == std::end(Table) ? nullptr : found;
}

std::byte* Scratch::reserve(std::size_t bytes)
{
    const std::size_t blocks = bytes / sizeof(std::max_align_t) + 1;
    if (m_memory.size() < blocks) {
        m_memory.resize(blocks);
    }
    return reinterpret_cast<std::byte*>(m_memory.data());
}

Result<View> Scratch::room(const Communicator& group, const ConstView& like, std::int64_t times)
{
    const std::size_t bytes = like.byteCount() * static_cast<std::size_t>(times);
    if (like.space == Space::Host) {
        return View{reserve(bytes), like.count * times, like.type};
    }
    if (m_device.bytes < bytes || !m_device.memory) {
        m_device = {};
        LOCKSTEP_TRY_ASSIGN(auto memory, group.memory(like.space)->allocate(bytes));
        m_device = {std::move(memory), bytes};
    }
    return View{m_device.memory.get(), like.count * times, like.type, like.space};
}

Result<std::byte*> Scratch::landing(const Communicator& group, std::size_t bytes)
{
    if (m_landing.bytes < bytes || !m_landing.memory) {
        m_landing = {};
        LOCKSTEP_TRY_ASSIGN(auto memory, group.memory(Space::Device)->allocateLanding(bytes));
        m_landing = {std::move(memory), bytes};
    }
    return m_landing.memory.get();
}

} // namespace lockstep::comm
