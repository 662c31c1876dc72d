#include "core/engine/comm/fake_device.h"

#include "engine/comm/reduce.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace lockstep::comm {

/// In a separate file. What is recorded is counted when record() is called, what has happened when the stream is there.
struct DeviceEvent {
    struct Shared {
        std::atomic<std::uint64_t> recorded;
        std::atomic<std::uint64_t> happened;
    };
    Shared* shared = nullptr;
    int descriptor = -1;
};

} // namespace lockstep::comm

namespace lockstep::tests {

using comm::DataType;
using comm::DeviceEvent;
using comm::DeviceHandle;
using comm::Reduction;

namespace {

using namespace std::chrono_literals;

struct FileHandle {
    std::int64_t pid = 0;
    std::int64_t descriptor = -1;
    std::uint64_t bytes = 0;
};

DeviceHandle packed(const FileHandle& file)
{
    DeviceHandle handle;
    std::memcpy(handle.bytes.data(), &file, sizeof(file));
    return handle;
}

/// A descriptor of this process's own.
Result<int> opened(const DeviceHandle& handle, FileHandle& file)
{
    std::memcpy(&file, handle.bytes.data(), sizeof(file));
    const std::string path = "/proc/" + std::to_string(file.pid) + "/fd/" + std::to_string(file.descriptor);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    return descriptor >= 0 ? Result<int>(descriptor) : Error{"cannot open " + path};
}

Result<int> fileOf(std::size_t bytes)
{
    const int descriptor = memfd_create("lockstep-fake-device", MFD_CLOEXEC);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
        return Error{"memfd_create failed"};
    }
    return descriptor;
}

void* mapped(int descriptor, std::size_t bytes)
{
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
}

} // namespace

FakeDevice::FakeDevice(const FakeDeviceOptions& options)
    : m_options(options)
    , m_slownessUs(options.slowness.count())
{ }

FakeDevice::~FakeDevice()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_wake.notify_all();
    for (auto& [stream, lane] : m_lanes) {
        lane.thread.join();
    }
    for (auto& [address, block] : m_blocks) {
        munmap(block.real, block.bytes);
        munmap(const_cast<std::byte*>(address), block.bytes);
        close(block.descriptor);
    }
}

/// With the mutex locked.
FakeDevice::Lane& FakeDevice::laneOf(void* stream)
{
    Lane& lane = m_lanes[stream];
    if (!lane.thread.joinable()) {
        lane.random.seed(m_options.seed + static_cast<unsigned>(m_lanes.size()));
        lane.thread = std::thread([this, &lane] { run(lane); });
    }
    return lane;
}

void FakeDevice::run(Lane& lane)
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [&] { return m_isEnding || !lane.tasks.empty(); });
        if (lane.tasks.empty()) {
            return;
        }
        const std::function<void()> task = std::move(lane.tasks.front());
        lane.tasks.pop_front();
        m_hasRoom.notify_all();
        lane.isBusy = true;
        lock.unlock();
        auto delay = std::chrono::microseconds(m_slownessUs.load());
        if (lane.random() % 4 == 0) {
            delay += std::chrono::microseconds(lane.random() % static_cast<unsigned>(m_options.delay.count() + 1));
        }
        const auto end = std::chrono::steady_clock::now() + delay;
        while (std::chrono::steady_clock::now() < end && !m_isAborted) {
            std::this_thread::sleep_for(std::min<std::chrono::microseconds>(delay, 10ms));
        }
        if (!m_isAborted) { // else its result is not used
            task();
        }
        lock.lock();
        lane.isBusy = false;
    }
}

void FakeDevice::queueOn(void* stream, std::function<void()> task)
{
    {
        std::unique_lock lock(m_mutex);
        Lane& lane = laneOf(stream);
        m_hasRoom.wait(lock, [&] { return m_options.queueLimit == 0 || lane.tasks.size() < m_options.queueLimit; });
        lane.tasks.push_back(std::move(task));
        m_mostQueued = std::max(m_mostQueued, lane.tasks.size());
    }
    m_wake.notify_all();
}

bool FakeDevice::isIdle()
{
    const std::lock_guard lock(m_mutex);
    const Lane& lane = laneOf(stream());
    return lane.tasks.empty() && !lane.isBusy && !m_wasStuck;
}

