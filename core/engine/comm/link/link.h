// Emulated links: extra latency and limited bandwidth on a rank's messages, so that one machine behaves like a cluster.
//
// Each rank has one port out and one port in. A message of n bytes over a link of latency alpha and bandwidth 1 / beta
// occupies the sender's port and arrives alpha + n beta after it was sent (Hockney's model); the receiver's port takes
// one message after the other, n beta each. So p - 1 workers that send to one server at once take alpha + (p - 1) n
// beta.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// Until CLOCK_MONOTONIC reaches it, to within some microseconds.
void sleepUntilNs(std::int64_t time);

} // namespace lockstep::comm
