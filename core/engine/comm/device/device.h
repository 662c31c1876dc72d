// What collectives need of an accelerator: memory and events that other processes can open, and work queued on one
// stream at a time. It may be the one that training uses, so that collectives stay in order with it, or another beside
// it (side_stream.h).
//
// Functions that queue work return at once and without an error: the first failure is kept, later work has no valid
// result, and state() reports it. Only functions that say so wait for the device.
//
// The collectives rely on this: wait() waits for the last record() of that event that was *called*, in any process,
// before wait() was called, never for a later one. Waiting for an event that was never recorded does nothing.
#pragma once

#include "base/result.h"
#include "engine/comm/types.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::comm {

/// Lets another process open memory or an event.
struct DeviceHandle {
    std::array<std::byte, 64> bytes{};
};

/// Belongs to the device that has created or opened it.
struct DeviceEvent;
/// Who can open an event.
enum class EventScope { ThisProcess, AllProcesses };

/// Of a device: the stream on which its work is queued.
class CurrentStream {
public:
    virtual ~CurrentStream() = default;
    CurrentStream(const CurrentStream&) = delete;
    CurrentStream& operator=(const CurrentStream&) = delete;

    /// The stream for all further work, as a handle of the device's library; null for its default one. Work queued
    /// before runs before work queued from now on.
    void setStream(void* stream)
    {
        if (stream != m_stream) {
            order(m_stream, stream);
            m_stream = stream;
        }
    }
    [[nodiscard]] void* stream() const { return m_stream; }
    /// Work queued on the stream `next` from now on waits for all that is queued on `before`.
    virtual void order(void* before, void* next) = 0;

protected:
    CurrentStream() = default;

private:
    void* m_stream = nullptr;
};

class Device : public CurrentStream {
public:
    /// `cuda:0`
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::size_t memoryBytes() const = 0;

    /// Memory that others can open, aligned to 256 bytes; contents undefined. These may wait for the device, so they
    /// are called only while nothing waits for a peer.
    [[nodiscard]] virtual Result<std::byte*> allocateShared(std::size_t bytes) = 0;
    virtual void freeShared(std::byte* memory) = 0;
    /// For the start of a block from allocateShared().
    [[nodiscard]] virtual Result<DeviceHandle> exportMemory(std::byte* memory) = 0;
    /// Call it once per handle; close before the owner frees.
    [[nodiscard]] virtual Result<std::byte*> openMemory(const DeviceHandle& handle) = 0;
    virtual void closeMemory(std::byte* memory) = 0;

    /// Memory of this process alone; allocated and freed in stream order.
    [[nodiscard]] virtual Result<std::byte*> allocate(std::size_t bytes) = 0;
    virtual void free(std::byte* memory) = 0;
    /// Host memory for asynchronous copies to and from the device, which can also read and write it directly.
    [[nodiscard]] virtual Result<std::byte*> allocateHost(std::size_t bytes) = 0;
    /// No queued work may still use it.
    virtual void freeHost(std::byte* memory) = 0;

    [[nodiscard]] virtual Result<DeviceEvent*> createEvent(EventScope scope) = 0;
    [[nodiscard]] virtual Result<DeviceHandle> exportEvent(DeviceEvent* event) = 0;
    [[nodiscard]] virtual Result<DeviceEvent*> openEvent(const DeviceHandle& handle) = 0;
    virtual void destroyEvent(DeviceEvent* event) = 0;
    /// Happens once all work queued before it is done.
    void record(DeviceEvent* event) { recordOn(stream(), event); }
    /// The same on a stream that is not the current one; while other threads queue, too.
    virtual void recordOn(void* stream, DeviceEvent* event) = 0;
    /// Work queued from now on waits for it.
    virtual void wait(DeviceEvent* event) = 0;
    /// Whether this process's last record() has happened; does not block.
    [[nodiscard]] virtual bool hasHappened(DeviceEvent* event) = 0;

    /// Between device memory and allocateHost() memory, or within either; no overlap.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void zero(void* to, std::size_t bytes) = 0;
    /// As reduceArrays, bit for bit, into each array of `to`, which may be inputs as well.
    virtual void reduce(Reduction reduction, DataType type, std::span<void* const> to,
        std::span<const void* const> inputs, std::int64_t count)
        = 0;

    /// Sets a word of shared memory once all work queued before is done and visible to others.
    virtual void setFlag(std::uint32_t* flag, std::uint32_t value) = 0;
    struct FlagWait {
        std::span<const std::uint32_t* const> flags;
        std::uint32_t value = 0; ///< each flag has to reach it, counted modulo 2^32
        std::chrono::nanoseconds limit{}; ///< of this wait, from when the device starts it
        const std::uint32_t* stop = nullptr; ///< host memory; ends the wait once it is not 0
        std::uint32_t* missing = nullptr; ///< host memory; set to 1 + the number of a flag that has not come in time
    };
    /// Work queued from now on waits for the flags, in a kernel that polls them. Only where kernels of several
    /// processes run at once (under MPS): elsewhere it would keep the others from running until its limit.
    virtual void waitForFlags(const FlagWait& wait) = 0;

    /// Whether all queued work is done; does not block.
    [[nodiscard]] virtual bool isIdle() = 0;
    /// The first failure.
    [[nodiscard]] virtual Result<void> state() const = 0;
    /// Call when work waits for a dead peer and never ends. Nothing is freed from then on, because that could wait as
    /// well; the process has to end.
    virtual void abort() = 0;
    [[nodiscard]] virtual bool isAborted() const = 0;
};

} // namespace lockstep::comm
