// How a schedule writes down what a stage does. Private to core/plan/pipeline.
#pragma once

#include "plan/pipeline/schedule.h"

#include <vector>

namespace lockstep::plan {

/// Collects what one stage does in a step.
class StageActions {
public:
    StageActions(int stage, const PipelineShape& shape);

    /// Receives the activation, computes the part's output and sends it on. The net's first part receives nothing, its
    /// last part sends nothing.
    void forward(int microBatch, int chunk = 0);
    /// Receives the gradient of the part's output, computes that of its input and sends it back; likewise.
    void backward(int microBatch, int chunk = 0);
    /// Waits until everything is sent, takes the optimizer's step, and gives the list.
    [[nodiscard]] std::vector<PipelineAction> update();

private:
    int m_stage;
    PipelineShape m_shape;
    std::vector<PipelineAction> m_actions;
};

} // namespace lockstep::plan
