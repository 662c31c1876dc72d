// The texts that worded() recognises. Private to core/session.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::session {

/// Log lines, states, advice of lockstep doctor, and refusals.
[[nodiscard]] std::span<const std::string_view> messagePatterns();
/// Of what the sources write as `Error{...}`: test_worded_messages reads them all.
[[nodiscard]] std::span<const std::string_view> errorPatterns();

/// Of checkpoints, archives and bundles.
[[nodiscard]] std::span<const std::string_view> filePatterns();

} // namespace lockstep::session
