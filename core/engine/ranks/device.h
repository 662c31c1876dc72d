// Which devices a run computes on, and with how many threads.
#pragma once

#include "base/result.h"
#include "engine/ranks/rank_context.h"
#include "experiment/spec.h"
#include "plan/placement.h"

#include <torch/types.h>

namespace lockstep::engine {

/// Where the ranks of this run compute and how they speak to each other. What cannot be had is refused with one line
/// that says what is missing. Every rank asks for itself, and must be shown the same GPUs as the others.
[[nodiscard]] Result<plan::Placement> placeHere(const experiment::RunSpec& run);

/// This rank's device; it has been tried. A GPU on which LibTorch cannot compute is refused.
[[nodiscard]] Result<torch::Device> openDevice(const plan::Placement& placement, const RankContext& context);

/// Which kernels LibTorch may choose on a GPU: the quickest that have the digits of LibTorch's defaults (convolutions
/// in TF32 where the GPU has that), or for a run that is to be verified only exact ones that always give the same.
void chooseKernels(const torch::Device& device, bool exactly);

/// CPU threads of LibTorch and of its BLAS.
void setThreads(int threads);

} // namespace lockstep::engine
