// 1F1B with a flush at the end of the step: once a stage has as many micro-batches under way as there are stages from
// it on, each forward waits for a backward (Narayanan et al., "PipeDream", 2019, section 3.2; with a flush: Narayanan
// et al. 2021, section 2.2.1). A stage holds the activations of at most as many micro-batches as there are stages.
#include "plan/pipeline/schedules.h"

#include <algorithm>

namespace lockstep::plan {

std::vector<PipelineAction> oneForwardOneBackward(int stage, const PipelineShape& shape)
{
    using Kind = PipelineAction::Kind;
    const int ahead = std::min(shape.stages - stage - 1, shape.microBatches);
    std::vector<PipelineAction> actions;
    for (int microBatch = 0; microBatch < ahead; ++microBatch) {
        actions.push_back({Kind::Forward, microBatch, 0});
    }
    for (int microBatch = 0; microBatch < shape.microBatches; ++microBatch) {
        if (microBatch + ahead < shape.microBatches) {
            actions.push_back({Kind::Forward, microBatch + ahead, 0});
        }
        actions.push_back({Kind::Backward, microBatch, 0});
    }
    return actions;
}

} // namespace lockstep::plan
