// Interleaved 1F1B: each rank has several smaller parts of the net, its chunks, so that the pipeline fills in smaller
// steps (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021,
// section 2.2.2). Micro-batches go through the chunks in groups of as many as there are stages. In Megatron-LM:
// forward_backward_pipelining_with_interleaving.
#include "plan/pipeline/schedules.h"
#include "plan/pipeline/stage_actions.h"

#include <algorithm>

namespace lockstep::plan {

std::vector<PipelineAction> interleaved(int stage, const PipelineShape& shape)
{
    const int passes = shape.microBatches * shape.chunks; // in each direction
    const int group = shape.stages * shape.chunks;
    const auto microBatchOf = [&](int pass) { return pass / group * shape.stages + pass % shape.stages; };
    const auto chunkOf = [&](int pass) { return pass % group / shape.stages; };
    const int lastChunk = shape.chunks - 1; // backward goes through the chunks from the last one on

    const int warmUp = std::min(passes, 2 * (shape.stages - stage - 1) + lastChunk * shape.stages);
    StageActions actions(stage, shape);
    for (int pass = 0; pass < warmUp; ++pass) {
        actions.forward(microBatchOf(pass), chunkOf(pass));
    }
    for (int pass = warmUp; pass < passes; ++pass) {
        actions.forward(microBatchOf(pass), chunkOf(pass));
        actions.backward(microBatchOf(pass - warmUp), lastChunk - chunkOf(pass - warmUp));
    }
    for (int pass = passes - warmUp; pass < passes; ++pass) {
        actions.backward(microBatchOf(pass), lastChunk - chunkOf(pass));
    }
    return actions.update();
}

} // namespace lockstep::plan
