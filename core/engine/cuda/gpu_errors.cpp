#include "engine/cuda/gpu_errors.h"

#include "engine/cuda/gpu_kernels.h"

namespace lockstep::cuda {

void GpuErrors::keep(const char* call, cudaError_t error)
{
    if (error != cudaSuccess) {
        keep({LS_TR("Messages", "%1: %2"), {verbatim(m_gpu), verbatim(textOf(call, error))}});
    }
}

void GpuErrors::keep(const Text& failure)
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
    return m_failure.empty() ? Result<void>() : failureOf(m_failure);
}

Error GpuErrors::noMemory(std::size_t bytes, cudaError_t error) const
{
    cudaGetLastError();
    return failure(LS_TR("Messages", "%1: %2 bytes for collectives: %3"),
        {verbatim(m_gpu), bytes, verbatim(textOf("cudaMalloc", error))});
}

Error GpuErrors::cannotShare(const char* call, cudaError_t error) const
{
    cudaGetLastError();
    return failure(LS_TR("Messages", "%1 cannot be shared between processes: %2"),
        {verbatim(m_gpu), verbatim(textOf(call, error))});
}

} // namespace lockstep::cuda
