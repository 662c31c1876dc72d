// TCP sockets of the store, with deadlines.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::rendezvous {

using SocketClock = std::chrono::steady_clock;

using Socket = Descriptor;

/// On this address alone; port 0 takes a free one.
[[nodiscard]] Result<Socket> listenOn(const std::string& address, std::uint16_t port);
/// One attempt; `host` is a name or an address.
[[nodiscard]] Result<Socket> connectTo(const std::string& host, std::uint16_t port, SocketClock::time_point deadline);
/// Whether connectTo() has failed because nothing answers there.
[[nodiscard]] bool isUnreachable(const Error& error);

/// The numeric addresses of a host; empty if there are none.
[[nodiscard]] std::vector<std::string> addressesOf(const std::string& host);
/// This end's numeric address.
[[nodiscard]] std::string ownAddress(const Socket& socket);
[[nodiscard]] std::uint16_t ownPort(const Socket& socket);

/// Small messages leave at once, and a peer that does not acknowledge for three seconds is given up.
void useForMessages(const Socket& socket);
[[nodiscard]] Result<void> sendAll(
    const Socket& socket, std::span<const std::byte> bytes, SocketClock::time_point deadline);
[[nodiscard]] Result<void> receiveAll(
    const Socket& socket, std::span<std::byte> bytes, SocketClock::time_point deadline);

} // namespace lockstep::rendezvous
