// The optimizers, one maker each. Private to engine/optim.
#pragma once

#include "engine/optim/optimizer.h"

namespace lockstep::engine {

using Weights = std::vector<torch::Tensor>;

[[nodiscard]] std::unique_ptr<Optimizer> makeGd(const experiment::RunSpec& run, Weights weights);
[[nodiscard]] std::unique_ptr<Optimizer> makeSgd(const experiment::RunSpec& run, Weights weights);
[[nodiscard]] std::unique_ptr<Optimizer> makeMomentum(const experiment::RunSpec& run, Weights weights);
[[nodiscard]] std::unique_ptr<Optimizer> makeNesterov(const experiment::RunSpec& run, Weights weights);
[[nodiscard]] std::unique_ptr<Optimizer> makeAdam(const experiment::RunSpec& run, Weights weights);
[[nodiscard]] std::unique_ptr<Optimizer> makeAdamW(const experiment::RunSpec& run, Weights weights);

} // namespace lockstep::engine
