#include "engine/comm/guard/peer_registry.h"

#include "engine/comm/failures.h"
#include "engine/comm/shm/meeting.h"
#include "engine/comm/shm/share_descriptor.h"

#include <utility>

namespace lockstep::comm {

namespace {

class SharedPeerRegistry final : public PeerRegistry {
public:
    SharedPeerRegistry(std::unique_ptr<Region> region, int rank, std::chrono::milliseconds timeout);
    ~SharedPeerRegistry() override;

    [[nodiscard]] Result<void> join();
    void beginCall() override;
    [[nodiscard]] Text deadPeers(int partner) const override;
    [[nodiscard]] Text whoHasDied() const override { return m_meeting.whoHasDied(); }
    [[nodiscard]] Text whoIsMissing() const override;
    [[nodiscard]] bool hasLeftForMissing() const override;

private:
    std::unique_ptr<Region> m_region;
    int m_rank;
    Meeting m_meeting;
    std::unique_ptr<Peers> m_peers;
};

SharedPeerRegistry::SharedPeerRegistry(std::unique_ptr<Region> region, int rank, std::chrono::milliseconds timeout)
    : m_region(std::move(region))
    , m_rank(rank)
    , m_meeting(*m_region, rank, timeout)
{ }

SharedPeerRegistry::~SharedPeerRegistry()
{
    m_region->rank(m_rank).presence.store(Presence::Left);
}

Result<void> SharedPeerRegistry::join()
{
    LOCKSTEP_TRY(m_meeting.join());
    m_peers = std::make_unique<Peers>(*m_region);
    return {};
}

void SharedPeerRegistry::beginCall()
{
    m_region->rank(m_rank).meetings.fetch_add(1);
}

Text SharedPeerRegistry::deadPeers(int partner) const
{
    Text hasLeft;
    for (int rank = 0; rank < m_region->size(); ++rank) {
        const Text reason = rank == m_rank ? Text() : m_peers->goneBecause(rank);
        if (!reason.empty() && m_region->rank(rank).presence.load() != Presence::Left) {
            return reason;
        }
        hasLeft = hasLeft.empty() || (rank == partner && !reason.empty()) ? reason : hasLeft;
    }
    return hasLeft;
}

Text SharedPeerRegistry::whoIsMissing() const
{
    const std::uint64_t mine = m_region->rank(m_rank).meetings.load();
    return comm::whoIsMissing(m_region->size(), [&](int rank) { return m_region->rank(rank).meetings.load() >= mine; });
}

bool SharedPeerRegistry::hasLeftForMissing() const
{
    const std::uint64_t mine = m_region->rank(m_rank).meetings.load();
    bool hasLeft = false;
    bool isMissing = false;
    for (int rank = 0; rank < m_region->size(); ++rank) {
        const bool came = m_region->rank(rank).meetings.load() >= mine;
        const bool isGone = rank != m_rank && !m_peers->goneBecause(rank).empty();
        hasLeft = hasLeft || (came && m_region->rank(rank).presence.load() == Presence::Left);
        isMissing = isMissing || (!came && !isGone);
    }
    return hasLeft && isMissing;
}

class PartPeerRegistry final : public PeerRegistry {
public:
    explicit PartPeerRegistry(std::shared_ptr<PeerRegistry> whole)
        : m_whole(std::move(whole))
    { }

    void beginCall() override { m_whole->beginCall(); }
    [[nodiscard]] Text deadPeers(int) const override { return globally(m_whole->deadPeers()); }
    [[nodiscard]] Text whoHasDied() const override { return globally(m_whole->whoHasDied()); }
    [[nodiscard]] Text whoIsMissing() const override { return m_whole->whoIsMissing(); }
    [[nodiscard]] bool hasLeftForMissing() const override { return false; } // others' calls are counted, too
    [[nodiscard]] bool mustEndWaits() const override { return m_whole->mustEndWaits(); }

private:
    std::shared_ptr<PeerRegistry> m_whole;
};

} // namespace

std::shared_ptr<PeerRegistry> PeerRegistry::ofPart(std::shared_ptr<PeerRegistry> whole)
{
    return std::make_shared<PartPeerRegistry>(std::move(whole));
}

Result<std::shared_ptr<PeerRegistry>> PeerRegistry::meet(
    const std::string& name, int rank, int size, std::chrono::milliseconds timeout)
{
    LOCKSTEP_TRY_ASSIGN(
        const auto file, shareDescriptor({name, rank, size, timeout}, [size] { return Region::makeFile(size); }));
    LOCKSTEP_TRY_ASSIGN(auto region, Region::open(file));
    auto registry = std::make_shared<SharedPeerRegistry>(std::move(region), rank, timeout);
    LOCKSTEP_TRY(registry->join());
    return std::shared_ptr<PeerRegistry>(std::move(registry));
}

} // namespace lockstep::comm
