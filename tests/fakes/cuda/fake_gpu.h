// GPUs in host memory: the base of the fake CUDA runtime and the fake NCCL. Streams are threads that run queued work in
// order and late; device memory has addresses that fault when the host touches them and are never reused, so that every
// access is checked against the current allocations; state shared between processes (memory in use, events) is in a
// page that the program maps before it forks and that vanishes with the last process.
//
// Memory that another process opens is an anonymous file, found by way of /proc/<owner>/fd.
#pragma once

#include "fakes/cuda/cuda_script.h"

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <random>

namespace lockstep::tests::gpu {

inline constexpr int MostGpus = 8;

[[nodiscard]] const CudaScript& script();
/// How many GPUs this process sees.
[[nodiscard]] int visibleGpus();
/// What `device` of this process is in the machine: itself, or the slice that CUDA_VISIBLE_DEVICES names.
[[nodiscard]] int placeOf(int device);
/// False also for a zombie process.
[[nodiscard]] bool isAlive(int pid);

// A permanent error: after it nothing works, as after a fault on a GPU.
[[nodiscard]] cudaError_t failure();
/// Says why on stderr.
void fail(cudaError_t error, const char* why);
/// The same without an end: what CUDA leaves undefined or refuses, and a test has to see.
cudaError_t refuse(cudaError_t error, const char* why);

/// Of what one process has, which others have opened it.
struct Openers {
    std::array<std::atomic<int>, 16> pids;

    void add();
    void remove();
    [[nodiscard]] bool any() const;
};

/// The last records of an event, in whichever process.
struct SharedEvent {
    std::atomic<std::uint32_t> called; ///< how many records have been called
    std::array<std::atomic<std::uint32_t>, 64> done; ///< numbers of those that have happened, by slot
    Openers openers;
    int owner;
    int device; ///< placeOf()

    [[nodiscard]] bool hasHappened(std::uint32_t number) const
    {
        return number == 0 || static_cast<std::int32_t>(done[number % done.size()].load() - number) >= 0;
    }
};

/// Memory that its owner has made known to others.
struct SharedBlock {
    int owner;
    int descriptor;
    int device;
    std::uint64_t bytes;
    std::uint64_t file; ///< its number, so that another file under the same descriptor is not taken for it
    Openers openers;
};

/// The one page. Entries are never used twice.
struct Machine {
    struct Process {
        std::atomic<int> pid;
        std::array<std::atomic<std::int64_t>, MostGpus> bytes;
    };
    std::array<Process, 256> processes;
    std::atomic<std::uint32_t> events;
    std::atomic<std::uint32_t> blocks;
    std::array<SharedEvent, 16384> event;
    std::array<SharedBlock, 8192> block;
};

[[nodiscard]] Machine& machine();
/// Of all processes that live.
[[nodiscard]] std::int64_t bytesTaken(int device);

class Stream {
public:
    explicit Stream(int device);

    [[nodiscard]] int device() const { return m_device; }
    void queue(std::function<void()> task);
    [[nodiscard]] bool isIdle();
    void synchronize();

private:
    [[noreturn]] void run();

    int m_device;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_hasRoom;
    std::deque<std::function<void()>> m_tasks;
    bool m_isBusy = false;
    std::minstd_rand m_random;
};

/// Null and cudaStreamLegacy are the default stream of the calling thread's GPU. Null if there is no such stream.
[[nodiscard]] Stream* streamOf(cudaStream_t stream);
[[nodiscard]] cudaStream_t createStream();
[[nodiscard]] cudaError_t destroyStream(cudaStream_t stream);
/// Until all streams of this process are idle.
void synchronizeAll();
/// The pause of a polling loop.
void pause();

/// The GPU of the calling thread.
[[nodiscard]] int& currentDevice();

enum class Kind : std::uint8_t {
    Device, ///< cudaMalloc
    Ordered, ///< cudaMallocAsync
    Opened, ///< another process's
    Host ///< cudaHostAlloc
};

// Memory. Fails as CUDA does.
[[nodiscard]] cudaError_t allocate(Kind kind, std::size_t bytes, void** memory);
/// An Ordered one may be used from now on; what used it before in time has failed.
void makeReady(const void* memory);
[[nodiscard]] cudaError_t release(Kind kind, const void* memory);
/// From now on calls may not name it, while what is queued may still use it.
[[nodiscard]] cudaError_t retire(const void* memory);
[[nodiscard]] cudaError_t exportBlock(const void* memory, std::uint32_t* number);
[[nodiscard]] cudaError_t openBlock(std::uint32_t number, void** memory);
/// Whether a call may name these bytes.
[[nodiscard]] bool isKnown(const void* address, std::size_t bytes);
/// Where queued work finds these bytes; null, with the failure reported, if they are not there.
[[nodiscard]] std::byte* touch(const void* address, std::size_t bytes);

} // namespace lockstep::tests::gpu
