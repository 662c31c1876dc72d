// Which device a run computes on, and with how many threads.
#pragma once

#include "base/result.h"
#include "engine/parallel/rank_context.h"

#include <torch/types.h>

#include <string>

namespace lockstep::engine {

/// `auto` (a GPU where LibTorch can use one, else the CPU), `cpu`, `cuda` or `cuda:N`. A GPU that cannot be had is
/// refused with one line that says what is missing.
[[nodiscard]] Result<torch::Device> chooseDevice(const std::string& text, const RankContext& context);

/// CPU threads of LibTorch and of its BLAS.
void setThreads(int threads);

} // namespace lockstep::engine
