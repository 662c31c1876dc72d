#include "engine/cuda/cuda_device.h"

#include "engine/comm/shm/region.h"
#include "engine/cuda/kernel_image.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cuda {

namespace {

using comm::DataType;
using comm::DeviceEvent;
using comm::DeviceHandle;
using comm::Reduction;

/// Below this the driver puts several allocations into one, and opening one of them opens all.
constexpr std::size_t SharedAllocation = std::size_t{2} << 20;
constexpr unsigned ThreadsInABlock = 256;
/// Enough to keep all memory busy; each thread then takes several vectors.
constexpr unsigned BlocksForEachProcessor = 8;
constexpr std::size_t VectorBytes = 16;
constexpr int LeastMajor = 7, LeastMinor = 5;

/// As kernels.cu has them.
struct Inputs {
    const void* at[comm::MaxRanks];
};

static_assert(
    sizeof(cudaIpcMemHandle_t) == sizeof(DeviceHandle) && sizeof(cudaIpcEventHandle_t) == sizeof(DeviceHandle));

cudaEvent_t eventOf(DeviceEvent* event)
{
    return reinterpret_cast<cudaEvent_t>(event);
}

std::string textOf(const char* call, cudaError_t error)
{
    return std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
}

bool isAligned(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address) % VectorBytes == 0;
}

std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int attributeOf(cudaDeviceAttr attribute, int index)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, attribute, index) == cudaSuccess ? value : 0;
}

class Gpu final : public comm::Device {
public:
    Gpu(int index, std::size_t memoryBytes, unsigned processors, bool hasPools)
        : m_index(index)
        , m_memoryBytes(memoryBytes)
        , m_processors(processors)
        , m_hasPools(hasPools)
    { }
    ~Gpu() override
    {
        if (m_isAbandoned) {
            return;
        }
        use();
        if (m_orderEvent != nullptr) {
            cudaEventDestroy(m_orderEvent);
        }
        for (cudaLibrary_t library : m_libraries) {
            cudaLibraryUnload(library);
        }
    }

    /// What is certain to be needed; other types are loaded when they first come, if they have to be compiled.
    Result<void> prepare()
    {
        use();
        keepFreedMemory();
        if (const auto error = cudaEventCreateWithFlags(&m_orderEvent, cudaEventDisableTiming); error != cudaSuccess) {
            return Error{name() + ": " + textOf("cudaEventCreateWithFlags", error)};
        }
        if (const auto all = builtInKernels(); !all.empty()) {
            cudaLibrary_t library = nullptr;
            auto loaded = load(all, library);
            for (const DataType type : comm::DataTypes) {
                loaded = loaded ? findKernels(library, type) : loaded;
            }
            return loaded ? findFlagKernels(library) : loaded;
        }
        auto loaded = compileFor(DataType::Float32);
        return loaded ? findFlagKernels(m_libraries.front()) : loaded;
    }

    [[nodiscard]] std::string name() const override { return "cuda:" + std::to_string(m_index); }
    [[nodiscard]] std::size_t memoryBytes() const override { return m_memoryBytes; }

    void setStream(void* stream) override
    {
        auto* next = static_cast<cudaStream_t>(stream);
        if (next == m_stream) {
            return;
        }
        use();
        keep("cudaEventRecord", cudaEventRecord(m_orderEvent, m_stream));
        keep("cudaStreamWaitEvent", cudaStreamWaitEvent(next, m_orderEvent, 0));
        m_stream = next;
    }

