// What goes wrong in a group, as texts whose ranks and operations are parts that can be found and replaced.
#pragma once

#include "base/text.h"
#include "engine/comm/types.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

namespace lockstep::comm {

/// `all_reduce: rank 1 has left the group`
[[nodiscard]] Text ofOperation(Collective what, const Text& text);
/// Without the operation in front, if it is that one; without any in front.
[[nodiscard]] Text withoutOperation(const Text& text, Collective what);
[[nodiscard]] Text withoutOperation(const Text& text);

/// `rank 2: peer access is not supported`
[[nodiscard]] Text saidBy(int rank, const Text& text);
[[nodiscard]] bool beginsWithRank(const Text& text);

/// With every `rank <i>` as `rank <ranks[i]>`: for errors of a sub-group. A `global rank <i>` is of the run already.
[[nodiscard]] Text renamed(const Text& text, std::span<const int> ranks);
/// The same, and says so: `rank <i>` becomes `global rank <ranks[i]>`.
[[nodiscard]] Text renamedGlobally(const Text& text, std::span<const int> ranks);
/// Where the numbers are the run's: `rank <i>` becomes `global rank <i>`, and the other way round.
[[nodiscard]] Text globally(const Text& text);
[[nodiscard]] Text inNumbersOfRun(const Text& text);

/// `here: 0, 1; missing: 2`; empty if all are here.
[[nodiscard]] Text whoIsMissing(int ranks, const std::function<bool(int rank)>& isHere);
/// `not all ranks have arrived within 30 s; here: 0, 1; missing: 2`
[[nodiscard]] Text notAllArrived(std::chrono::milliseconds limit, const Text& missing);
/// The same where none is missing: `it has not been completed within 30 s; all ranks have arrived`.
[[nodiscard]] Text notCompleted(std::chrono::milliseconds limit);
/// Whether it says that not all have arrived, of whatever operation.
[[nodiscard]] bool isNotAllArrived(const Text& text);
[[nodiscard]] Text leftTheGroup(int rank);
/// Of shared arrays, where `rank` asks for another size than rank 0.
[[nodiscard]] Text arraysDiffer(std::int64_t bytesOf0, std::int64_t rank, std::int64_t bytes);

} // namespace lockstep::comm
