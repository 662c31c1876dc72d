// 1F1B with a flush at the end of the step: once a stage has as many micro-batches under way as there are stages from
// it on, each forward waits for a backward (Narayanan et al., "PipeDream", 2019, section 3.2; with a flush: Narayanan
// et al. 2021, section 2.2.1). A stage holds the activations of at most as many micro-batches as there are stages.
// In Megatron-LM: forward_backward_pipelining_without_interleaving.
#include "plan/pipeline/schedules.h"
#include "plan/pipeline/stage_actions.h"

#include <algorithm>

namespace lockstep::plan {

std::vector<PipelineAction> oneForwardOneBackward(int stage, const PipelineShape& shape)
{
    const int warmUp = std::min(shape.stages - stage - 1, shape.microBatches);
    StageActions actions(stage, shape);
    for (int microBatch = 0; microBatch < warmUp; ++microBatch) {
        actions.forward(microBatch);
    }
    for (int microBatch = warmUp; microBatch < shape.microBatches; ++microBatch) {
        actions.forward(microBatch);
        actions.backward(microBatch - warmUp);
    }
    for (int microBatch = shape.microBatches - warmUp; microBatch < shape.microBatches; ++microBatch) {
        actions.backward(microBatch);
    }
    return actions.update();
}

} // namespace lockstep::plan
