// Where the ranks of a region meet, and how they learn that they never will.
#pragma once

#include "base/result.h"
#include "engine/comm/shm/peers.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/waiting.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace lockstep::comm {

class Meeting {
public:
    /// As a partner: whoever it is that has not done its part.
    static constexpr int Anyone = -2;

    Meeting(Region& region, int rank, std::chrono::milliseconds timeout);

    /// Says that this rank is here and waits until all are.
    [[nodiscard]] Result<void> join();
    /// Waits until every rank has come as often. `what`: for the error.
    [[nodiscard]] Result<void> meet(Collective what);
    /// Waits until `isReady`, looking again whenever this rank's bell is rung; `partner` is whom it depends on.
    [[nodiscard]] Result<void> await(Collective what, int partner, const std::function<bool()>& isReady);
    /// Waits until `isReady`, of which no bell tells (a device does its work by itself): looks again and again. A rank that
    /// has left in good order has done its part; one that has died is given a moment in which its part, done before, may
    /// still be seen. `patience`: how much longer than the time limit, for who waits for someone that keeps the limit.
    [[nodiscard]] Result<void> poll(
        Collective what, const std::function<bool()>& isReady, std::chrono::milliseconds patience = {});
    /// Wakes `rank` if it waits for its bell.
    void ring(int rank);
    /// Makes the group useless for everyone, with this reason, unless it is so already; gives the reason that counts.
    [[nodiscard]] Error breakGroup(const std::string& reason);
    /// Of the waits from now on.
    void expect(Awaited awaited) { m_awaited = awaited; }
    void setTimeout(std::chrono::milliseconds timeout) { m_timeout = timeout; }
    [[nodiscard]] std::chrono::milliseconds timeout() const { return m_timeout; }
    /// An error once the group is broken or a rank has died; asks and returns.
    [[nodiscard]] Result<void> look();
    /// The first rank that has died, as a sentence; empty if all live.
    [[nodiscard]] std::string whoHasDied() const;
    /// The error that broke the group, if it is broken.
    [[nodiscard]] Result<void> state() const;

private:
    using Clock = std::chrono::steady_clock;

    /// Called while waiting, a few times a second: deaths and the time limit.
    [[nodiscard]] Result<void> checkPeers(
        Collective what, Clock::time_point since, int partner, const std::function<bool()>& isReady);
    [[nodiscard]] std::string whoIsMissing() const;

    Region& m_region;
    int m_rank;
    std::chrono::milliseconds m_timeout;
    Awaited m_awaited = Awaited::Whenever;
    std::unique_ptr<Peers> m_peers;
};

} // namespace lockstep::comm
