#include "engine/ranks/devices/run_devices.h"

#include "engine/compat/blas.h"
#include "engine/ranks/this_machine.h"
#include "rendezvous/network.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <cstdlib>
#include <string>

namespace lockstep::engine {

plan::Hosts hostsOf(const RankContext& context)
{
    return rendezvous::mayBeApart(context.place) ? plan::Hosts::Several : plan::Hosts::One;
}

Result<plan::Placement> placeHere(const experiment::RunSpec& run, plan::Hosts hosts)
{
    // A run on the CPU need not wait for CUDA to look for GPUs.
    return run.settings->rank.device == "cpu" ? plan::placeRanks(run, {}, hosts)
                                              : plan::placeRanks(run, thisMachine(), hosts);
}

std::vector<Text> warningsHere(const experiment::RunSpec& run, const RankContext& context,
    const plan::Placement& placement, const rendezvous::Network* network)
{
    if (placement.gpus.empty() || hostsOf(context) == plan::Hosts::One) {
        return placement.warnings;
    }
    if (network == nullptr) {
        const auto placed = placeHere(run);
        return placed ? placed->warnings : placement.warnings;
    }
    plan::Placement own = placement;
    own.gpus.resize(network->ranksHere().size());
    const bool isShared = run.settings->comm.ncclSharesGpu && thisMachine().nccl >= plan::NcclThatSharesGpus;
    own.transfer = isShared ? plan::Transfer::NcclShared : plan::Transfer::Staged;
    return plan::placementWarnings(run, own, thisMachine());
}

Result<torch::Device> openDevice(const plan::Placement& placement, const RankContext& context)
{
    const std::string name = placement.device(context.localRank);
    if (placement.gpus.empty()) {
        return torch::Device(name);
    }
    if (!placement.visible.empty()) {
        setenv("CUDA_VISIBLE_DEVICES", placement.visible.at(static_cast<std::size_t>(context.localRank)).c_str(), 1);
    }
    const torch::Device device(
        torch::kCUDA, static_cast<torch::DeviceIndex>(placement.gpuInProcess(context.localRank)));
    try {
        // The first kernel shows whether LibTorch has any for this GPU, and whether the GPU is available.
        torch::ones({1}, torch::device(device)).sum().item<float>();
    } catch (const c10::Error& error) {
        const std::string what = error.what_without_backtrace();
        return refusal("device", LS_TR("Messages", "%1 cannot be used: %2; use another GPU or cpu"),
            {verbatim(name), verbatim(what.substr(0, what.find('\n')))});
    }
    return device;
}

void chooseKernels(const torch::Device& device, bool exactly)
{
    if (device.is_cuda()) {
        at::Context& context = at::globalContext();
        context.setAllowTF32CuDNN(!exactly);
        context.setDeterministicCuDNN(exactly);
        context.setBenchmarkCuDNN(!exactly);
    }
}

void setThreads(int threads)
{
    if (torch::get_num_threads() != threads) {
        torch::set_num_threads(threads);
    }
    setBlasThreads(threads);
}

} // namespace lockstep::engine
