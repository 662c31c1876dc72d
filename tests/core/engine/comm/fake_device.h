// A device without hardware, for ranks that are threads or processes. Its memory and events are anonymous files that
// others open; its streams are threads that do what is queued late, after delays drawn from a seed, so that a wait
// that is missing gives a wrong result. Memory of the device is not readable by the process that holds its address:
// what touches it other than through the stream ends with a signal.
#pragma once

#include "engine/comm/device/device.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

namespace lockstep::tests {

struct FakeDeviceOptions {
    unsigned seed = 1;
    /// Before one in four things that are queued; drawn up to this.
    std::chrono::microseconds delay{60};
    /// Before everything.
    std::chrono::microseconds slowness{0};
    std::size_t memoryBytes = std::size_t{64} << 20;
    /// A call that queues waits while there is so much in the queue; 0: it never is full.
    std::size_t queueLimit = 0;
    std::string brokenBecause{}; ///< not empty: memory cannot be shared, with this as the reason
};

class FakeDevice final : public comm::Device {
public:
    explicit FakeDevice(const FakeDeviceOptions& options);
    ~FakeDevice() override;

    [[nodiscard]] std::string name() const override { return "fake:0"; }
    [[nodiscard]] std::size_t memoryBytes() const override { return m_options.memoryBytes; }
    /// Any address is that of a stream.
    void order(void* before, void* next) override;

    [[nodiscard]] Result<std::byte*> allocateShared(std::size_t bytes) override;
    void freeShared(std::byte* memory) override;
    [[nodiscard]] Result<comm::DeviceHandle> exportMemory(std::byte* memory) override;
    [[nodiscard]] Result<std::byte*> openMemory(const comm::DeviceHandle& handle) override;
    void closeMemory(std::byte* memory) override;
    [[nodiscard]] Result<std::byte*> allocate(std::size_t bytes) override;
    void free(std::byte* memory) override;
    [[nodiscard]] Result<std::byte*> allocateHost(std::size_t bytes) override;
    void freeHost(std::byte* memory) override;

    [[nodiscard]] Result<comm::DeviceEvent*> createEvent(comm::EventScope scope) override;
    [[nodiscard]] Result<comm::DeviceHandle> exportEvent(comm::DeviceEvent* event) override;
    [[nodiscard]] Result<comm::DeviceEvent*> openEvent(const comm::DeviceHandle& handle) override;
    void destroyEvent(comm::DeviceEvent* event) override;
    void recordOn(void* stream, comm::DeviceEvent* event) override;
    void wait(comm::DeviceEvent* event) override;
    [[nodiscard]] bool hasHappened(comm::DeviceEvent* event) override;

    void copy(void* to, const void* from, std::size_t bytes) override { copyOn(stream(), to, from, bytes); }
    void zero(void* to, std::size_t bytes) override;
    void reduce(comm::Reduction reduction, comm::DataType type, std::span<void* const> to,
        std::span<const void* const> inputs, std::int64_t count) override;
    void setFlag(std::uint32_t* flag, std::uint32_t value) override;
    void waitForFlags(const FlagWait& wait) override;

    [[nodiscard]] bool isIdle() override;
    [[nodiscard]] Result<void> state() const override { return {}; }
    void abort() override;
    [[nodiscard]] bool isAborted() const override { return m_isAborted; }

    void setSlowness(std::chrono::microseconds slowness) { m_slownessUs = slowness.count(); }
    /// The stream goes no further until it is true.
    void holdUpOn(void* stream, const std::shared_ptr<std::atomic<bool>>& until);
    void copyOn(void* stream, void* to, const void* from, std::size_t bytes);
    /// Blocks of memory and events that have not been given back.
    [[nodiscard]] int held() const { return m_held; }
    /// The most memory that others can open there has been at a time.
    [[nodiscard]] std::size_t mostShared() const { return m_mostShared; }
    /// The most that there has been in its queue at a time.
    [[nodiscard]] std::size_t mostQueued() const { return m_mostQueued; }

private:
    struct Block {
        std::byte* real = nullptr;
        std::size_t bytes = 0;
        int descriptor = -1;
    };

    /// Of one stream.
    struct Lane {
        std::deque<std::function<void()>> tasks;
        bool isBusy = false;
        std::minstd_rand random;
        std::thread thread;
    };

    [[nodiscard]] Lane& laneOf(void* stream);
    void run(Lane& lane);
    void queue(std::function<void()> task) { queueOn(stream(), std::move(task)); }
    void queueOn(void* stream, std::function<void()> task);
    /// The memory that the address refers to on the stream; host addresses refer to themselves.
    [[nodiscard]] std::byte* real(const void* address);
    [[nodiscard]] Block blockAt(const std::byte* address);
    [[nodiscard]] Result<std::byte*> map(int descriptor, std::size_t bytes);
    void unmap(std::byte* address);

    FakeDeviceOptions m_options;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_hasRoom;
    std::map<void*, Lane> m_lanes; ///< by stream
    std::map<const std::byte*, Block> m_blocks;
    std::size_t m_shared = 0;
    std::size_t m_mostShared = 0;
    std::size_t m_mostQueued = 0;
    bool m_isEnding = false;
    std::atomic<bool> m_isAborted = false;
    bool m_wasStuck = false; ///< when it was aborted, from then on
    std::atomic<std::int64_t> m_slownessUs;
    std::atomic<int> m_held = 0;
};

} // namespace lockstep::tests
