// The links between hosts, as `lockstep hosts --measure` finds them.
#pragma once

#include "rendezvous/host_list.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

struct LinkFigures {
    double latency = 0.0; ///< seconds of a message of a few bytes
    double bandwidth = 0.0; ///< bytes a second of long messages, one in each direction at once
};

struct HostPair {
    std::size_t first = 0; ///< in the list of hosts
    std::size_t second = 0; ///< after first
    std::optional<LinkFigures> figures{};
    Text why{}; ///< it has none
};

/// Each pair in turn, while nothing else of ours runs: one rank on each host of it, and all-reduces as a ring, in which
/// each rank sends two messages, one after the other, of half the array each. Latency is half the median time with 4
/// bytes; bandwidth is 4 MiB over the median time with 4 MiB. Blocks for a few seconds a pair. `problems`: by host, why
/// it cannot be used; empty: it can.
[[nodiscard]] std::vector<HostPair> measureLinks(
    const std::vector<rendezvous::Host>& hosts, const std::vector<Text>& problems);

} // namespace lockstep::launch
