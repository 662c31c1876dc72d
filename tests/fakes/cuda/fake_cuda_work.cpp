// The part of the fake CUDA runtime that works on arrays: copies, and kernels out of libraries.
#include "fakes/cuda/fake_call.h"
#include "fakes/cuda/fake_gpu.h"
#include "fakes/cuda/fake_kernels.h"

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>

using namespace lockstep::tests;
using namespace lockstep::tests::gpu;

namespace {

struct Library {
    int type; ///< of its kernels; negative: all
    std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

struct Libraries {
    std::mutex mutex;
    std::set<Library*> all;
};

Libraries& libraries()
{
    static auto* const All = new Libraries;
    return *All;
}

/// With the lock.
Function* functionOf(const void* function)
{
    for (Library* library : libraries().all) {
        for (const auto& [name, each] : library->functions) {
            if (each.get() == function) {
                return each.get();
            }
        }
    }
    return nullptr;
}

} // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        if (stream == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        if (kind != cudaMemcpyDefault || !isKnown(to, bytes) || !isKnown(from, bytes)) {
            return refuse(cudaErrorInvalidValue, "a copy from or to what is neither the device's memory nor pinned");
        }
        const auto* first = static_cast<const std::byte*>(from);
        const auto* second = static_cast<const std::byte*>(to);
        if (first < second + bytes && second < first + bytes) {
            return refuse(cudaErrorInvalidValue, "a copy onto itself");
        }
        stream->queue([=] {
            auto* target = touch(to, bytes);
            const auto* source = touch(from, bytes);
            if (target != nullptr && source != nullptr) {
                std::memcpy(target, source, bytes);
            }
        });
        return cudaSuccess;
    });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        if (stream == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        if (!isKnown(to, bytes)) {
            return refuse(cudaErrorInvalidValue, "what is not there is set");
        }
        stream->queue([=] {
            if (auto* target = touch(to, bytes)) {
                std::memset(target, value, bytes);
            }
        });
        return cudaSuccess;
    });
}

cudaError_t cudaLibraryLoadData(
    cudaLibrary_t* library, const void* code, cudaJitOption*, void**, unsigned, cudaLibraryOption*, void**, unsigned)
{
    return call([&] {
        const char* text = static_cast<const char*>(code);
        if (std::memcmp(text, ImageMagic.data(), ImageMagic.size()) != 0) {
            return cudaErrorInvalidKernelImage;
        }
        const char* type = text + ImageMagic.size();
        const std::lock_guard lock(libraries().mutex);
        auto* const loaded = new Library{*type >= '0' && *type <= '9' ? *type - '0' : -1, {}};
        libraries().all.insert(loaded);
        *library = reinterpret_cast<cudaLibrary_t>(loaded);
        return cudaSuccess;
    });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    return call([&] {
        synchronizeAll();
        const std::lock_guard lock(libraries().mutex);
        return libraries().all.erase(reinterpret_cast<Library*>(library)) == 1 ? cudaSuccess
                                                                               : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name)
{
    return call([&] {
        const std::lock_guard lock(libraries().mutex);
        auto* const found = reinterpret_cast<Library*>(library);
        if (!libraries().all.contains(found)) {
            return cudaErrorInvalidResourceHandle;
        }
        const Function function = findKernel(name, found->type);
        if (function.kernel == nullptr) {
            return cudaErrorSymbolNotFound;
        }
        auto& place = found->functions[name];
        place = place ? std::move(place) : std::make_unique<Function>(function);
        *kernel = reinterpret_cast<cudaKernel_t>(place.get());
        return cudaSuccess;
    });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void* function)
{
    return call([&] {
        const std::lock_guard lock(libraries().mutex);
        Function* found = functionOf(function);
        if (found != nullptr) {
            found->isLoaded = true;
        }
        return found != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
    });
}

cudaError_t cudaLaunchKernel(
    const void* function, dim3 blocks, dim3 threads, void** arguments, std::size_t, cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        Function launched;
        {
            const std::lock_guard lock(libraries().mutex);
            Function* found = functionOf(function);
            if (found == nullptr) {
                return refuse(cudaErrorInvalidDeviceFunction, "a kernel that is not there is launched");
            }
            launched = *found;
        }
        if (stream == nullptr || stream->device() != currentDevice()) {
            return cudaErrorInvalidResourceHandle;
        }
        if (blocks.x == 0 || threads.x == 0 || threads.x > 1024) {
            return cudaErrorInvalidConfiguration;
        }
        if (!launched.isLoaded) {
            return refuse(cudaErrorNotPermitted, "a kernel is launched that has to be loaded first, which may wait");
        }
        stream->queue(launched.kernel(blocks.x, threads.x, arguments, launched.type, launched.reduction));
        return cudaSuccess;
    });
}

} // extern "C"
