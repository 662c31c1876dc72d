// The runs of a queued experiment that have not ended yet. Private to the queue.
#pragma once

#include "launch/queue/queue_state.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace lockstep::launch {

struct MissingRun {
    std::size_t place = 0; ///< in the entry's runs
    experiment::RunSpec spec{};
    bool resumes = false; ///< from its checkpoint
};

/// Those that were never started, and those that were interrupted or stopped with their process. A run that has
/// finished or failed is not run again. Reads the store only if some were started. In the order in which to run them.
[[nodiscard]] Result<std::vector<MissingRun>> missingRuns(const QString& storeFolder, const QueueEntry& entry);

} // namespace lockstep::launch
