#include "engine/gpu/device_ranks.h"

#include "engine/comm/device/ipc_communicator.h"
#include "engine/comm/device/staged_communicator.h"
#include "engine/cuda/cuda_device.h"
#ifdef LOCKSTEP_HAS_NCCL
#include "engine/cuda/nccl_communicator.h"
#endif

#include <c10/cuda/CUDAStream.h>

#include <utility>

namespace lockstep::engine {

Result<std::unique_ptr<comm::Communicator>> ontoDevice(std::unique_ptr<comm::Communicator> host,
    const plan::Placement& placement, int localRank, [[maybe_unused]] std::chrono::milliseconds timeout)
{
    if (placement.gpus.empty() || host->size() == 1) {
        return host;
    }
    const int gpu = placement.gpus[static_cast<std::size_t>(localRank)];
    auto device = cuda::openGpu(gpu);
    if (!device) {
        return device.error();
    }
    void* stream = c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(gpu)).stream();
    (*device)->setStream(stream);
    switch (placement.transfer) {
    case plan::Transfer::Ipc:
        return comm::overIpc(host, std::move(*device), {.spinsOnFlags = cuda::runsUnderMps(gpu)});
    case plan::Transfer::Nccl:
    case plan::Transfer::NcclShared:
#ifdef LOCKSTEP_HAS_NCCL
        return cuda::overNccl(std::move(host), std::move(*device), [stream] { return stream; },
            {.timeout = timeout, .takesSharedGpu = placement.transfer == plan::Transfer::NcclShared});
#else
        return Error{"comm.backend: nccl, but this lockstep-rank was built without NCCL; choose auto, shm or gloo"};
#endif
    case plan::Transfer::Staged:
    case plan::Transfer::Host:
    case plan::Transfer::Alone:
        break;
    }
    return std::unique_ptr<comm::Communicator>(
        std::make_unique<comm::StagedCommunicator>(std::move(host), std::move(*device)));
}

} // namespace lockstep::engine
