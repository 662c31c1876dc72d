#include "engine/ranks/this_machine.h"

#include "engine/ranks/devices/gpu_slices.h"

#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/version.h>

#include <string>

#ifdef LOCKSTEP_HAS_CUDA
#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#endif
#ifdef LOCKSTEP_HAS_NCCL
#include "engine/cuda/nccl_communicator.h"
#endif

namespace lockstep::engine {

namespace {

#ifdef LOCKSTEP_HAS_CUDA

bool attribute(cudaDeviceAttr what, int gpu)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, what, gpu) == cudaSuccess && value != 0;
}

/// As nvidia-smi writes it.
std::string uuidText(const cudaUUID_t& uuid)
{
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        std::array<char, 4> byte{};
        std::snprintf(
            byte.data(), byte.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text += '-';
        }
        text += byte.data();
    }
    return text;
}

plan::Gpu describe(int gpu)
{
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, gpu) != cudaSuccess) {
        return {};
    }
    plan::Gpu described{.name = properties.name,
        .uuid = uuidText(properties.uuid),
        .memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem),
        .capability = {properties.major, properties.minor},
        .sliceOf = {},
        .hasIpc = attribute(cudaDevAttrIpcEventSupport, gpu)};
    // A slice shows itself only by its name (`NVIDIA A100 MIG 1g.5gb`); where it is on the bus is where its GPU is.
    if (described.name.find(" MIG ") != std::string::npos) {
        described.sliceOf = std::to_string(properties.pciDomainID) + ":" + std::to_string(properties.pciBusID) + ":"
            + std::to_string(properties.pciDeviceID);
    }
    return described;
}

void addGpus(plan::Machine& machine)
{
    // Before CUDA is asked: it reads CUDA_VISIBLE_DEVICES once, and each rank has to set its own first.
    machine.gpus = slicedGpus();
    if (!machine.gpus.empty()) {
        machine.showsOneGpu = true;
        return;
    }
    const int gpus = torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        machine.gpus.push_back(describe(gpu));
        machine.runsMps = machine.runsMps || attribute(cudaDevAttrMpsEnabled, gpu);
        for (int other = 0; other < gpu; ++other) {
            int there = 0;
            int back = 0;
            if (cudaDeviceCanAccessPeer(&there, gpu, other) == cudaSuccess
                && cudaDeviceCanAccessPeer(&back, other, gpu) == cudaSuccess && there != 0 && back != 0) {
                machine.peers.emplace_back(other, gpu);
            }
        }
    }
}

#else

void addGpus(plan::Machine&) { }

#endif

plan::Machine look()
{
    plan::Machine machine;
    machine.libtorch = TORCH_VERSION;
#ifdef LOCKSTEP_HAS_CUDA
    machine.hasCuda = true;
#endif
#ifdef LOCKSTEP_TORCH_ARCHITECTURES
    machine.architectures = plan::readArchitectures(LOCKSTEP_TORCH_ARCHITECTURES);
#endif
#ifdef LOCKSTEP_HAS_NCCL
    machine.nccl = cuda::ncclVersion();
#endif
    addGpus(machine);
    return machine;
}

} // namespace

const plan::Machine& thisMachine()
{
    static const plan::Machine machine = look();
    return machine;
}

} // namespace lockstep::engine
