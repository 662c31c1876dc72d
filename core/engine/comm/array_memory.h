// Allocations, copies and reductions for algorithms, in the host's memory or in a device's. A device carries them out
// later, in the order of the calls and of the communicator's operations; the communicator's next operation or its
// finish() reports a failure.
#pragma once

#include "base/result.h"
#include "engine/comm/types.h"

#include <cstddef>
#include <memory>
#include <span>

namespace lockstep::comm {

class Memory {
public:
    virtual ~Memory() = default;
    /// Aligned for every type and for 16 bytes; contents undefined. Freed with the last reference.
    [[nodiscard]] virtual Result<std::shared_ptr<std::byte>> allocate(std::size_t bytes) = 0;
    /// Host memory that copy() accepts as well, for data from or to a device.
    [[nodiscard]] virtual Result<std::shared_ptr<std::byte>> allocateLanding(std::size_t bytes) = 0;
    /// The two are the same memory or do not overlap.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void zero(void* to, std::size_t bytes) = 0;
    /// As reduceArrays.
    virtual void reduce(
        Reduction reduction, DataType type, void* to, std::span<const void* const> inputs, std::int64_t count)
        = 0;
};

/// The processor's own.
[[nodiscard]] const std::shared_ptr<Memory>& hostMemory();

} // namespace lockstep::comm
