// The secret of a run: who has it may take part. It never crosses a connection; see handshake.h.
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::wire {

/// 256 random bits that the workbench makes for a run and hands to its ranks in their environment.
using Secret = std::array<std::byte, 32>;

[[nodiscard]] std::string toHex(const Secret& secret);
/// 64 hexadecimal digits.
[[nodiscard]] Result<Secret> secretFromHex(std::string_view hex);
/// Takes constant time.
[[nodiscard]] bool equalInConstantTime(const Secret& a, const Secret& b);

} // namespace lockstep::wire
