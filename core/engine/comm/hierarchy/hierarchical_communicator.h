// The backend for ranks on several hosts. An all-reduce first reduces in the memory that the ranks of a host share,
// then between one rank of each host, and then the others read the result in that memory: what crosses the network does
// not grow with the ranks of a host. A long array goes in pieces; while one is between the hosts, the next is reduced.
//
// Everything else goes over the network as it would without it, but for a group whose ranks are all on one host: that
// one uses only their memory.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/guard/guarded_communicator.h"

#include <memory>

namespace lockstep::comm {

struct Hierarchy {
    std::unique_ptr<Communicator> all; ///< over the network; names dead ranks as `registry` does
    std::unique_ptr<Communicator> host; ///< the ranks of this host, in the order of `all`, in memory that they share
    std::shared_ptr<PeerRegistry> registry;
    GuardOptions guard{};
    bool isPart = false; ///< a group that was split off: its errors say "global rank" of a rank of the run
};

/// Every rank of `all` calls it. Gives `all` itself where no host has two of its ranks.
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinHierarchy(Hierarchy parts);

} // namespace lockstep::comm
