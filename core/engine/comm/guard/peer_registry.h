// Which ranks of a run are alive, and how many calls each has begun: a small shared memory beside a backend that knows
// only addresses, for errors that name ranks.
#pragma once

#include "engine/comm/shm/meeting.h"

#include <chrono>
#include <memory>
#include <string>

namespace lockstep::comm {

class PeerRegistry {
public:
    /// Every rank calls it, all on one machine; returns once all have come. `name`: unique to the run and the purpose.
    [[nodiscard]] static Result<std::shared_ptr<PeerRegistry>> meet(
        const std::string& name, int rank, int size, std::chrono::milliseconds timeout);
    ~PeerRegistry();
    PeerRegistry(const PeerRegistry&) = delete;
    PeerRegistry& operator=(const PeerRegistry&) = delete;

    void beginCall();
    /// The rank whose process is gone. Empty if none is. Prefers a rank that was killed to one that only left because
    /// of it, and among equals `partner`, on which this rank depends.
    [[nodiscard]] std::string whoIsGone(int partner = -1) const;
    [[nodiscard]] std::string whoIsMissing() const;

private:
    PeerRegistry(std::unique_ptr<Region> region, int rank, std::chrono::milliseconds timeout);

    std::unique_ptr<Region> m_region;
    int m_rank;
    Meeting m_meeting;
    std::unique_ptr<Peers> m_peers;
};

} // namespace lockstep::comm
