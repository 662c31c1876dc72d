// The CUDA runtime on machines without a GPU: the functions of libcudart that lockstep_cuda and the checks of tests/gpu
// call, with the semantics that CUDA's documentation gives them. Linked into a program, these are taken in the
// library's place. What they do not do: streams that wait for the default one (ours do not), graphs, textures, and
// being fast.
//
// Where the documentation says that a call may wait for the device, it does here. Refused with a line on stderr is what
// it leaves undefined, and what it allows and we promise not to do: to share memory so small that others come with it,
// to launch a kernel that has to be loaded first.
#include "fakes/cuda/fake_call.h"
#include "fakes/cuda/fake_gpu.h"

#include <cstring>
#include <set>
#include <unistd.h>
#include <utility>

using namespace lockstep::tests;
using namespace lockstep::tests::gpu;

namespace {

struct Event {
    SharedEvent* shared;
    std::uint32_t number;
    int device;
    unsigned flags;
    bool isOwn;
};

/// Those of this process.
struct Events {
    std::mutex mutex;
    std::set<Event*> all;
};

Events& events()
{
    static auto* const All = new Events;
    return *All;
}

Event* eventOf(cudaEvent_t event)
{
    const std::lock_guard lock(events().mutex);
    auto* const found = reinterpret_cast<Event*>(event);
    return events().all.contains(found) ? found : nullptr;
}

cudaEvent_t newEvent(const Event& event)
{
    const std::lock_guard lock(events().mutex);
    return reinterpret_cast<cudaEvent_t>(*events().all.insert(new Event(event)).first);
}

} // namespace

extern "C" {

cudaError_t cudaGetLastError()
{
    return std::exchange(lastError(), failure());
}

const char* cudaGetErrorName(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidValue:
        return "cudaErrorInvalidValue";
    case cudaErrorInitializationError:
        return "cudaErrorInitializationError";
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorIllegalAddress:
        return "cudaErrorIllegalAddress";
    case cudaErrorNotSupported:
        return "cudaErrorNotSupported";
    default:
        return "cudaErrorUnknown";
    }
}

