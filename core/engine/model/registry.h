// The nets by name: for `lockstep-rank --choices`.
#pragma once

#include <string_view>
#include <vector>

namespace lockstep::engine {

[[nodiscard]] std::vector<std::string_view> netNames();

} // namespace lockstep::engine
