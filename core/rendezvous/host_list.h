// The hosts that a user's runs may use: a text file with a line for each.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rendezvous {

/// What starts a host's ranks.
enum class Starter { Ssh, Srun };

struct Host {
    std::string name; ///< as ssh or Slurm takes it; never begins with a dash
    std::int32_t slots = 1; ///< how many ranks it takes
    std::string program{}; ///< of lockstep-rank there; empty: what starts the ranks chooses
    std::string address{}; ///< at which the ranks of other hosts reach it; empty: as ssh or Slurm does
    Starter starter = Starter::Ssh;

    bool operator==(const Host&) const = default;
};

/// Adds a host to those before it, if it is one.
[[nodiscard]] Result<void> addHost(std::vector<Host>& hosts, Host host);

/// Lines such as `n1 slots=4 program=/opt/lockstep/lockstep-rank address=10.0.0.1`; `#` begins a comment. Errors name
/// the line.
[[nodiscard]] Result<std::vector<Host>> parseHosts(std::string_view text);

/// The host of each of `ranks` ranks, as indices: each host is filled before the next begins. Refused where the slots
/// are too few.
[[nodiscard]] Result<std::vector<std::size_t>> hostsOfRanks(const std::vector<Host>& hosts, std::int32_t ranks);

} // namespace lockstep::rendezvous
