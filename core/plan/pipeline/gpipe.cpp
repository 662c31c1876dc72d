// Fill-drain: all forward passes, then all backward passes (Huang et al., "GPipe: efficient training of giant neural
// networks using pipeline parallelism", 2019). Every stage holds the activations of all micro-batches. In picotron:
// train_step_pipeline_afab.
#include "plan/pipeline/schedules.h"
#include "plan/pipeline/stage_actions.h"

namespace lockstep::plan {

std::vector<PipelineAction> gpipe(int stage, const PipelineShape& shape)
{
    StageActions actions(stage, shape);
    for (int microBatch = 0; microBatch < shape.microBatches; ++microBatch) {
        actions.forward(microBatch);
    }
    for (int microBatch = 0; microBatch < shape.microBatches; ++microBatch) {
        actions.backward(microBatch);
    }
    return actions.update();
}

} // namespace lockstep::plan
