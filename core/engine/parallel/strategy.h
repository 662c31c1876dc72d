// What is split between the ranks, and how many ranks that needs.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Values of `strategy.name` that can be carried out.
[[nodiscard]] std::vector<std::string_view> strategyNames();

/// The number of ranks that the run takes: what `world_size` says, or what the strategy needs where that is 0.
/// An error names both where they do not fit.
[[nodiscard]] Result<std::int32_t> worldSizeOf(const experiment::RunSpec& run);

} // namespace lockstep::engine