    [[nodiscard]] Result<std::byte*> allocateShared(std::size_t bytes) override
    {
        use();
        void* memory = nullptr;
        const std::size_t whole = (bytes + SharedAllocation - 1) / SharedAllocation * SharedAllocation;
        const auto error = cudaMalloc(&memory, whole);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory)) : noMemory(whole, error);
    }
    void freeShared(std::byte* memory) override
    {
        if (!m_isAbandoned) {
            use();
            keep("cudaFree", cudaFree(memory));
        }
    }
    [[nodiscard]] Result<DeviceHandle> exportMemory(std::byte* memory) override
    {
        use();
        cudaIpcMemHandle_t handle{};
        const auto error = cudaIpcGetMemHandle(&handle, memory);
        return error == cudaSuccess ? Result<DeviceHandle>(packed(handle)) : cannotShare("cudaIpcGetMemHandle", error);
    }
    [[nodiscard]] Result<std::byte*> openMemory(const DeviceHandle& handle) override
    {
        use();
        cudaIpcMemHandle_t unpacked{};
        std::memcpy(&unpacked, handle.bytes.data(), sizeof(unpacked));
        void* memory = nullptr;
        const auto error = cudaIpcOpenMemHandle(&memory, unpacked, cudaIpcMemLazyEnablePeerAccess);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory))
                                    : cannotShare("cudaIpcOpenMemHandle", error);
    }
    void closeMemory(std::byte* memory) override
    {
        if (!m_isAbandoned) {
            use();
            keep("cudaIpcCloseMemHandle", cudaIpcCloseMemHandle(memory));
        }
    }

    [[nodiscard]] Result<std::byte*> allocate(std::size_t bytes) override
    {
        use();
        void* memory = nullptr;
        const std::size_t atLeast = std::max<std::size_t>(bytes, 1);
        const auto error = m_hasPools ? cudaMallocAsync(&memory, atLeast, m_stream) : cudaMalloc(&memory, atLeast);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory)) : noMemory(bytes, error);
    }
    void free(std::byte* memory) override
    {
        if (!m_isAbandoned) {
            use();
            keep("cudaFreeAsync", m_hasPools ? cudaFreeAsync(memory, m_stream) : cudaFree(memory));
        }
    }
    [[nodiscard]] Result<std::byte*> allocateHost(std::size_t bytes) override
    {
        use();
        void* memory = nullptr;
        const auto error
            = cudaHostAlloc(&memory, std::max<std::size_t>(bytes, 1), cudaHostAllocPortable | cudaHostAllocMapped);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory))
                                    : Error{name() + ": " + std::to_string(bytes)
                                        + " bytes of pinned host memory: " + textOf("cudaHostAlloc", error)};
    }
    void freeHost(std::byte* memory) override
    {
        if (!m_isAbandoned) {
            use();
            keep("cudaFreeHost", cudaFreeHost(memory));
        }
    }

    [[nodiscard]] Result<DeviceEvent*> createEvent() override
    {
        use();
        cudaEvent_t event = nullptr;
        const auto error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess);
        return error == cudaSuccess ? Result<DeviceEvent*>(reinterpret_cast<DeviceEvent*>(event))
                                    : cannotShare("cudaEventCreateWithFlags", error);
    }
    [[nodiscard]] Result<DeviceHandle> exportEvent(DeviceEvent* event) override
    {
        use();
        cudaIpcEventHandle_t handle{};
        const auto error = cudaIpcGetEventHandle(&handle, eventOf(event));
        return error == cudaSuccess ? Result<DeviceHandle>(packed(handle))
                                    : cannotShare("cudaIpcGetEventHandle", error);
    }
    [[nodiscard]] Result<DeviceEvent*> openEvent(const DeviceHandle& handle) override
    {
        use();
        cudaIpcEventHandle_t unpacked{};
        std::memcpy(&unpacked, handle.bytes.data(), sizeof(unpacked));
        cudaEvent_t event = nullptr;
        const auto error = cudaIpcOpenEventHandle(&event, unpacked);
        return error == cudaSuccess ? Result<DeviceEvent*>(reinterpret_cast<DeviceEvent*>(event))
                                    : cannotShare("cudaIpcOpenEventHandle", error);
    }
    void destroyEvent(DeviceEvent* event) override
    {
        if (!m_isAbandoned) {
            use();
            keep("cudaEventDestroy", cudaEventDestroy(eventOf(event)));
        }
    }
    void record(DeviceEvent* event) override
    {
        use();
        keep("cudaEventRecord", cudaEventRecord(eventOf(event), m_stream));
    }
    void wait(DeviceEvent* event) override
    {
        use();
        keep("cudaStreamWaitEvent", cudaStreamWaitEvent(m_stream, eventOf(event), 0));
    }
    [[nodiscard]] bool hasHappened(DeviceEvent* event) override
    {
        use();
        return isDone("cudaEventQuery", cudaEventQuery(eventOf(event)));
    }

    void copy(void* to, const void* from, std::size_t bytes) override
    {
        use();
        keep("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, m_stream));
    }
    void zero(void* to, std::size_t bytes) override
    {
        use();
        keep("cudaMemsetAsync", cudaMemsetAsync(to, 0, bytes, m_stream));
    }
    void reduce(Reduction reduction, DataType type, void* to, void* also, std::span<const void* const> inputs,
        std::int64_t count) override;
    void setFlag(std::uint32_t* flag, std::uint32_t value) override
    {
        std::array<void*, 2> arguments{&flag, &value};
        launch(m_setFlag, 1, 1, arguments.data());
    }
    void waitForFlags(const FlagWait& wait) override
    {
        Inputs flags{};
        std::copy(wait.flags.begin(), wait.flags.end(), std::begin(flags.at));
        int count = static_cast<int>(wait.flags.size());
        std::uint32_t value = wait.value;
        auto limit = static_cast<unsigned long long>(wait.limit.count());
        const std::uint32_t* stop = wait.stop;
        std::uint32_t* missing = wait.missing;
        std::array<void*, 6> arguments{&flags, &count, &value, &limit, &stop, &missing};
        launch(m_waitForFlags, 1, static_cast<unsigned>(comm::MaxRanks), arguments.data());
    }

    [[nodiscard]] bool isIdle() override
    {
        use();
        return isDone("cudaStreamQuery", cudaStreamQuery(m_stream));
    }
    [[nodiscard]] Result<void> state() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_failure.empty() ? Result<void>() : Error{m_failure};
    }
    void abandon() override { m_isAbandoned = true; }

