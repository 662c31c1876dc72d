// Emulated links: extra latency and limited bandwidth on a rank's messages, so that one machine behaves like a cluster.
//
// Each rank has one port out and one port in. A message of n bytes over a link of latency alpha and bandwidth 1 / beta
// occupies the sender, and its port, for n beta, and can be read alpha later (Hockney's model); the receiver's port
// takes one message after the other, n beta each. So p - 1 workers that send to one server at once take alpha + (p - 1)
// n beta, and a server that answers them takes as much. When a message can be read travels ahead of it, so both ends
// must read the same CLOCK_MONOTONIC: they are on one machine. Messages between a device's memory, which the host only
// queues, take alpha + n beta on the sender's side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace lockstep::comm {

struct Link {
    double latencyUs = 0.0;
    double megabitsPerSecond = 0.0; ///< 10^6 bit/s; 0: no limit

    [[nodiscard]] bool isSet() const { return latencyUs > 0.0 || megabitsPerSecond > 0.0; }
    [[nodiscard]] std::int64_t latencyNs() const { return static_cast<std::int64_t>(latencyUs * 1e3); }
    [[nodiscard]] std::int64_t transferNs(std::size_t bytes) const;
};

/// What lies between two ranks: the larger latency and the smaller bandwidth of their links.
[[nodiscard]] Link between(const Link& a, const Link& b);

/// When a rank's two ports are free, for all groups that it is a member of. Any thread.
class Ports {
public:
    /// Sends for `transferNs` from `now` on, or once the port is free; gives the end.
    std::int64_t send(std::int64_t now, std::int64_t transferNs);
    /// Takes in a message that can be read from `readable` on; gives when it is there.
    std::int64_t receive(std::int64_t readable, std::int64_t transferNs);

private:
    std::mutex m_mutex;
    std::int64_t m_outFreeNs = 0;
    std::int64_t m_inFreeNs = 0;
};

/// Until CLOCK_MONOTONIC has come there, to within some microseconds.
void sleepUntilNs(std::int64_t time);

} // namespace lockstep::comm
