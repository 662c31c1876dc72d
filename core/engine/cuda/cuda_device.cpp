#include "engine/cuda/cuda_device.h"

#include "engine/cuda/gpu_errors.h"
#include "engine/cuda/gpu_kernels.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

namespace lockstep::cuda {

namespace {

using comm::DataType;
using comm::DeviceEvent;
using comm::DeviceHandle;
using comm::Reduction;

/// Below this the driver puts several allocations into one, and opening one of them opens all.
constexpr std::size_t SharedAllocation = std::size_t{2} << 20;
constexpr unsigned ThreadsInABlock = 256;
/// Enough to use all memory bandwidth; each thread then takes several vectors.
constexpr unsigned BlocksForEachProcessor = 8;
constexpr std::size_t VectorBytes = 16;
constexpr int LeastMajor = 7, LeastMinor = 5;

/// As kernels.cu has them.
struct Inputs {
    const void* at[comm::MaxRanks];
};
struct Outputs {
    void* at[comm::MaxRanks];
};

static_assert(
    sizeof(cudaIpcMemHandle_t) == sizeof(DeviceHandle) && sizeof(cudaIpcEventHandle_t) == sizeof(DeviceHandle));

cudaEvent_t eventOf(DeviceEvent* event)
{
    return reinterpret_cast<cudaEvent_t>(event);
}

cudaStream_t streamOf(void* stream)
{
    return static_cast<cudaStream_t>(stream);
}

bool isAligned(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address) % VectorBytes == 0;
}

std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

template <typename Handle>
DeviceHandle packed(const Handle& handle)
{
    DeviceHandle result;
    std::memcpy(result.bytes.data(), &handle, sizeof(handle));
    return result;
}

/// Loads the driver's kernels for copies and zeros. Their first use may wait for the device, which under MPS may later
/// run a kernel that waits for a peer.
Result<void> warmUp(const std::string& gpu)
{
    constexpr std::size_t Bytes = 256;
    void* memory = nullptr;
    auto error = cudaMalloc(&memory, 2 * Bytes);
    if (error != cudaSuccess) {
        return GpuErrors(gpu).noMemory(2 * Bytes, error);
    }
    auto* bytes = static_cast<std::byte*>(memory);
    error = cudaMemsetAsync(bytes, 0, Bytes, nullptr);
    error = error == cudaSuccess ? cudaMemcpyAsync(bytes + Bytes, bytes, Bytes, cudaMemcpyDefault, nullptr) : error;
    error = error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
    error = error == cudaSuccess ? cudaFree(memory) : error;
    return error == cudaSuccess
        ? Result<void>()
        : failure(LS_TR("Messages", "%1: %2"), {verbatim(gpu), verbatim(textOf("its first copy", error))});
}

/// Keeps the pool from returning memory to the driver at each synchronization.
void keepFreedMemory(int index)
{
    std::uint64_t all = UINT64_MAX;
    if (cudaMemPool_t pool = nullptr; cudaDeviceGetDefaultMemPool(&pool, index) == cudaSuccess) {
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    }
}

cudaError_t launch(cudaKernel_t kernel, unsigned blocks, unsigned threads, void** arguments, cudaStream_t stream)
{
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), arguments, 0, stream);
}

/// The runtime's current GPU belongs to the thread, and several threads queue: each function selects its own first.
class Gpu final : public comm::Device {
public:
    /// Takes `orderEvent` over.
    Gpu(int index, std::size_t memoryBytes, bool hasPools, std::unique_ptr<GpuKernels> kernels, cudaEvent_t orderEvent)
        : m_index(index)
        , m_memoryBytes(memoryBytes)
        , m_processors(static_cast<unsigned>(attributeOf(cudaDevAttrMultiProcessorCount, index)))
        , m_hasPools(hasPools)
        , m_orderEvent(orderEvent)
        , m_kernels(std::move(kernels))
        , m_errors("cuda:" + std::to_string(index))
    { }
    ~Gpu() override
    {
        if (m_isAborted) {
            return;
        }
        cudaSetDevice(m_index);
        cudaEventDestroy(m_orderEvent);
        m_kernels->unload();
    }

    [[nodiscard]] std::string name() const override { return "cuda:" + std::to_string(m_index); }
    [[nodiscard]] std::size_t memoryBytes() const override { return m_memoryBytes; }

