// What is split between the ranks.
#pragma once

#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Values of `strategy.name` that can be carried out.
[[nodiscard]] std::vector<std::string_view> strategyNames();

} // namespace lockstep::engine
