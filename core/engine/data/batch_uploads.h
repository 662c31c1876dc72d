// Batches of a data set that stays in the host's memory because the device's is too small for it: gathered into pinned
// memory and copied on a stream of their own, while the device works on the batch before.
#pragma once

#include "engine/data/batches.h"

#include <cstdint>
#include <memory>

namespace lockstep::engine {

class BatchUploads {
public:
    BatchUploads() = default;
    virtual ~BatchUploads() = default;
    BatchUploads(const BatchUploads&) = delete;
    BatchUploads& operator=(const BatchUploads&) = delete;

    /// Pinned memory for the next batch of so many samples: free, because its last copy is done.
    [[nodiscard]] virtual Batch room(std::int64_t samples) = 0;
    /// Begins to copy what room() gave last.
    virtual void send() = 0;
    /// What was sent last, on the device; what is queued from now on has it. Good until the next but one is asked for.
    [[nodiscard]] virtual Batch take() = 0;
};

/// Batches like those of `data`, which is on the host, for `device`. Null for the CPU.
[[nodiscard]] std::unique_ptr<BatchUploads> uploadsTo(torch::Device device, const LabelledInputs& data);

/// Whether so many bytes of data may lie on the device for good: at most a quarter of what is free there now.
[[nodiscard]] bool fitsOnDevice(torch::Device device, std::int64_t bytes);

} // namespace lockstep::engine