const char* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorInitializationError:
        return "initialization error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorIllegalAddress:
        return "an illegal memory access was encountered";
    case cudaErrorNotSupported:
        return "operation not supported";
    default:
        return "unknown error";
    }
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = script().driver;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count)
{
    return call([&] {
        *count = visibleGpus();
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device)
{
    return call([&] {
        if (device < 0 || device >= visibleGpus()) {
            return cudaErrorInvalidDevice;
        }
        currentDevice() = device;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    return call([&] {
        if (device < 0 || device >= visibleGpus()) {
            return cudaErrorInvalidDevice;
        }
        switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor:
            *value = script().capability / 10;
            return cudaSuccess;
        case cudaDevAttrComputeCapabilityMinor:
            *value = script().capability % 10;
            return cudaSuccess;
        case cudaDevAttrMultiProcessorCount:
            *value = 1; // few blocks: each thread of one costs a call
            return cudaSuccess;
        case cudaDevAttrMemoryPoolsSupported:
            *value = script().pools ? 1 : 0;
            return cudaSuccess;
        case cudaDevAttrMpsEnabled:
            *value = script().mps ? 1 : 0;
            return cudaSuccess;
        default:
            return cudaErrorInvalidValue;
        }
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    return call([&] {
        *total = static_cast<std::size_t>(script().megabytes) << 20;
        *free = *total - static_cast<std::size_t>(bytesTaken(placeOf(currentDevice())));
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device)
{
    return call([&] {
        *pool = reinterpret_cast<cudaMemPool_t>(&machine());
        return script().pools && device >= 0 && device < visibleGpus() ? cudaSuccess : cudaErrorInvalidDevice;
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value)
{
    return call([&] { return pool != nullptr && value != nullptr ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    return call([&] {
        synchronizeAll();
        return allocate(Kind::Device, bytes, memory);
    });
}

cudaError_t cudaFree(void* memory)
{
    return call([&] {
        synchronizeAll();
        return memory == nullptr ? cudaSuccess : release(Kind::Device, memory);
    });
}

cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        if (stream == nullptr || !script().pools) {
            return cudaErrorNotSupported;
        }
        const cudaError_t error = allocate(Kind::Ordered, bytes, memory);
        if (error == cudaSuccess) {
            stream->queue([at = *memory] { makeReady(at); });
        }
        return error;
    });
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        if (stream == nullptr || !script().pools) {
            return cudaErrorNotSupported;
        }
        const cudaError_t error = retire(memory);
        if (error == cudaSuccess) {
            stream->queue([memory] { static_cast<void>(release(Kind::Device, memory)); });
        }
        return error;
    });
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned)
{
    return call([&] {
        synchronizeAll();
        return allocate(Kind::Host, bytes, memory);
    });
}

cudaError_t cudaFreeHost(void* memory)
{
    return call([&] {
        synchronizeAll();
        return memory == nullptr ? cudaSuccess : release(Kind::Host, memory);
    });
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory)
{
    return call([&] {
        std::uint32_t number = 0;
        const cudaError_t error = script().ipc ? exportBlock(memory, &number) : cudaErrorNotSupported;
        std::memset(handle, 0, sizeof(*handle));
        std::memcpy(handle, &number, sizeof(number));
        return error;
    });
}

cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned flags)
{
    return call([&] {
        if (flags != cudaIpcMemLazyEnablePeerAccess) {
            return cudaErrorInvalidValue;
        }
        synchronizeAll();
        std::uint32_t number = 0;
        std::memcpy(&number, &handle, sizeof(number));
        return openBlock(number, memory);
    });
}

cudaError_t cudaIpcCloseMemHandle(void* memory)
{
    return call([&] { return release(Kind::Opened, memory); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
{
    return call([&] {
        if (flags != cudaStreamNonBlocking) {
            return refuse(cudaErrorNotSupported, "the fake has only streams that do not wait for the default one");
        }
        *stream = createStream();
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return call([&] { return destroyStream(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        if (stream == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        const bool isIdle = stream->isIdle(); // first: what it is idle because of may be a failure
        return failure() != cudaSuccess ? failure() : isIdle ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t onStream)
{
    return call([&] {
        Stream* stream = streamOf(onStream);
        if (stream == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        stream->synchronize();
        return failure();
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    return call([&] {
        const bool isForOthers = (flags & cudaEventInterprocess) != 0;
        if (isForOthers && (flags & cudaEventDisableTiming) == 0) {
            return cudaErrorInvalidValue;
        }
        const std::uint32_t number = machine().events.fetch_add(1);
        SharedEvent& shared = machine().event.at(number);
        shared.owner = getpid();
        shared.device = placeOf(currentDevice());
        *event = newEvent({&shared, number, currentDevice(), flags, true});
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return call([&] {
        Event* found = eventOf(event);
        if (found == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        if (found->isOwn && found->shared->openers.any()) {
            return refuse(cudaErrorInvalidValue, "an event is destroyed that another process still has open");
        }
        if (!found->isOwn) {
            found->shared->openers.remove();
        }
        const std::lock_guard lock(events().mutex);
        events().all.erase(found);
        delete found;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t onStream)
{
    return call([&] {
        Event* found = eventOf(event);
        Stream* stream = streamOf(onStream);
        if (found == nullptr || stream == nullptr || stream->device() != found->device) {
            return cudaErrorInvalidResourceHandle;
        }
        SharedEvent* shared = found->shared;
        const std::uint32_t number = shared->called.fetch_add(1) + 1;
        stream->queue([shared, number] { shared->done[number % shared->done.size()] = number; });
        return cudaSuccess;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t onStream, cudaEvent_t event, unsigned)
{
    return call([&] {
        Event* found = eventOf(event);
        Stream* stream = streamOf(onStream);
        if (found == nullptr || stream == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        SharedEvent* shared = found->shared;
        const std::uint32_t number = shared->called;
        stream->queue([shared, number] {
            while (!shared->hasHappened(number)) {
                gpu::pause();
            }
        });
        return cudaSuccess;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return call([&] {
        Event* found = eventOf(event);
        if (found == nullptr) {
            return cudaErrorInvalidResourceHandle;
        }
        return found->shared->hasHappened(found->shared->called) ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event)
{
    return call([&] {
        Event* found = eventOf(event);
        if (found == nullptr || !found->isOwn || (found->flags & cudaEventInterprocess) == 0) {
            return cudaErrorInvalidResourceHandle;
        }
        std::memset(handle, 0, sizeof(*handle));
        std::memcpy(handle, &found->number, sizeof(found->number));
        return script().ipc ? cudaSuccess : cudaErrorNotSupported;
    });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle)
{
    return call([&] {
        std::uint32_t number = 0;
        std::memcpy(&number, &handle, sizeof(number));
        SharedEvent& shared = machine().event.at(number);
        if (number >= machine().events || !isAlive(shared.owner)) {
            return cudaErrorInvalidResourceHandle;
        }
        if (shared.owner == getpid()) {
            return cudaErrorDeviceUninitialized;
        }
        if (script().slices > 0 && shared.device != placeOf(currentDevice())) {
            return cudaErrorNotSupported;
        }
        shared.openers.add();
        *event = newEvent({&shared, number, currentDevice(), cudaEventDisableTiming, false});
        return cudaSuccess;
    });
}

} // extern "C"
