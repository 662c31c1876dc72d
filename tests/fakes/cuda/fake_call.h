// What every call of the fake CUDA runtime begins and ends with.
#pragma once

#include "fakes/cuda/fake_gpu.h"

#include <mutex>
#include <unistd.h>

namespace lockstep::tests::gpu {

/// Of the calling thread.
inline cudaError_t& lastError()
{
    thread_local cudaError_t error = cudaSuccess;
    return error;
}

/// What keeps any call from working.
inline cudaError_t ready()
{
    if (script().driver < CUDART_VERSION / 1000 * 1000) {
        return cudaErrorInsufficientDriver;
    }
    if (visibleGpus() == 0) {
        return cudaErrorNoDevice;
    }
    static std::atomic<int> owner = 0; // the process that has initialised it
    int none = 0;
    owner.compare_exchange_strong(none, getpid());
    return owner == getpid() ? failure() : refuse(cudaErrorInitializationError, "used on after a fork");
}

/// Runs the body if the runtime works, and keeps its result for cudaGetLastError.
template <typename Body>
cudaError_t call(const Body& body)
{
    cudaError_t error = ready();
    error = error == cudaSuccess ? body() : error;
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        lastError() = error;
    }
    return error;
}

} // namespace lockstep::tests::gpu
