#include "engine/comm/guard/peer_registry.h"

#include "engine/comm/shm/handout.h"

#include <fcntl.h>

namespace lockstep::comm {

Result<std::shared_ptr<PeerRegistry>> PeerRegistry::meet(
    const std::string& name, int rank, int size, std::chrono::milliseconds timeout)
{
    const auto descriptor = shareDescriptor({name, rank, size, timeout}, [&]() -> Result<int> {
        auto made = Region::create(size);
        return made ? Result<int>(fcntl((*made)->descriptor(), F_DUPFD_CLOEXEC, 0)) : Result<int>(made.error());
    });
    if (!descriptor) {
        return descriptor.error();
    }
    auto region = Region::open(*descriptor);
    if (!region) {
        return region.error();
    }
    std::shared_ptr<PeerRegistry> registry(new PeerRegistry(std::move(*region), rank, timeout));
    if (auto joined = registry->m_meeting.join(); !joined) {
        return joined.error();
    }
    registry->m_peers = std::make_unique<Peers>(*registry->m_region);
    return registry;
}

PeerRegistry::PeerRegistry(std::unique_ptr<Region> region, int rank, std::chrono::milliseconds timeout)
    : m_region(std::move(region))
    , m_rank(rank)
    , m_meeting(*m_region, rank, timeout)
{ }

PeerRegistry::~PeerRegistry()
{
    m_region->rank(m_rank).presence.store(Presence::Left);
}

void PeerRegistry::beginCall()
{
    m_region->rank(m_rank).meetings.fetch_add(1);
}

std::string PeerRegistry::whoIsGone(int partner) const
{
    std::string hasLeft;
    for (int rank = 0; rank < m_region->size(); ++rank) {
        const std::string reason = rank == m_rank ? std::string() : m_peers->goneBecause(rank);
        if (!reason.empty() && m_region->rank(rank).presence.load() != Presence::Left) {
            return reason;
        }
        hasLeft = hasLeft.empty() || (rank == partner && !reason.empty()) ? reason : hasLeft;
    }
    return hasLeft;
}

std::string PeerRegistry::whoIsMissing() const
{
    std::string came;
    std::string missing;
    const std::uint64_t mine = m_region->rank(m_rank).meetings.load();
    for (int rank = 0; rank < m_region->size(); ++rank) {
        std::string& list = m_region->rank(rank).meetings.load() >= mine ? came : missing;
        list += (list.empty() ? "" : ", ") + std::to_string(rank);
    }
    return missing.empty() ? "all ranks have come" : "here: " + came + "; missing: " + missing;
}

} // namespace lockstep::comm
