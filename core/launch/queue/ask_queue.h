// A single request to the queue of a store, for the command line: by its owner where there is one, else directly.
#pragma once

#include "launch/queue/queue_state.h"

#include <QString>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::launch {

struct QueueAnswer {
    QueueState state;
    std::int64_t added = 0; ///< the entry that `add` made; 0 for other requests
};

/// Waits for an owner's answer, at most 5 s. The folder exists.
[[nodiscard]] Result<QueueAnswer> askQueue(const QString& storeFolder, const nlohmann::ordered_json& request);

} // namespace lockstep::launch
