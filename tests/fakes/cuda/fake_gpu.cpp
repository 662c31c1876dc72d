// The machine, its processes and streams; fake_memory.cpp has the rest of fake_gpu.h.
#include "fakes/cuda/fake_gpu.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sched.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace lockstep::tests::gpu {

namespace {

/// Before main: a program's processes are made by fork, and what is mapped before that is the same in all of them.
Machine* const TheMachine = [] {
    void* memory
        = mmap(nullptr, sizeof(Machine), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        std::abort();
    }
    return static_cast<Machine*>(memory);
}();

/// A GPU's queue is finite, and a call that queues into a full one waits.
constexpr std::size_t MostQueued = 1024;

std::atomic<cudaError_t> TheFailure = cudaSuccess;

struct Streams {
    std::mutex mutex;
    std::array<std::unique_ptr<Stream>, MostGpus> ofDevice;
    std::set<Stream*> created;
};

/// Never destroyed: the threads of its streams may wait for what never comes, and the process ends all the same.
Streams& streams()
{
    static auto* const All = new Streams;
    return *All;
}

} // namespace

const CudaScript& script()
{
    static const CudaScript Script = CudaScript::fromEnvironment();
    return Script;
}

namespace {

/// Read once, as CUDA does; -1: it names none.
int visibleSlice()
{
    static const int Slice = [] {
        const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
        const std::string_view name = text != nullptr ? text : "MIG-0";
        const int number = name.starts_with("MIG-") ? std::atoi(name.data() + 4) : -1;
        return number < script().slices ? number : -1;
    }();
    return Slice;
}

} // namespace

int visibleGpus()
{
    return script().slices == 0 ? script().gpus : visibleSlice() >= 0 ? 1 : 0;
}

int placeOf(int device)
{
    return script().slices == 0 ? device : visibleSlice();
}

bool isAlive(int pid)
{
    if (pid <= 0 || kill(pid, 0) != 0) {
        return false;
    }
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(stat, text);
    const auto end = text.rfind(") ");
    return end != std::string::npos && text[end + 2] != 'Z' && text[end + 2] != 'X';
}

cudaError_t failure()
{
    return TheFailure;
}

void fail(cudaError_t error, const char* why)
{
    cudaError_t none = cudaSuccess;
    if (TheFailure.compare_exchange_strong(none, error)) {
        std::fprintf(stderr, "fake CUDA, process %d: %s\n", getpid(), why);
    }
}

cudaError_t refuse(cudaError_t error, const char* why)
{
    std::fprintf(stderr, "fake CUDA, process %d: %s\n", getpid(), why);
    return error;
}

void Openers::add()
{
    for (std::atomic<int>& pid : pids) {
        int none = 0;
        if (pid.compare_exchange_strong(none, getpid())) {
            return;
        }
    }
    std::abort();
}

void Openers::remove()
{
    for (std::atomic<int>& pid : pids) {
        int own = getpid();
        if (pid.compare_exchange_strong(own, 0)) {
            return;
        }
    }
}

bool Openers::any() const
{
    for (const std::atomic<int>& pid : pids) {
        if (isAlive(pid)) {
            return true;
        }
    }
    return false;
}

Machine& machine()
{
    return *TheMachine;
}

std::int64_t bytesTaken(int device)
{
    std::int64_t bytes = 0;
    for (const Machine::Process& process : TheMachine->processes) {
        bytes += isAlive(process.pid) ? process.bytes[static_cast<std::size_t>(device)].load() : 0;
    }
    return bytes;
}

Stream::Stream(int device)
    : m_device(device)
    , m_random(static_cast<unsigned>(getpid()))
{
    std::thread([this] { run(); }).detach();
}

void Stream::queue(std::function<void()> task)
{
    std::unique_lock lock(m_mutex);
    m_hasRoom.wait(lock, [this] { return m_tasks.size() < MostQueued; });
    m_tasks.push_back(std::move(task));
    m_wake.notify_one();
}

bool Stream::isIdle()
{
    const std::lock_guard lock(m_mutex);
    return m_tasks.empty() && !m_isBusy;
}

void Stream::synchronize()
{
    while (!isIdle()) {
        pause();
    }
}

void Stream::run()
{
    while (true) {
        std::function<void()> task;
        bool isLate = false;
        {
            std::unique_lock lock(m_mutex);
            m_isBusy = false;
            m_wake.wait(lock, [this] { return !m_tasks.empty(); });
            m_isBusy = true;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
            m_hasRoom.notify_one();
            isLate = m_random() % 8 == 0;
        }
        if (isLate && script().lateUs > 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(m_random() % static_cast<unsigned>(script().lateUs)));
        }
        if (failure() == cudaSuccess) {
            task();
        }
    }
}

Stream* streamOf(cudaStream_t stream)
{
    Streams& all = streams();
    const std::lock_guard lock(all.mutex);
    if (stream == nullptr || stream == cudaStreamLegacy) {
        auto& own = all.ofDevice[static_cast<std::size_t>(currentDevice())];
        if (!own) {
            own = std::make_unique<Stream>(currentDevice());
        }
        return own.get();
    }
    auto* const created = reinterpret_cast<Stream*>(stream);
    return all.created.contains(created) ? created : nullptr;
}

cudaStream_t createStream()
{
    Streams& all = streams();
    const std::lock_guard lock(all.mutex);
    return reinterpret_cast<cudaStream_t>(*all.created.insert(new Stream(currentDevice())).first);
}

cudaError_t destroyStream(cudaStream_t stream)
{
    // A thread that stays still runs the queued work.
    Streams& all = streams();
    const std::lock_guard lock(all.mutex);
    return all.created.erase(reinterpret_cast<Stream*>(stream)) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

void synchronizeAll()
{
    Streams& all = streams();
    std::vector<Stream*> here;
    {
        const std::lock_guard lock(all.mutex);
        here.assign(all.created.begin(), all.created.end());
        for (const auto& own : all.ofDevice) {
            if (own) {
                here.push_back(own.get());
            }
        }
    }
    for (Stream* stream : here) {
        stream->synchronize();
    }
}

void pause()
{
    std::this_thread::sleep_for(std::chrono::microseconds(30));
}

int& currentDevice()
{
    thread_local int device = 0;
    return device;
}

} // namespace lockstep::tests::gpu
