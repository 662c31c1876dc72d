#include "engine/comm/guard/peer_registry.h"

#include "engine/comm/shm/handout.h"
#include "engine/comm/shm/meeting.h"

#include <fcntl.h>
#include <utility>

namespace lockstep::comm {

namespace {

class SharedPeerRegistry final : public PeerRegistry {
public:
    SharedPeerRegistry(std::unique_ptr<Region> region, int rank, std::chrono::milliseconds timeout);
    ~SharedPeerRegistry() override;

    [[nodiscard]] Result<void> join();
    void beginCall() override;
    [[nodiscard]] std::string whoIsGone(int partner) const override;
    [[nodiscard]] std::string whoHasDied() const override { return m_meeting.whoHasDied(); }
    [[nodiscard]] std::string whoIsMissing() const override;
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

std::string SharedPeerRegistry::whoIsGone(int partner) const
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

std::string SharedPeerRegistry::whoIsMissing() const
{
    std::string came;
    std::string missing;
    const std::uint64_t mine = m_region->rank(m_rank).meetings.load();
    for (int rank = 0; rank < m_region->size(); ++rank) {
        std::string& list = m_region->rank(rank).meetings.load() >= mine ? came : missing;
        list += (list.empty() ? "" : ", ") + std::to_string(rank);
    }
    return missing.empty() ? "all ranks have arrived" : "here: " + came + "; missing: " + missing;
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
    [[nodiscard]] std::string whoIsGone(int) const override { return inTheWhole(m_whole->whoIsGone()); }
    [[nodiscard]] std::string whoHasDied() const override { return inTheWhole(m_whole->whoHasDied()); }
    [[nodiscard]] std::string whoIsMissing() const override { return m_whole->whoIsMissing(); }
    [[nodiscard]] bool hasLeftForMissing() const override { return false; } // others' calls are counted, too
    [[nodiscard]] bool mustEndWaits() const override { return m_whole->mustEndWaits(); }

private:
    static std::string inTheWhole(const std::string& reason)
    {
        return reason.starts_with("rank ") ? "global " + reason : reason;
    }

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
    auto registry = std::make_shared<SharedPeerRegistry>(std::move(*region), rank, timeout);
    LOCKSTEP_TRY(registry->join());
    return std::shared_ptr<PeerRegistry>(std::move(registry));
}

} // namespace lockstep::comm
