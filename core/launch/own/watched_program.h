// What is known of a user's own program before it runs: whether it makes its ranks itself, whether it can be watched,
// and whether it chooses the port at which they meet. By its command and the text of the files that the command names.
#pragma once

#include "experiment/spec.h"

#include <optional>

namespace lockstep::launch {

/// Started once: it starts its ranks itself (mp.spawn, torchrun), or is a single process. They join when they like.
[[nodiscard]] bool makesItsRanks(const experiment::RunSpec& run);

/// Why its processes cannot be watched: a clause. Nothing if they can, as far as its command says.
[[nodiscard]] std::optional<Text> whyNotWatched(const experiment::RunSpec& run);

/// Why no other run may be alive beside it, though it is known that it takes turns at the ends of its steps: a clause.
[[nodiscard]] std::optional<Text> whyAlone(const experiment::RunSpec& run);

} // namespace lockstep::launch
