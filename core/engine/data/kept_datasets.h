// Data sets that this process has loaded for the ranks that are forked from it: they share its memory and read no file
// again. A rank that was not forked keeps none.
#pragma once

#include "engine/data/dataset.h"
#include "experiment/spec.h"

#include <optional>

namespace lockstep::engine {

/// Loads the run's data set and keeps it for keptDataset(), unless it is kept already, cannot be loaded, or is larger
/// than what is kept at most: a tenth of this machine's memory. What was not used for longest makes room for it.
void keepDataset(const experiment::RunSpec& run);

/// The data set that was kept for the same settings, from files of the same path, size and time of modification; empty
/// if there is none. Its tensors are booked on this thread's account (MemoryAccount) while the result or a copy of it
/// lives. Throws MemoryLimitReached.
[[nodiscard]] std::optional<Dataset> keptDataset(const experiment::RunSpec& run);

} // namespace lockstep::engine
