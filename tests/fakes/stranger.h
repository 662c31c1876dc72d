// A connection to the workbench that is none of its ranks. Plain sockets, as a stranger would have them.
#pragma once

#include "base/result.h"

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::fakes {

/// silent: says nothing; no_secret: a hello without a handshake; wrong_secret: a handshake with another secret, then a
/// hello; garbage: 64 KiB of noise; oversize: a frame length of 4 GiB; trickle: the right opening at one byte a second;
/// truncated: half of the right proof; reflection: the workbench's own proof; replay: opening and proof of an earlier
/// connection; version_1: shows the secret, as protocol version 1 did.
[[nodiscard]] std::span<const std::string_view> strangerKinds();

/// Connects, does its thing and waits to be cut off: after how long that was, or an error (not cut off in `patience`,
/// no connection, unknown kind).
[[nodiscard]] Result<std::chrono::milliseconds> beStranger(std::string_view kind, const std::string& address,
    const std::string& secretHex, std::chrono::milliseconds patience);

} // namespace lockstep::fakes
