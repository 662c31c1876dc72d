// The kernels of collectives on one GPU: built into the program, or compiled at the start or at the first use of a
// type.
#pragma once

#include "base/result.h"
#include "engine/comm/types.h"

#include <array>
#include <cuda_runtime_api.h>
#include <iterator>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace lockstep::cuda {

/// `cudaMalloc: out of memory (cudaErrorMemoryAllocation)`
[[nodiscard]] std::string textOf(const char* call, cudaError_t error);
/// 0 where the GPU does not report it.
[[nodiscard]] int attributeOf(cudaDeviceAttr attribute, int index);

class GpuKernels {
public:
    explicit GpuKernels(int index);

    /// What is certain to be needed. The GPU is this thread's current one, here and below.
    [[nodiscard]] Result<void> prepare();
    /// Thread-safe. Only for reductions that are defined for the type.
    [[nodiscard]] Result<cudaKernel_t> reduction(comm::Reduction reduction, comm::DataType type);
    [[nodiscard]] cudaKernel_t setFlag() const { return m_setFlag; }
    [[nodiscard]] cudaKernel_t waitForFlags() const { return m_waitForFlags; }
    /// Unloads them, unless the GPU has been given up, because that could block.
    void unload();

private:
    [[nodiscard]] Result<void> load(std::span<const std::byte> image, cudaLibrary_t& library);
    [[nodiscard]] Result<void> compileFor(comm::DataType type);
    [[nodiscard]] Result<void> findKernels(cudaLibrary_t library, comm::DataType type);
    [[nodiscard]] Result<void> findFlagKernels(cudaLibrary_t library);
    [[nodiscard]] Result<void> find(cudaLibrary_t library, const std::string& kernel, cudaKernel_t& found);
    [[nodiscard]] cudaKernel_t& kernelOf(comm::Reduction reduction, comm::DataType type);

    int m_index;
    std::string m_gpu; ///< `cuda:0`
    std::mutex m_mutex;
    std::vector<cudaLibrary_t> m_libraries;
    std::array<std::array<cudaKernel_t, std::size(comm::DataTypes)>, std::size(comm::Reductions)> m_reduce{};
    cudaKernel_t m_setFlag = nullptr;
    cudaKernel_t m_waitForFlags = nullptr;
};

} // namespace lockstep::cuda
