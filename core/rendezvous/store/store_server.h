// The store of a run whose ranks are on several hosts: keys and values, which ranks are alive, and messages from rank 0
// to all. A thread of one rank serves it. A peer first proves that it has the secret and is shown the same; what it
// cannot prove in time is cut off and does not disturb the others.
#pragma once

#include "base/clock.h"
#include "rendezvous/store/membership.h"
#include "rendezvous/store/socket.h"
#include "wire/secret.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace lockstep::rendezvous {

class StoreLoop;

class StoreServer {
public:
    /// Gives nanoseconds.
    using Clock = std::int64_t (*)();
    /// `self`: the rank that serves, with which the others must agree. `listener` is bound already. The others measure
    /// how far their clocks differ from `clock`.
    [[nodiscard]] static Result<std::unique_ptr<StoreServer>> start(
        Socket listener, const Member& self, const wire::Secret& secret, Clock clock = monotonicNs);
    ~StoreServer();
    StoreServer(const StoreServer&) = delete;
    StoreServer& operator=(const StoreServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    /// Waits until every rank has left or is lost, at most so long.
    void awaitEnd(std::chrono::milliseconds limit) const;

private:
    StoreServer(std::unique_ptr<StoreLoop> loop, std::uint16_t port);

    std::unique_ptr<StoreLoop> m_loop;
    std::uint16_t m_port;
    std::thread m_thread;
};

} // namespace lockstep::rendezvous
