// The strategies by name (`strategy.name`).
#pragma once

#include "engine/ranks/rank_context.h"
#include "engine/strategy/job.h"
#include "engine/strategy/strategy.h"
#include "experiment/spec.h"
#include "plan/placement.h"

#include <memory>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Arguments of a strategy: all must outlive it.
struct StrategyContext {
    const experiment::RunSpec& run;
    const RankContext& context;
    const plan::Placement& placement;
    Job& job;
    Recorder& recorder;
};

/// Values of `strategy.name` that can be carried out.
[[nodiscard]] std::vector<std::string_view> strategyNames();

/// The run's strategy; returns once all ranks have come. Every rank calls it.
[[nodiscard]] Result<std::unique_ptr<Strategy>> makeStrategy(const StrategyContext& context);

} // namespace lockstep::engine
