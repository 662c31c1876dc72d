// Interleaved 1F1B: each rank has several smaller parts of the net, so that the pipeline fills in smaller steps
// (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021, section
// 2.2.2). Micro-batches go through the chunks in groups of as many as there are stages.
#include "plan/pipeline/schedules.h"

#include <algorithm>

namespace lockstep::plan {

namespace {

/// The k-th pass of a direction, counted over chunks and micro-batches.
PipelineAction passAt(PipelineAction::Kind kind, int k, const PipelineShape& shape)
{
    const int group = shape.stages * shape.chunks;
    const int inOrder = k % group / shape.stages;
    const int chunk = kind == PipelineAction::Kind::Forward ? inOrder : shape.chunks - 1 - inOrder;
    return {kind, k / group * shape.stages + k % shape.stages, chunk};
}

} // namespace

std::vector<PipelineAction> interleaved(int stage, const PipelineShape& shape)
{
    using Kind = PipelineAction::Kind;
    const int passes = shape.microBatches * shape.chunks;
    const int ahead = std::min(passes, 2 * (shape.stages - stage - 1) + (shape.chunks - 1) * shape.stages);
    std::vector<PipelineAction> actions;
    for (int k = 0; k < ahead; ++k) {
        actions.push_back(passAt(Kind::Forward, k, shape));
    }
    for (int k = 0; k < passes; ++k) {
        if (k + ahead < passes) {
            actions.push_back(passAt(Kind::Forward, k + ahead, shape));
        }
        actions.push_back(passAt(Kind::Backward, k, shape));
    }
    return actions;
}

} // namespace lockstep::plan
