// Fill-drain: all forward passes, then all backward passes (Huang et al., "GPipe: efficient training of giant neural
// networks using pipeline parallelism", 2019). Every stage holds the activations of all micro-batches.
#include "plan/pipeline/schedules.h"

namespace lockstep::plan {

std::vector<PipelineAction> fillDrain(int, const PipelineShape& shape)
{
    std::vector<PipelineAction> actions;
    for (const auto kind : {PipelineAction::Kind::Forward, PipelineAction::Kind::Backward}) {
        for (int microBatch = 0; microBatch < shape.microBatches; ++microBatch) {
            actions.push_back({kind, microBatch, 0});
        }
    }
    return actions;
}

} // namespace lockstep::plan
