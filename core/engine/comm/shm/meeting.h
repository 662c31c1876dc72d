// Barriers and waits between the ranks of a region, which end with an error once a rank has died or time is up.
#pragma once

#include "base/result.h"
#include "engine/comm/shm/peers.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/waiting.h"

#include <chrono>
#include <functional>
#include <memory>

namespace lockstep::comm {

class Meeting {
public:
    /// As a partner: any rank.
    static constexpr int Anyone = -2;

    Meeting(Region& region, int rank, std::chrono::milliseconds timeout);

    /// Says that this rank is here and waits until all are.
    [[nodiscard]] Result<void> join();
    /// A barrier. `what`: for the error.
    [[nodiscard]] Result<void> meet(Collective what);
    /// Waits until `isReady`, tested whenever this rank's bell rings. `partner`: the rank that it depends on.
    [[nodiscard]] Result<void> await(Collective what, int partner, const std::function<bool()>& isReady);
    /// Polls until `isReady`, for a device, which rings no bell. A rank that has left in good order has done its part;
    /// the part of a rank that has died may still arrive within a moment. `patience` is added to the time limit, for
    /// callers waiting on a peer that applies the same limit.
    [[nodiscard]] Result<void> poll(
        Collective what, const std::function<bool()>& isReady, std::chrono::milliseconds patience = {});
    /// Wakes `rank` if it waits for its bell.
    void ring(int rank);
    /// Ends the group for all its ranks. Returns the reason of the first rank that called it.
    [[nodiscard]] Error breakGroup(const Text& reason);
    /// For the following waits.
    void expect(Awaited awaited) { m_awaited = awaited; }
    void setTimeout(std::chrono::milliseconds timeout) { m_timeout = timeout; }
    [[nodiscard]] std::chrono::milliseconds timeout() const { return m_timeout; }
    /// Does not block. An error once the group is broken or a rank has died.
    [[nodiscard]] Result<void> look();
    /// The first rank that has died, as a sentence; empty if there is none.
    [[nodiscard]] Text whoHasDied() const;
    /// The error that broke the group, if it is broken.
    [[nodiscard]] Result<void> state() const;

private:
    using Clock = std::chrono::steady_clock;

    /// Called while waiting, a few times a second: checks for deaths and the time limit.
    [[nodiscard]] Result<void> checkPeers(
        Collective what, Clock::time_point since, int partner, const std::function<bool()>& isReady);

    Region& m_region;
    int m_rank;
    std::chrono::milliseconds m_timeout;
    Awaited m_awaited = Awaited::Whenever;
    std::unique_ptr<Peers> m_peers;
};

} // namespace lockstep::comm
