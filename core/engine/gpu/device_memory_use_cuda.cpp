#include "engine/gpu/device_memory_use.h"

#include <ATen/cuda/CUDAContextLight.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
#include <torch/version.h>

#include <shared_mutex>
#include <type_traits>

namespace lockstep::engine {

namespace {

/// What the allocator holds beyond the tensors: ends of its segments, and segments of other sizes.
constexpr double ReservedForEach = 1.25;
constexpr double ReservedBesides = 64e6;

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 11)
/// LibTorch keeps a workspace for each handle of cuBLAS and stream, which it takes from the allocator. Since torch 2.13
/// its size is the entry's second part; before, each has `size`.
template <typename Kept>
std::int64_t workspaceBytes(Kept& kept, std::size_t size, c10::DeviceIndex device)
{
    const std::shared_lock lock(kept.mutex);
    std::size_t bytes = 0;
    for (const auto& [handleAndStream, memory] : kept.map) {
        if constexpr (std::is_same_v<std::decay_t<decltype(memory)>, c10::DataPtr>) {
            bytes += memory.device().index() == device ? size : 0;
        } else {
            bytes += memory.first.device().index() == device ? memory.second : 0;
        }
    }
    return static_cast<std::int64_t>(bytes);
}

std::int64_t workspaceOf(c10::DeviceIndex device)
{
    return workspaceBytes(at::cuda::cublas_handle_stream_to_workspace(), at::cuda::getChosenWorkspaceSize(), device)
        + workspaceBytes(
            at::cuda::cublaslt_handle_stream_to_workspace(), at::cuda::getCUDABlasLtWorkspaceSize(), device);
}
#else
std::int64_t workspaceOf(c10::DeviceIndex)
{
    return 0;
}
#endif

} // namespace

DeviceMemoryUse memoryUseOf(torch::Device device)
{
    if (!device.is_cuda()) {
        return {};
    }
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device.index());
    const auto& bytes = stats.allocated_bytes.front(); // of all pools together
    return {bytes.current, bytes.peak, workspaceOf(device.index())};
}

void boundMemory(torch::Device device, std::int64_t bytes)
{
    if (!device.is_cuda()) {
        return;
    }
    const c10::cuda::CUDAGuard guard(device);
    std::size_t free = 0;
    std::size_t all = 0;
    C10_CUDA_CHECK(cudaMemGetInfo(&free, &all));
    const double fraction = (static_cast<double>(bytes) * ReservedForEach + ReservedBesides) / static_cast<double>(all);
    if (fraction < 1.0) {
        c10::cuda::CUDACachingAllocator::setMemoryFraction(fraction, device.index());
    }
}

void restartMost(torch::Device device)
{
    if (device.is_cuda()) {
        c10::cuda::CUDACachingAllocator::resetPeakStats(device.index());
    }
}

} // namespace lockstep::engine
