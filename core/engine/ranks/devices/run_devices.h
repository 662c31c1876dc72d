// Which devices a run computes on, and with how many threads.
#pragma once

#include "base/result.h"
#include "engine/ranks/rank_context.h"
#include "experiment/spec.h"
#include "plan/placement.h"

#include <torch/types.h>

#include <string>
#include <vector>

namespace lockstep::rendezvous {
struct Network;
}

namespace lockstep::engine {

/// Whether this rank's run may be on several hosts, which is not certain before they have met.
[[nodiscard]] plan::Hosts hostsOf(const RankContext& context);

/// Where the ranks of this run compute and how they communicate. An error says in one line what is missing. Every rank
/// calls it, and must see the same GPUs as the others of its host.
[[nodiscard]] Result<plan::Placement> placeHere(const experiment::RunSpec& run, plan::Hosts hosts = plan::Hosts::One);

/// What a user should know of the placement on this rank's host, once the ranks have met: how many share a GPU is not
/// known before. `network`: as RankGroup has it.
[[nodiscard]] std::vector<Text> warningsHere(const experiment::RunSpec& run, const RankContext& context,
    const plan::Placement& placement, const rendezvous::Network* network);

/// This rank's device, as this process numbers it; it has been tried. A GPU on which LibTorch cannot compute is
/// refused. Where a process sees one GPU at a time, sets CUDA_VISIBLE_DEVICES: nothing may have used CUDA before.
[[nodiscard]] Result<torch::Device> openDevice(const plan::Placement& placement, const RankContext& context);

/// Sets which kernels LibTorch may choose on a GPU: the fastest with the precision of LibTorch's defaults (convolutions
/// in TF32 where the GPU has that), or for a verified run only exact, deterministic ones.
void chooseKernels(const torch::Device& device, bool exactly);

/// CPU threads of LibTorch and of its BLAS.
void setThreads(int threads);

} // namespace lockstep::engine
