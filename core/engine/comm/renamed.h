// Errors of a sub-group with its ranks renumbered as in the run.
#pragma once

#include <span>
#include <string>

namespace lockstep::comm {

/// `message` with every "rank <i>" as "rank <ranks[i]>", but for a "global rank <i>", which is of the run already.
[[nodiscard]] std::string renamed(const std::string& message, std::span<const int> ranks);

/// The same, and says so: "rank <i>" becomes "global rank <ranks[i]>".
[[nodiscard]] std::string renamedGlobally(const std::string& message, std::span<const int> ranks);

/// For a message whose ranks all have the run's numbers: "global rank <i>" becomes "rank <i>".
[[nodiscard]] std::string inNumbersOfRun(std::string message);

} // namespace lockstep::comm
