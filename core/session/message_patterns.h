// The texts that worded() recognises. Private to core/session.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::session {

/// Special ones before general ones: the first that fits is taken.
[[nodiscard]] std::span<const std::string_view> messagePatterns();

} // namespace lockstep::session
