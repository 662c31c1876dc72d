// Moments on a device's own time line, on the clock of monotonicNs(). A GPU works behind the program's back: a mark is
// queued like work, and reached when all that was queued before it is done. Training never waits for one unless it
// must.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>

namespace lockstep::engine {

class DeviceMarks {
public:
    using Mark = std::int64_t; ///< the number of the mark: they are reached in this order

    DeviceMarks() = default;
    virtual ~DeviceMarks() = default;
    DeviceMarks(const DeviceMarks&) = delete;
    DeviceMarks& operator=(const DeviceMarks&) = delete;

    [[nodiscard]] virtual Mark mark() = 0;
    /// Asks and returns. Throws what has gone wrong on the device.
    [[nodiscard]] virtual bool isReached(Mark mark) = 0;
    /// Of a mark that has been reached and not been let go. Good to a microsecond between marks of one device; against
    /// the host's clock to some ten.
    [[nodiscard]] virtual std::int64_t timeNs(Mark mark) = 0;
    /// This one and all before it are of no more use.
    virtual void letGo(Mark mark) = 0;
};

/// Null for the CPU, whose time line is the program's.
[[nodiscard]] std::unique_ptr<DeviceMarks> marksOf(torch::Device device);

} // namespace lockstep::engine