    void order(void* before, void* next) override
    {
        cudaSetDevice(m_index);
        m_errors.keep("cudaEventRecord", cudaEventRecord(m_orderEvent, streamOf(before)));
        m_errors.keep("cudaStreamWaitEvent", cudaStreamWaitEvent(streamOf(next), m_orderEvent, 0));
    }

    [[nodiscard]] Result<std::byte*> allocateShared(std::size_t bytes) override
    {
        cudaSetDevice(m_index);
        void* memory = nullptr;
        const std::size_t whole = (bytes + SharedAllocation - 1) / SharedAllocation * SharedAllocation;
        const auto error = cudaMalloc(&memory, whole);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory))
                                    : m_errors.noMemory(whole, error);
    }
    void freeShared(std::byte* memory) override
    {
        if (!m_isAborted) {
            cudaSetDevice(m_index);
            m_errors.keep("cudaFree", cudaFree(memory));
        }
    }
    [[nodiscard]] Result<DeviceHandle> exportMemory(std::byte* memory) override
    {
        cudaSetDevice(m_index);
        cudaIpcMemHandle_t handle{};
        const auto error = cudaIpcGetMemHandle(&handle, memory);
        return error == cudaSuccess ? Result<DeviceHandle>(packed(handle))
                                    : m_errors.cannotShare("cudaIpcGetMemHandle", error);
    }
    [[nodiscard]] Result<std::byte*> openMemory(const DeviceHandle& handle) override
    {
        cudaSetDevice(m_index);
        cudaIpcMemHandle_t unpacked{};
        std::memcpy(&unpacked, handle.bytes.data(), sizeof(unpacked));
        void* memory = nullptr;
        const auto error = cudaIpcOpenMemHandle(&memory, unpacked, cudaIpcMemLazyEnablePeerAccess);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory))
                                    : m_errors.cannotShare("cudaIpcOpenMemHandle", error);
    }
    void closeMemory(std::byte* memory) override
    {
        if (!m_isAborted) {
            cudaSetDevice(m_index);
            m_errors.keep("cudaIpcCloseMemHandle", cudaIpcCloseMemHandle(memory));
        }
    }

    [[nodiscard]] Result<std::byte*> allocate(std::size_t bytes) override
    {
        cudaSetDevice(m_index);
        void* memory = nullptr;
        const std::size_t atLeast = std::max<std::size_t>(bytes, 1);
        const auto error
            = m_hasPools ? cudaMallocAsync(&memory, atLeast, streamOf(stream())) : cudaMalloc(&memory, atLeast);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory))
                                    : m_errors.noMemory(bytes, error);
    }
    void free(std::byte* memory) override
    {
        if (!m_isAborted) {
            cudaSetDevice(m_index);
            m_errors.keep("cudaFreeAsync", m_hasPools ? cudaFreeAsync(memory, streamOf(stream())) : cudaFree(memory));
        }
    }
    [[nodiscard]] Result<std::byte*> allocateHost(std::size_t bytes) override
    {
        cudaSetDevice(m_index);
        void* memory = nullptr;
        const auto error
            = cudaHostAlloc(&memory, std::max<std::size_t>(bytes, 1), cudaHostAllocPortable | cudaHostAllocMapped);
        return error == cudaSuccess ? Result<std::byte*>(static_cast<std::byte*>(memory))
                                    : failure(LS_TR("Messages", "%1: %2 bytes of pinned host memory: %3"),
                                        {verbatim(name()), bytes, verbatim(textOf("cudaHostAlloc", error))});
    }
    void freeHost(std::byte* memory) override
    {
        if (!m_isAborted) {
            cudaSetDevice(m_index);
            m_errors.keep("cudaFreeHost", cudaFreeHost(memory));
        }
    }

    [[nodiscard]] Result<DeviceEvent*> createEvent(comm::EventScope scope) override
    {
        cudaSetDevice(m_index);
        cudaEvent_t event = nullptr;
        const auto error = cudaEventCreateWithFlags(
            &event, cudaEventDisableTiming | (scope == comm::EventScope::AllProcesses ? cudaEventInterprocess : 0U));
        return error == cudaSuccess ? Result<DeviceEvent*>(reinterpret_cast<DeviceEvent*>(event))
                                    : m_errors.cannotShare("cudaEventCreateWithFlags", error);
    }
    [[nodiscard]] Result<DeviceHandle> exportEvent(DeviceEvent* event) override
    {
        cudaSetDevice(m_index);
        cudaIpcEventHandle_t handle{};
        const auto error = cudaIpcGetEventHandle(&handle, eventOf(event));
        return error == cudaSuccess ? Result<DeviceHandle>(packed(handle))
                                    : m_errors.cannotShare("cudaIpcGetEventHandle", error);
    }
    [[nodiscard]] Result<DeviceEvent*> openEvent(const DeviceHandle& handle) override
    {
        cudaSetDevice(m_index);
        cudaIpcEventHandle_t unpacked{};
        std::memcpy(&unpacked, handle.bytes.data(), sizeof(unpacked));
        cudaEvent_t event = nullptr;
        const auto error = cudaIpcOpenEventHandle(&event, unpacked);
        return error == cudaSuccess ? Result<DeviceEvent*>(reinterpret_cast<DeviceEvent*>(event))
                                    : m_errors.cannotShare("cudaIpcOpenEventHandle", error);
    }
    void destroyEvent(DeviceEvent* event) override
    {
        if (!m_isAborted) {
            cudaSetDevice(m_index);
            m_errors.keep("cudaEventDestroy", cudaEventDestroy(eventOf(event)));
        }
    }
    void recordOn(void* stream, DeviceEvent* event) override
    {
        cudaSetDevice(m_index);
        m_errors.keep("cudaEventRecord", cudaEventRecord(eventOf(event), streamOf(stream)));
    }
    void wait(DeviceEvent* event) override
    {
        cudaSetDevice(m_index);
        m_errors.keep("cudaStreamWaitEvent", cudaStreamWaitEvent(streamOf(stream()), eventOf(event), 0));
    }
    [[nodiscard]] bool hasHappened(DeviceEvent* event) override
    {
        cudaSetDevice(m_index);
        return m_errors.isDone("cudaEventQuery", cudaEventQuery(eventOf(event)));
    }

    void copy(void* to, const void* from, std::size_t bytes) override
    {
        cudaSetDevice(m_index);
        m_errors.keep("cudaMemcpyAsync", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, streamOf(stream())));
    }
    void zero(void* to, std::size_t bytes) override
    {
        cudaSetDevice(m_index);
        m_errors.keep("cudaMemsetAsync", cudaMemsetAsync(to, 0, bytes, streamOf(stream())));
    }
    void reduce(Reduction reduction, DataType type, std::span<void* const> to, std::span<const void* const> inputs,
        std::int64_t count) override;
    void setFlag(std::uint32_t* flag, std::uint32_t value) override
    {
        std::array<void*, 2> arguments{&flag, &value};
        cudaSetDevice(m_index);
        m_errors.keep("cudaLaunchKernel", launch(m_kernels->setFlag(), 1, 1, arguments.data(), streamOf(stream())));
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
        cudaSetDevice(m_index);
        m_errors.keep("cudaLaunchKernel",
            launch(m_kernels->waitForFlags(), 1, static_cast<unsigned>(comm::MaxRanks), arguments.data(),
                streamOf(stream())));
    }

    [[nodiscard]] bool isIdle() override
    {
        cudaSetDevice(m_index);
        return m_errors.isDone("cudaStreamQuery", cudaStreamQuery(streamOf(stream())));
    }
    [[nodiscard]] Result<void> state() const override { return m_errors.state(); }
    void abort() override { m_isAborted = true; }
    [[nodiscard]] bool isAborted() const override { return m_isAborted; }

