// Which of a host's addresses the ranks use between hosts.
#pragma once

#include "base/result.h"
#include "rendezvous/variables.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rendezvous {

struct Interface {
    std::string name;
    std::string address; ///< numeric
};

/// Those that are up, an entry for each address, without link-local ones of IPv6.
[[nodiscard]] std::vector<Interface> interfacesOfHost();

/// `wish` is comm.interface: empty, a name, or a subnet (10.1.0.0/16); empty means GLOO_SOCKET_IFNAME or
/// NCCL_SOCKET_IFNAME, and without these `byRoute`, the address by which the peer is reached. Refused, naming host and
/// interfaces: one that the host lacks, and loopback.
[[nodiscard]] Result<std::string> chooseAddress(const std::string& wish, const Variables& variables,
    const std::vector<Interface>& interfaces, const std::string& byRoute, const std::string& host);

/// Whether a numeric address lies in `10.1.0.0/16` or `fd00::/8`.
[[nodiscard]] Result<bool> isInSubnet(const std::string& address, const std::string& subnet);

} // namespace lockstep::rendezvous
