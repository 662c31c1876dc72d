// ZeRO-offload: the optimizer's state and step outside the memory that the net computes in (Ren et al., "ZeRO-Offload:
// democratizing billion-scale model training", 2021): in the host's memory, or in a file (Rajbhandari et al.,
// "ZeRO-Infinity", 2021). The weights are updated chunk by chunk. While one chunk is updated the state of the next is
// read and that of the one before is written, so that at most plan::OffloadChunksInMemory chunks are in memory.
#pragma once

#include "base/result.h"
#include "engine/gpu/device_stream.h"
#include "engine/optim/optimizer.h"
#include "experiment/choices.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

struct OffloadSettings {
    experiment::Offload place = experiment::Offload::Disk; ///< Host or Disk
    std::string folder{}; ///< Disk: of the file; empty: the system's folder for temporary files
    std::int64_t chunkElements = 0; ///< at most, in a chunk
    bool isStaged = false; ///< the host updates copies: needed where the weights are not in its memory
    const DeviceStream* stream = nullptr; ///< the stream that writes the gradients; null on the CPU
};

/// The run's optimizer with offloaded state; bitwise equal to makeOptimizer()'s on the CPU. The file has no name once
/// it is open: the system discards it when the process ends, however it ends, and a run resumes from its last
/// checkpoint. Reserves its disk space here. Later, step() throws errors as std::runtime_error with one line.
[[nodiscard]] Result<std::unique_ptr<Optimizer>> makeOffloadedOptimizer(
    const experiment::RunSpec& run, std::vector<torch::Tensor> weights, const OffloadSettings& settings);

} // namespace lockstep::engine
