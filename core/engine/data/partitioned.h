// How a run's training set is split across its ranks.
#pragma once

#include "base/result.h"
#include "engine/data/dataset.h"
#include "experiment/spec.h"
#include "plan/partition/distributed_sampler.h"

namespace lockstep::engine {

/// plan::partitionData() by the labels of `data`. Windows of a text are split without regard to what they hold: all are
/// of one class.
[[nodiscard]] Result<plan::PartitionedData> partitioned(const experiment::RunSpec& run, int ranks, const Dataset& data);

} // namespace lockstep::engine
