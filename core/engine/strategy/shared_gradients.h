// Gradients in memory that ranks sum without copying, where their backend has such memory.
#pragma once

#include "base/result.h"
#include "engine/comm/link/watched_communicator.h"
#include "engine/memory/memory_account.h"
#include "engine/model/flat_parameters.h"

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

class SharedGradients {
public:
    /// Moves the gradients to memory that all of `ranks` share, if there is such memory. Every one of them calls it.
    [[nodiscard]] Result<void> share(comm::WatchedCommunicator& ranks, FlatParameters& parameters);
    /// Whether sum() can be used: an emulated link needs messages instead.
    [[nodiscard]] bool canSum(const comm::WatchedCommunicator& ranks) const { return m_array && !ranks.hasLinks(); }
    /// Over the ranks, in memory that is read-only until the next step.
    [[nodiscard]] Result<torch::Tensor> sum(comm::WatchedCommunicator& ranks, torch::Tensor& gradients);

private:
    std::shared_ptr<comm::SharedArray> m_array; ///< null: the gradients are in this rank's own memory
    ForeignMemory m_ownMemory;
    ForeignMemory m_resultMemory;
};

} // namespace lockstep::engine
