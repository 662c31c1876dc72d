#include "engine/program/choices.h"

#include "engine/model/registry.h"
#include "engine/optim/optimizer.h"
#include "engine/ranks/rank_group.h"
#include "engine/run/sweep.h"
#include "engine/strategy/data/aggregation.h"
#include "engine/strategy/pipeline/pipeline_transport.h"
#include "engine/strategy/registry.h"
#include "plan/partition/distributed_sampler.h"
#include "plan/pipeline/schedule.h"

#include <nlohmann/json.hpp>

namespace lockstep::engine {

namespace {

std::vector<std::string_view> partitionNames()
{
    std::vector<std::string_view> names{plan::Reshuffled};
    for (const plan::PartitionKind& kind : plan::partitionKinds()) {
        names.push_back(kind.name);
    }
    return names;
}

std::vector<std::string_view> scheduleNames()
{
    std::vector<std::string_view> names;
    for (const plan::ScheduleKind& kind : plan::scheduleKinds()) {
        names.push_back(kind.name);
    }
    return names;
}

} // namespace

std::string choicesJson()
{
    const nlohmann::json choices{{"optimizer.name", optimizerNames()}, {"net.name", netNames()},
        {"strategy.name", strategyNames()}, {"comm.backend", backendNames()},
        {"aggregation.algorithm", aggregationNames()}, {"aggregation.rule", ruleNames()},
        {"partition.name", partitionNames()}, {"partition.uneven", {"proportional", "pad", "cut"}},
        {"comm.form", {"flat", "tensors", "buckets"}}, {"aggregation.what", {"gradients", "weights"}},
        {"pipeline.schedule", scheduleNames()}, {"pipeline.transport", transportNames()},
        {"train.batch_of", {"all", "rank"}}, {"optimizer.scale_lr", {"none", "linear", "sqrt"}},
        {"collective.name", collectiveNames()}, {"sweep.type", dataTypeNames()}, {"sweep.reduction", reductionNames()},
        {"sweep.buffers", {"both", "in_place", "out_of_place", "training"}},
        {"dataset.name", {"digits", "mnist", "cifar10", "idx", "text"}},
        {"optimizer.schedule", {"constant", "step", "cosine"}}, {"train.dtype", {"float32", "float64"}},
        {"train.precision", {"float32", "bfloat16", "float16"}}, {"measure.mode", {"speed", "measure"}},
        {"train.recompute", {"none", "layer", "stage"}}, {"local.what", {"weights", "differences"}},
        {"zero.offload", {"none", "host", "disk"}}};
    return nlohmann::json{{"version", 1}, {"choices", choices}}.dump(2) + "\n";
}

} // namespace lockstep::engine