private:
    /// Without this the pool gives memory back to the driver whenever someone waits for the device, and asks anew.
    void keepFreedMemory() const
    {
        std::uint64_t all = UINT64_MAX;
        if (cudaMemPool_t pool = nullptr; m_hasPools && cudaDeviceGetDefaultMemPool(&pool, m_index) == cudaSuccess) {
            cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
        }
    }
    /// Which GPU is meant belongs to the thread in the runtime, and several threads queue.
    void use() const { cudaSetDevice(m_index); }

    void keep(const char* call, cudaError_t error)
    {
        if (error != cudaSuccess) {
            keep(name() + ": " + textOf(call, error));
        }
    }
    void keep(const std::string& failure)
    {
        const std::lock_guard lock(m_mutex);
        if (m_failure.empty()) {
            m_failure = failure;
        }
    }
    bool isDone(const char* call, cudaError_t error)
    {
        if (error == cudaErrorNotReady) {
            cudaGetLastError(); // that is no error: forget it
            return false;
        }
        keep(call, error);
        return error == cudaSuccess;
    }
    /// What a call gives back as its result must not be found again by a later one.
    [[nodiscard]] Error noMemory(std::size_t bytes, cudaError_t error) const
    {
        cudaGetLastError();
        return Error{name() + ": " + std::to_string(bytes) + " bytes for collectives: " + textOf("cudaMalloc", error)};
    }
    [[nodiscard]] Error cannotShare(const char* call, cudaError_t error) const
    {
        cudaGetLastError();
        return Error{name() + " cannot be shared between processes: " + textOf(call, error)};
    }
    template <typename Handle>
    static DeviceHandle packed(const Handle& handle)
    {
        DeviceHandle result;
        std::memcpy(result.bytes.data(), &handle, sizeof(handle));
        return result;
    }

    [[nodiscard]] cudaKernel_t& kernelOf(Reduction reduction, DataType type)
    {
        return m_reduce[static_cast<std::size_t>(reduction)][static_cast<std::size_t>(type)];
    }
    Result<void> load(std::span<const std::byte> image, cudaLibrary_t& library)
    {
        const auto error = cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
        if (error != cudaSuccess) {
            return Error{name() + ": the kernels cannot be loaded: " + textOf("cudaLibraryLoadData", error)};
        }
        m_libraries.push_back(library);
        return {};
    }
    Result<void> compileFor(DataType type)
    {
        const auto image = compileKernels(attributeOf(cudaDevAttrComputeCapabilityMajor, m_index),
            attributeOf(cudaDevAttrComputeCapabilityMinor, m_index), type);
        if (!image) {
            return image.error();
        }
        cudaLibrary_t library = nullptr;
        auto loaded = load(*image, library);
        return loaded ? findKernels(library, type) : loaded;
    }
    Result<void> findKernels(cudaLibrary_t library, DataType type)
    {
        for (const Reduction reduction : comm::Reductions) {
            const std::string kernel = "lockstep_" + std::string(nameOf(reduction)) + "_" + std::string(nameOf(type));
            auto found
                = comm::isDefined(reduction, type) ? find(library, kernel, kernelOf(reduction, type)) : Result<void>();
            if (!found) {
                return found;
            }
        }
        return {};
    }
    Result<void> findFlagKernels(cudaLibrary_t library)
    {
        auto found = find(library, "lockstep_set_flag", m_setFlag);
        return found ? find(library, "lockstep_wait_for_flags", m_waitForFlags) : found;
    }
    Result<void> find(cudaLibrary_t library, const std::string& kernel, cudaKernel_t& found)
    {
        auto error = cudaLibraryGetKernel(&found, library, kernel.c_str());
        cudaFuncAttributes unused{};
        // Has it loaded now: to load it at its first launch may wait for the device, which may wait for a peer.
        error = error == cudaSuccess ? cudaFuncGetAttributes(&unused, reinterpret_cast<const void*>(found)) : error;
        return error == cudaSuccess ? Result<void>()
                                    : Error{name() + ": " + textOf(("the kernel " + kernel).c_str(), error)};
    }
    void launch(cudaKernel_t kernel, unsigned blocks, unsigned threads, void** arguments)
    {
        use();
        keep("cudaLaunchKernel",
            cudaLaunchKernel(
                reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), arguments, 0, m_stream));
    }

    int m_index;
    std::size_t m_memoryBytes;
    unsigned m_processors;
    bool m_hasPools; ///< memory can be given and taken back in the order of a stream
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_orderEvent = nullptr;
    std::vector<cudaLibrary_t> m_libraries;
    std::array<std::array<cudaKernel_t, std::size(comm::DataTypes)>, std::size(comm::Reductions)> m_reduce{};
    cudaKernel_t m_setFlag = nullptr;
    cudaKernel_t m_waitForFlags = nullptr;
    std::atomic<bool> m_isAbandoned = false;
    mutable std::mutex m_mutex;
    std::string m_failure;
};

