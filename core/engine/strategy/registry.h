// What is split between the ranks: the strategies by name.
#pragma once

#include "base/result.h"
#include "engine/strategy/model_parallel.h"
#include "engine/ranks/rank_group.h"
#include "engine/strategy/job.h"
#include "experiment/spec.h"

#include <memory>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Values of `strategy.name` that can be carried out.
[[nodiscard]] std::vector<std::string_view> strategyNames();

/// A strategy that divides the model (plan/grid.h); every rank calls it. `group` and `job` must outlive it.
[[nodiscard]] Result<std::unique_ptr<ModelParallel>> makeModelParallel(
    const experiment::RunSpec& run, RankGroup& group, Job& job);

} // namespace lockstep::engine
