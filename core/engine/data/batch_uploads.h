// Batches of a data set that stays in host memory because it does not fit on the device: gathered into pinned memory
// and copied on a separate stream while the device works on the previous batch.
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

    /// Pinned memory for the next batch of this many samples. Its last copy is done.
    [[nodiscard]] virtual Batch room(std::int64_t samples) = 0;
    /// Starts to copy the last room().
    virtual void send() = 0;
    /// The last upload, on the device; work queued from now on sees it. Valid until the next but one is requested.
    [[nodiscard]] virtual Batch take() = 0;
};

/// Batches like those of `data`, which is on the host, for `device`. Null for the CPU.
[[nodiscard]] std::unique_ptr<BatchUploads> uploadsTo(torch::Device device, const LabelledInputs& data);

/// Whether the device may hold this many bytes of data for the whole run: at most a quarter of its free memory, and of
/// the rank's memory limit unless that is 0.
[[nodiscard]] bool fitsOnDevice(torch::Device device, std::int64_t bytes, std::int64_t limit);

} // namespace lockstep::engine
