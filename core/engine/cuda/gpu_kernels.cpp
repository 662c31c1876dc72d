#include "engine/cuda/gpu_kernels.h"

#include "engine/cuda/kernel_image.h"

namespace lockstep::cuda {

using comm::DataType;
using comm::Reduction;

std::string textOf(const char* call, cudaError_t error)
{
    return std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
}

int attributeOf(cudaDeviceAttr attribute, int index)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, attribute, index) == cudaSuccess ? value : 0;
}

GpuKernels::GpuKernels(int index)
    : m_index(index)
    , m_gpu("cuda:" + std::to_string(index))
{ }

Result<void> GpuKernels::prepare()
{
    const std::lock_guard lock(m_mutex);
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

Result<cudaKernel_t> GpuKernels::reduction(Reduction reduction, DataType type)
{
    const std::lock_guard lock(m_mutex);
    if (kernelOf(reduction, type) == nullptr) {
        LOCKSTEP_TRY(compileFor(type));
    }
    return kernelOf(reduction, type);
}

void GpuKernels::unload()
{
    for (cudaLibrary_t library : m_libraries) {
        cudaLibraryUnload(library);
    }
    m_libraries.clear();
}

Result<void> GpuKernels::load(std::span<const std::byte> image, cudaLibrary_t& library)
{
    const auto error = cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (error != cudaSuccess) {
        return failure(LS_TR("Messages", "%1: the kernels cannot be loaded: %2"),
            {verbatim(m_gpu), verbatim(textOf("cudaLibraryLoadData", error))});
    }
    m_libraries.push_back(library);
    return {};
}

Result<void> GpuKernels::compileFor(DataType type)
{
    LOCKSTEP_TRY_ASSIGN(const auto image,
        compileKernels(attributeOf(cudaDevAttrComputeCapabilityMajor, m_index),
            attributeOf(cudaDevAttrComputeCapabilityMinor, m_index), type));
    cudaLibrary_t library = nullptr;
    auto loaded = load(image, library);
    return loaded ? findKernels(library, type) : loaded;
}

Result<void> GpuKernels::findKernels(cudaLibrary_t library, DataType type)
{
    for (const Reduction reduction : comm::Reductions) {
        const std::string kernel = "lockstep_" + std::string(nameOf(reduction)) + "_" + std::string(nameOf(type));
        LOCKSTEP_TRY(
            comm::isDefined(reduction, type) ? find(library, kernel, kernelOf(reduction, type)) : Result<void>());
    }
    return {};
}

Result<void> GpuKernels::findFlagKernels(cudaLibrary_t library)
{
    auto found = find(library, "lockstep_set_flag", m_setFlag);
    return found ? find(library, "lockstep_wait_for_flags", m_waitForFlags) : found;
}

Result<void> GpuKernels::find(cudaLibrary_t library, const std::string& kernel, cudaKernel_t& found)
{
    auto error = cudaLibraryGetKernel(&found, library, kernel.c_str());
    cudaFuncAttributes unused{};
    // Loads it now: loading at its first launch may wait for the device, which may wait for a peer.
    error = error == cudaSuccess ? cudaFuncGetAttributes(&unused, reinterpret_cast<const void*>(found)) : error;
    return error == cudaSuccess ? Result<void>()
                                : failure(LS_TR("Messages", "%1: %2"),
                                    {verbatim(m_gpu), verbatim(textOf(("the kernel " + kernel).c_str(), error))});
}

cudaKernel_t& GpuKernels::kernelOf(Reduction reduction, DataType type)
{
    return m_reduce[static_cast<std::size_t>(reduction)][static_cast<std::size_t>(type)];
}

} // namespace lockstep::cuda