void FakeDevice::abort()
{
    const std::lock_guard lock(m_mutex);
    for (const auto& [stream, lane] : m_lanes) {
        m_wasStuck = m_wasStuck || lane.isBusy || !lane.tasks.empty();
    }
    m_isAborted = true;
}

std::byte* FakeDevice::real(const void* address)
{
    const std::lock_guard lock(m_mutex);
    const auto* at = static_cast<const std::byte*>(address);
    auto next = m_blocks.upper_bound(at);
    if (next != m_blocks.begin()) {
        const auto& [begin, block] = *--next;
        if (at < begin + block.bytes) {
            return block.real + (at - begin);
        }
    }
    return const_cast<std::byte*>(at);
}

FakeDevice::Block FakeDevice::blockAt(const std::byte* address)
{
    const std::lock_guard lock(m_mutex);
    return m_blocks.at(address);
}

Result<std::byte*> FakeDevice::map(int descriptor, std::size_t bytes)
{
    void* memory = mapped(descriptor, bytes);
    void* address = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || address == MAP_FAILED) {
        return Error{"mmap failed"};
    }
    const std::lock_guard lock(m_mutex);
    m_blocks[static_cast<std::byte*>(address)] = {static_cast<std::byte*>(memory), bytes, descriptor};
    ++m_held;
    return static_cast<std::byte*>(address);
}

void FakeDevice::unmap(std::byte* address)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_blocks.find(address);
    munmap(found->second.real, found->second.bytes);
    munmap(address, found->second.bytes);
    close(found->second.descriptor);
    m_blocks.erase(found);
    --m_held;
}

Result<std::byte*> FakeDevice::allocate(std::size_t bytes)
{
    const std::size_t rounded = bytes / 4096 * 4096 + 4096;
    const auto file = fileOf(rounded);
    if (!file) {
        return file.error();
    }
    auto address = map(*file, rounded);
    if (address) {
        std::memset(real(*address), 0xcd, rounded);
    }
    return address;
}

void FakeDevice::free(std::byte* memory)
{
    queue([this, memory] { unmap(memory); });
}

Result<std::byte*> FakeDevice::allocateShared(std::size_t bytes)
{
    if (m_shared + bytes > m_options.memoryBytes) {
        return Error{"fake:0 has no " + std::to_string(bytes) + " bytes left"};
    }
    auto memory = allocate(bytes);
    if (!memory) {
        return memory;
    }
    m_shared += blockAt(*memory).bytes;
    m_mostShared = std::max(m_mostShared, m_shared);
    return memory;
}

void FakeDevice::freeShared(std::byte* memory)
{
    m_shared -= blockAt(memory).bytes;
    unmap(memory);
}

Result<DeviceHandle> FakeDevice::exportMemory(std::byte* memory)
{
    const Block block = blockAt(memory);
    return packed({getpid(), block.descriptor, block.bytes});
}

Result<std::byte*> FakeDevice::openMemory(const DeviceHandle& handle)
{
    if (!m_options.brokenBecause.empty()) {
        return failureOf(verbatim(m_options.brokenBecause));
    }
    FileHandle file;
    const auto descriptor = opened(handle, file);
    return descriptor ? map(*descriptor, file.bytes) : Result<std::byte*>(descriptor.error());
}

void FakeDevice::closeMemory(std::byte* memory)
{
    unmap(memory);
}

Result<std::byte*> FakeDevice::allocateHost(std::size_t bytes)
{
    ++m_held;
    return new std::byte[bytes + 1]{};
}

void FakeDevice::freeHost(std::byte* memory)
{
    --m_held;
    delete[] memory;
}

Result<DeviceEvent*> FakeDevice::createEvent(comm::EventScope)
{
    const auto file = fileOf(sizeof(DeviceEvent::Shared));
    if (!file) {
        return file.error();
    }
    ++m_held;
    return new DeviceEvent{static_cast<DeviceEvent::Shared*>(mapped(*file, sizeof(DeviceEvent::Shared))), *file};
}

Result<DeviceHandle> FakeDevice::exportEvent(DeviceEvent* event)
{
    return packed({getpid(), event->descriptor, sizeof(DeviceEvent::Shared)});
}

