// The backend for ranks that have a GPU each: arrays in device memory go through NCCL. Everything that does not need
// the device (arrays of the host, comparing calls, noticing deaths) stays with the ranks' shared memory, as in the
// backend shm.
//
// What NCCL lacks is composed: gather, scatter and all_to_all from grouped messages; bitwise reductions from an
// all_gather and our own kernel. NCCL adds in the order of its rings, so sums of floats can differ in their last digits
// from those of other backends; they are equal on all ranks.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/device/device.h"

#include <chrono>
#include <memory>

namespace lockstep::cuda {

struct NcclOptions {
    std::chrono::milliseconds timeout{30000}; ///< of one operation, and of meeting
    /// Sets NCCL_MULTI_RANK_GPU_ENABLE=1, with which NCCL 2.30 and later take several ranks on one GPU (experimental).
    bool takesSharedGpu = false;
};

/// Makes a communicator for arrays on `device` from one over shared memory, which it takes over. This process has
/// opened `device` and made it current; work is queued on the device's stream. All ranks call it. NCCL's errors keep
/// their text.
[[nodiscard]] Result<std::unique_ptr<comm::Communicator>> overNccl(
    std::unique_ptr<comm::Communicator> host, std::shared_ptr<comm::Device> device, const NcclOptions& options);

/// 22809 for 2.28.9; 0 if NCCL does not answer.
[[nodiscard]] int ncclVersion();

} // namespace lockstep::cuda
