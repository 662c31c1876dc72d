#include "engine/gpu/device_ranks.h"

#include "engine/comm/device/ipc_communicator.h"
#include "engine/comm/device/staged_communicator.h"
#include "engine/cuda/cuda_device.h"
#ifdef LOCKSTEP_HAS_NCCL
#include "engine/cuda/nccl_communicator.h"
#endif

#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

namespace {

DeviceRanks staged(std::unique_ptr<comm::Communicator> host, std::shared_ptr<comm::Device> device, Text reason = {})
{
    return {std::make_unique<comm::StagedCommunicator>(std::move(host), std::move(device)), std::move(reason)};
}

Result<DeviceRanks> known(Result<std::unique_ptr<comm::Communicator>> communicator)
{
    return communicator ? Result<DeviceRanks>(DeviceRanks{std::move(*communicator)})
                        : Result<DeviceRanks>(communicator.error());
}

} // namespace

Result<DeviceRanks> ontoDevice(std::unique_ptr<comm::Communicator> host, const plan::Placement& placement,
    int localRank, [[maybe_unused]] std::chrono::milliseconds timeout)
{
    if (placement.gpus.empty()) {
        return DeviceRanks{std::move(host)};
    }
    const int gpu = placement.gpuInProcess(localRank);
    LOCKSTEP_TRY_ASSIGN(auto device, cuda::openGpu(gpu));
    device->setStream(c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(gpu)).stream());
    switch (placement.transfer) {
    case plan::Transfer::Ipc: {
        const bool isOneGpu = std::all_of(
            placement.gpus.begin(), placement.gpus.end(), [&](int each) { return each == placement.gpus.front(); });
        auto shared = comm::overIpc(host, device,
            {.spinsOnFlags = placement.runsSideBySide && cuda::runsUnderMps(gpu), .sharesArrays = isOneGpu});
        if (shared || host == nullptr) {
            return known(std::move(shared));
        }
        return staged(std::move(host), std::move(device),
            {LS_TR("Messages", "%1, staged through host memory (CUDA IPC does not work here: %2)"),
                {verbatim(placement.backend), shared.error()}});
    }
    case plan::Transfer::Nccl:
    case plan::Transfer::NcclShared:
#ifdef LOCKSTEP_HAS_NCCL
        return known(cuda::overNccl(std::move(host), std::move(device),
            {.timeout = timeout, .takesSharedGpu = placement.transfer == plan::Transfer::NcclShared}));
#else
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Messages", "nccl, but this lockstep-rank was built without NCCL; use auto, shm or gloo"));
#endif
    case plan::Transfer::Staged:
    case plan::Transfer::Host:
    case plan::Transfer::Alone:
        break;
    }
    return staged(std::move(host), std::move(device));
}

} // namespace lockstep::engine