Result<DeviceEvent*> FakeDevice::openEvent(const DeviceHandle& handle)
{
    FileHandle file;
    const auto descriptor = opened(handle, file);
    if (!descriptor) {
        return descriptor.error();
    }
    ++m_held;
    return new DeviceEvent{
        static_cast<DeviceEvent::Shared*>(mapped(*descriptor, sizeof(DeviceEvent::Shared))), *descriptor};
}

void FakeDevice::destroyEvent(DeviceEvent* event)
{
    --m_held;
    munmap(event->shared, sizeof(DeviceEvent::Shared));
    close(event->descriptor);
    delete event;
}

void FakeDevice::order(void* before, void* next)
{
    const auto isThere = std::make_shared<std::atomic<bool>>(false);
    queueOn(before, [isThere] { *isThere = true; });
    holdUpOn(next, isThere);
}

void FakeDevice::holdUpOn(void* stream, const std::shared_ptr<std::atomic<bool>>& until)
{
    queueOn(stream, [this, until] {
        while (!*until && !m_isAborted) {
            std::this_thread::sleep_for(10us);
        }
    });
}

void FakeDevice::recordOn(void* stream, DeviceEvent* event)
{
    const std::uint64_t number = ++event->shared->recorded;
    queueOn(stream, [shared = event->shared, number] { shared->happened.store(number); });
}

void FakeDevice::wait(DeviceEvent* event)
{
    const std::uint64_t number = event->shared->recorded.load();
    queue([this, shared = event->shared, number] {
        while (shared->happened.load() < number && !m_isAborted) {
            std::this_thread::sleep_for(10us);
        }
    });
}

bool FakeDevice::hasHappened(DeviceEvent* event)
{
    return event->shared->happened.load() >= event->shared->recorded.load();
}

void FakeDevice::copyOn(void* stream, void* to, const void* from, std::size_t bytes)
{
    if (bytes > 0) {
        queueOn(stream, [target = real(to), source = real(from), bytes] { std::memmove(target, source, bytes); });
    }
}

void FakeDevice::zero(void* to, std::size_t bytes)
{
    queue([target = real(to), bytes] { std::memset(target, 0, bytes); });
}

void FakeDevice::reduce(Reduction reduction, DataType type, std::span<void* const> to,
    std::span<const void* const> inputs, std::int64_t count)
{
    std::vector<const void*> sources;
    for (const void* input : inputs) {
        sources.push_back(real(input));
    }
    std::vector<void*> targets;
    for (void* each : to) {
        targets.push_back(real(each));
    }
    queue([=] {
        comm::reduceArrays(reduction, type, targets.front(), sources, count);
        for (std::size_t i = 1; i < targets.size(); ++i) {
            std::memmove(targets[i], targets.front(), static_cast<std::size_t>(count) * comm::sizeOf(type));
        }
    });
}

void FakeDevice::setFlag(std::uint32_t* flag, std::uint32_t value)
{
    auto* word = reinterpret_cast<std::uint32_t*>(real(flag));
    queue([word, value] { std::atomic_ref(*word).store(value); });
}

void FakeDevice::waitForFlags(const FlagWait& wait)
{
    std::vector<std::uint32_t*> words;
    for (const std::uint32_t* flag : wait.flags) {
        words.push_back(reinterpret_cast<std::uint32_t*>(real(flag)));
    }
    auto* stop = const_cast<std::uint32_t*>(wait.stop);
    queue([words, stop, value = wait.value, limit = wait.limit, missing = wait.missing] {
        const auto end = std::chrono::steady_clock::now() + limit;
        for (std::size_t i = 0; i < words.size(); ++i) {
            while (static_cast<std::int32_t>(std::atomic_ref(*words[i]).load() - value) < 0) {
                if (std::atomic_ref(*stop).load() != 0) {
                    return;
                }
                if (std::chrono::steady_clock::now() > end) {
                    std::atomic_ref(*missing).store(static_cast<std::uint32_t>(i + 1));
                    return;
                }
                std::this_thread::sleep_for(10us);
            }
        }
    });
}

} // namespace lockstep::tests