private:
    int m_index;
    std::size_t m_memoryBytes;
    unsigned m_processors;
    bool m_hasPools; ///< memory can be allocated and freed in stream order
    cudaEvent_t m_orderEvent; ///< for order()
    std::unique_ptr<GpuKernels> m_kernels;
    GpuErrors m_errors;
    std::atomic<bool> m_isAborted = false;
};

void Gpu::reduce(Reduction reduction, DataType type, std::span<void* const> to, std::span<const void* const> inputs,
    std::int64_t count)
{
    cudaSetDevice(m_index);
    const auto kernel = m_kernels->reduction(reduction, type);
    if (!kernel) {
        m_errors.keep(kernel.error());
        return;
    }
    Inputs from{};
    std::copy(inputs.begin(), inputs.end(), std::begin(from.at));
    int number = static_cast<int>(inputs.size());
    Outputs outputs{};
    std::copy(to.begin(), to.end(), std::begin(outputs.at));
    int copies = static_cast<int>(to.size());
    auto elements = static_cast<unsigned long long>(count);
    const bool areAligned
        = std::all_of(to.begin(), to.end(), isAligned) && std::all_of(inputs.begin(), inputs.end(), isAligned);
    unsigned vectorised = areAligned ? 1 : 0;
    const auto each = areAligned ? VectorBytes / comm::sizeOf(type) : 1;
    const auto wanted = (elements / each + ThreadsInABlock) / ThreadsInABlock;
    const auto blocks = std::min<unsigned long long>(wanted, m_processors * BlocksForEachProcessor);
    std::array<void*, 6> arguments{&outputs, &copies, &from, &number, &elements, &vectorised};
    m_errors.keep("cudaLaunchKernel",
        launch(*kernel, static_cast<unsigned>(blocks), ThreadsInABlock, arguments.data(), streamOf(stream())));
}

