// What several partitions are made of. Private to this folder.
#pragma once

#include "plan/partition/partition.h"

namespace lockstep::plan {

/// 0 .. count-1.
[[nodiscard]] std::vector<std::int64_t> indicesInOrder(std::int64_t count);

/// 0 .. count-1 in a random order.
[[nodiscard]] std::vector<std::int64_t> shuffledIndices(std::int64_t count, Seed seed);

/// `order` in `parts` contiguous pieces, as equal as possible.
[[nodiscard]] std::vector<std::vector<std::int64_t>> cut(const std::vector<std::int64_t>& order, int parts);

} // namespace lockstep::plan