void Gpu::reduce(
    Reduction reduction, DataType type, void* to, void* also, std::span<const void* const> inputs, std::int64_t count)
{
    cudaKernel_t& kernel = kernelOf(reduction, type);
    if (kernel == nullptr) {
        use();
        if (auto compiled = compileFor(type); !compiled) {
            keep(compiled.error().message);
            return;
        }
    }
    Inputs from{};
    std::copy(inputs.begin(), inputs.end(), std::begin(from.at));
    int number = static_cast<int>(inputs.size());
    auto elements = static_cast<unsigned long long>(count);
    const bool areAligned = isAligned(to) && isAligned(also) && std::all_of(inputs.begin(), inputs.end(), isAligned);
    unsigned vectorised = areAligned ? 1 : 0;
    const auto each = areAligned ? VectorBytes / comm::sizeOf(type) : 1;
    const auto wanted = (elements / each + ThreadsInABlock) / ThreadsInABlock;
    const auto blocks = std::min<unsigned long long>(wanted, m_processors * BlocksForEachProcessor);
    std::array<void*, 6> arguments{&to, &also, &from, &number, &elements, &vectorised};
    launch(kernel, static_cast<unsigned>(blocks), ThreadsInABlock, arguments.data());
}

/// Why there are no GPUs, as the end of a sentence about one.
std::string whyNone(cudaError_t error)
{
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (driver == 0) {
        return "needs an NVIDIA driver, and this machine has none; install it until nvidia-smi lists the GPU, or "
               "choose "
               "device=cpu";
    }
    if (error == cudaErrorInsufficientDriver) {
        return "needs a driver for CUDA " + versionText(runtime) + ", and the one here is for CUDA "
            + versionText(driver) + "; update the driver, or choose device=cpu";
    }
    if (error == cudaErrorNoDevice) {
        return "is not there: the driver finds no GPU (CUDA_VISIBLE_DEVICES can hide them); choose device=cpu";
    }
    return "cannot be used: " + textOf("cudaGetDeviceCount", error);
}

} // namespace

bool runsUnderMps(int index)
{
    return attributeOf(cudaDevAttrMpsEnabled, index) != 0;
}

Result<std::shared_ptr<comm::Device>> openGpu(int index)
{
    const std::string name = "cuda:" + std::to_string(index);
    int count = 0;
    if (const auto error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
        return Error{"device: " + name + " " + whyNone(error == cudaSuccess ? cudaErrorNoDevice : error)};
    }
    if (index < 0 || index >= count) {
        return Error{"device: " + name + " is not there; the GPUs are cuda:0 to cuda:" + std::to_string(count - 1)};
    }
    const int major = attributeOf(cudaDevAttrComputeCapabilityMajor, index);
    const int minor = attributeOf(cudaDevAttrComputeCapabilityMinor, index);
    if (major < LeastMajor || (major == LeastMajor && minor < LeastMinor)) {
        return Error{"device: " + name + " has compute capability " + std::to_string(major) + "."
            + std::to_string(minor) + "; it takes 7.5 (Turing) or later; choose device=cpu"};
    }
    std::size_t freeBytes = 0;
    std::size_t allBytes = 0;
    auto error = cudaSetDevice(index);
    error = error == cudaSuccess ? cudaMemGetInfo(&freeBytes, &allBytes) : error;
    if (error != cudaSuccess) {
        return Error{"device: " + name + " cannot be used by this process: " + textOf("cudaSetDevice", error)};
    }
    auto gpu = std::make_shared<Gpu>(index, allBytes,
        static_cast<unsigned>(attributeOf(cudaDevAttrMultiProcessorCount, index)),
        attributeOf(cudaDevAttrMemoryPoolsSupported, index) != 0);
    if (auto prepared = gpu->prepare(); !prepared) {
        return prepared.error();
    }
    return std::shared_ptr<comm::Device>(std::move(gpu));
}

} // namespace lockstep::cuda