/// Why there are no GPUs, as the end of a sentence about one.
Text whyNone(cudaError_t error)
{
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (driver == 0) {
        return LS_TR("Messages",
            "needs an NVIDIA driver, and this machine has none; install it so that nvidia-smi lists the GPU, or use "
            "device=cpu");
    }
    if (error == cudaErrorInsufficientDriver) {
        return {LS_TR("Messages",
                    "needs a driver for CUDA %1, and the one here is for CUDA %2; update the driver, or use "
                    "device=cpu"),
            {verbatim(versionText(runtime)), verbatim(versionText(driver))}};
    }
    if (error == cudaErrorNoDevice) {
        return LS_TR(
            "Messages", "does not exist: the driver finds no GPU (CUDA_VISIBLE_DEVICES can hide them); use device=cpu");
    }
    return {LS_TR("Messages", "cannot be used: %1"), {verbatim(textOf("cudaGetDeviceCount", error))}};
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
        return refusal("device", LS_TR("Messages", "%1 %2"),
            {verbatim(name), whyNone(error == cudaSuccess ? cudaErrorNoDevice : error)});
    }
    if (index < 0 || index >= count) {
        return refusal("device", LS_TR("Messages", "%1 does not exist; the GPUs are cuda:0 to cuda:%2"),
            {verbatim(name), count - 1});
    }
    const int major = attributeOf(cudaDevAttrComputeCapabilityMajor, index);
    const int minor = attributeOf(cudaDevAttrComputeCapabilityMinor, index);
    if (major < LeastMajor || (major == LeastMajor && minor < LeastMinor)) {
        return refusal("device",
            LS_TR("Messages", "%1 has compute capability %2.%3; it needs 7.5 (Turing) or later; use device=cpu"),
            {verbatim(name), major, minor});
    }
    std::size_t freeBytes = 0;
    std::size_t allBytes = 0;
    auto error = cudaSetDevice(index);
    error = error == cudaSuccess ? cudaMemGetInfo(&freeBytes, &allBytes) : error;
    if (error != cudaSuccess) {
        return refusal("device", LS_TR("Messages", "%1 cannot be used by this process: %2"),
            {verbatim(name), verbatim(textOf("cudaSetDevice", error))});
    }
    const bool hasPools = attributeOf(cudaDevAttrMemoryPoolsSupported, index) != 0;
    if (hasPools) {
        keepFreedMemory(index);
    }
    LOCKSTEP_TRY(warmUp(name));
    auto kernels = std::make_unique<GpuKernels>(index);
    LOCKSTEP_TRY(kernels->prepare());
    cudaEvent_t orderEvent = nullptr;
    if (error = cudaEventCreateWithFlags(&orderEvent, cudaEventDisableTiming); error != cudaSuccess) {
        return failure(
            LS_TR("Messages", "%1: %2"), {verbatim(name), verbatim(textOf("cudaEventCreateWithFlags", error))});
    }
    return std::shared_ptr<comm::Device>(
        std::make_shared<Gpu>(index, allBytes, hasPools, std::move(kernels), orderEvent));
}

} // namespace lockstep::cuda
