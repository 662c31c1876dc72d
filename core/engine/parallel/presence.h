// Words that name ranks, for backends that only know addresses.
#pragma once

#include "engine/comm/shm/meeting.h"

#include <chrono>
#include <memory>
#include <string>

namespace lockstep::engine {

/// Who of the run's ranks lives, and how many calls each has begun: a small shared memory beside Gloo, for words that
/// name ranks instead of addresses.
class Presence {
public:
    Presence(std::unique_ptr<comm::Region> region, int rank)
        : m_region(std::move(region))
        , m_rank(rank)
        , m_meeting(*m_region, rank, std::chrono::seconds(60))
    { }
    ~Presence() { m_region->rank(m_rank).presence.store(comm::Presence::Left); }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

    Result<void> join()
    {
        auto joined = m_meeting.join();
        m_peers = std::make_unique<comm::Peers>(*m_region);
        return joined;
    }
    void beginCall() { m_region->rank(m_rank).meetings.fetch_add(1); }

    /// Why the operation failed: the rank whose process is gone. Empty if none is. One that was killed comes before
    /// one that has only left because of it.
    [[nodiscard]] std::string whoIsGone() const
    {
        std::string hasLeft;
        for (int rank = 0; rank < m_region->size(); ++rank) {
            const std::string reason = rank == m_rank ? std::string() : m_peers->goneBecause(rank);
            if (!reason.empty() && m_region->rank(rank).presence.load() != comm::Presence::Left) {
                return reason;
            }
            hasLeft = hasLeft.empty() ? reason : hasLeft;
        }
        return hasLeft;
    }
    [[nodiscard]] std::string whoIsMissing() const
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

private:
    std::unique_ptr<comm::Region> m_region;
    int m_rank;
    comm::Meeting m_meeting;
    std::unique_ptr<comm::Peers> m_peers;
};

} // namespace lockstep::engine
