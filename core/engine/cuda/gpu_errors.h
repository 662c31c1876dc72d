// The errors of one GPU's calls. Queued work fails later than its call, so the first failure is kept and reported when
// someone asks for it. Any thread may call.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <mutex>
#include <string>

namespace lockstep::cuda {

class GpuErrors {
public:
    /// `gpu`: its name, with which messages begin.
    explicit GpuErrors(std::string gpu)
        : m_gpu(std::move(gpu))
    { }

    void keep(const char* call, cudaError_t error);
    void keep(const Text& failure);
    /// Of a query of an event or stream: whether it has completed.
    [[nodiscard]] bool isDone(const char* call, cudaError_t error);
    /// The first failure.
    [[nodiscard]] Result<void> state() const;

    /// For calls that return their error: CUDA must not report it a second time.
    [[nodiscard]] Error noMemory(std::size_t bytes, cudaError_t error) const;
    [[nodiscard]] Error cannotShare(const char* call, cudaError_t error) const;

private:
    std::string m_gpu;
    mutable std::mutex m_mutex;
    Text m_failure;
};

} // namespace lockstep::cuda
