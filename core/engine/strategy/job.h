// What a run needs before its first step: the data and how it is partitioned, this rank's net, its weights and
// optimizer.
#pragma once

#include "base/result.h"
#include "engine/data/dataset.h"
#include "engine/gpu/device_stream.h"
#include "engine/model/flat_parameters.h"
#include "engine/model/loss_scaler.h"
#include "engine/model/net.h"
#include "engine/model/pass_recorder.h"
#include "engine/optim/optimizer.h"
#include "engine/ranks/rank_context.h"
#include "engine/ranks/tensor_ranks.h"
#include "engine/strategy/zero/shards.h"
#include "experiment/spec.h"
#include "plan/partition/distributed_sampler.h"
#include "plan/placement.h"
#include "plan/slices.h"
#include "plan/steps.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::engine {

struct Job {
    std::unique_ptr<DeviceStream> stream; ///< this thread's training stream: created first, destroyed last
    Dataset data;
    std::int64_t dataNs = 0;
    torch::Device device;
    std::unique_ptr<TensorRanks> tensor; ///< null where this rank has its layers whole
    Net net;
    FlatParameters parameters;
    std::unique_ptr<Optimizer> optimizer;
    plan::PartitionedData partition;
    plan::StepPlan plan;
    std::vector<plan::Slice> parts; ///< of `net`: a pipeline's parts of its layers; empty without one
    std::optional<Shards> shards; ///< ZeRO: what the optimizer updates, instead of all of `parameters`
    std::optional<LossScaler> scaler{}; ///< of a run in float16
    LabelledInputs
        evaluatedTrain{}; ///< the first of data.train, of which each evaluation takes the loss; on the device
    /// Empty where passes cannot be recorded: on the CPU, and where batches come from the host's memory.
    std::function<std::unique_ptr<PassRecorder>()> passRecorder{};
};

/// Loads and builds it all on the device of `placement`; on the CPU if it has none. Errors begin with the parameter's
/// name.
[[nodiscard]] Result<std::unique_ptr<Job>> prepare(
    const experiment::RunSpec& run, const RankContext& context, const plan::Placement& placement = {});

} // namespace lockstep::engine
