#include "plan/pipeline/stage_actions.h"

#include <utility>

namespace lockstep::plan {

StageActions::StageActions(int stage, const PipelineShape& shape)
    : m_stage(stage)
    , m_shape(shape)
{ }

void StageActions::forward(int microBatch, int chunk)
{
    const int part = chunk * m_shape.stages + m_stage;
    if (part > 0) {
        m_actions.push_back({PipelineAction::Kind::ReceiveActivation, microBatch, chunk});
    }
    m_actions.push_back({PipelineAction::Kind::Forward, microBatch, chunk});
    if (part + 1 < m_shape.stages * m_shape.chunks) {
        m_actions.push_back({PipelineAction::Kind::SendActivation, microBatch, chunk});
    }
}

void StageActions::backward(int microBatch, int chunk)
{
    const int part = chunk * m_shape.stages + m_stage;
    if (part + 1 < m_shape.stages * m_shape.chunks) {
        m_actions.push_back({PipelineAction::Kind::ReceiveGradient, microBatch, chunk});
    }
    m_actions.push_back({PipelineAction::Kind::Backward, microBatch, chunk});
    if (part > 0) {
        m_actions.push_back({PipelineAction::Kind::SendGradient, microBatch, chunk});
    }
}

std::vector<PipelineAction> StageActions::update()
{
    if (m_shape.stages > 1) {
        m_actions.push_back({PipelineAction::Kind::Wait, -1});
    }
    m_actions.push_back({PipelineAction::Kind::Update, -1});
    return std::move(m_actions);
}

} // namespace lockstep::plan
