#include "engine/cuda/gpu_errors.h"

#include "engine/cuda/gpu_kernels.h"

namespace lockstep::cuda {

void GpuErrors::keep(const char* call, cudaError_t error)
{
    if (error != cudaSuccess) {
        keep(m_gpu + ": " + textOf(call, error));
    }
}

void GpuErrors::keep(const std::string& failure)
{
    const std::lock_guard lock(m_mutex);
    if (m_failure.empty()) {
        m_failure = failure;
    }
}

bool GpuErrors::isDone(const char* call, cudaError_t error)
{
    if (error == cudaErrorNotReady) {
        cudaGetLastError(); // CUDA reports it again otherwise
        return false;
    }
    keep(call, error);
    return error == cudaSuccess;
}

Result<void> GpuErrors::state() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure.empty() ? Result<void>() : Error{m_failure};
}

Error GpuErrors::noMemory(std::size_t bytes, cudaError_t error) const
{
    cudaGetLastError();
    return Error{m_gpu + ": " + std::to_string(bytes) + " bytes for collectives: " + textOf("cudaMalloc", error)};
}

Error GpuErrors::cannotShare(const char* call, cudaError_t error) const
{
    cudaGetLastError();
    return Error{m_gpu + " cannot be shared between processes: " + textOf(call, error)};
}

} // namespace lockstep::cuda
