// Moments on a device's own time line, on the clock of monotonicNs(). A GPU works asynchronously: a mark is queued like
// work, and reached when all work queued before it is done. Training never waits for one unless it must.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>

namespace lockstep::engine {

class DeviceMarks {
public:
    using Mark = std::int64_t; ///< number of the mark: marks are reached in this order

    DeviceMarks() = default;
    virtual ~DeviceMarks() = default;
    DeviceMarks(const DeviceMarks&) = delete;
    DeviceMarks& operator=(const DeviceMarks&) = delete;

    [[nodiscard]] virtual Mark mark() = 0;
    /// Does not block. Throws the device's error, if any.
    [[nodiscard]] virtual bool isReached(Mark mark) = 0;
    /// For a mark that was reached and not released. Accurate to 1 us between marks of one device; to some 10 us
    /// against the host's clock.
    [[nodiscard]] virtual std::int64_t timeNs(Mark mark) = 0;
    /// Releases this mark and all before it.
    virtual void release(Mark mark) = 0;
};

/// On the thread's current stream, or on another stream of the device. Null for the CPU, which is synchronous.
[[nodiscard]] std::unique_ptr<DeviceMarks> marksOf(torch::Device device, void* stream = nullptr);

} // namespace lockstep::engine
