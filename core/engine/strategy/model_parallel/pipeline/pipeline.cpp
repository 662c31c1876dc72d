#include "engine/strategy/model_parallel/pipeline/pipeline.h"

#include "engine/comm/failures.h"
#include "engine/model/loss.h"
#include "engine/ranks/tensor_view.h"
#include "plan/grid.h"
#include "plan/net.h"
#include "plan/pipeline/parts.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::engine {

namespace {

using Kind = plan::PipelineAction::Kind;

std::vector<std::int64_t> withSamples(std::int64_t samples, const std::vector<std::int64_t>& sizes)
{
    std::vector<std::int64_t> all{samples};
    all.insert(all.end(), sizes.begin(), sizes.end());
    return all;
}

/// For the batch of one pipeline.
std::int64_t mostSamples(const experiment::RunSpec& run)
{
    return plan::microBatchSize(experiment::globalBatch(run), plan::gridShape(run).data);
}

} // namespace

Pipeline::Pipeline(const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job)
    : m_stages(stages)
    , m_tensor(tensor)
    , m_job(job)
    , m_scheduleName(std::string(nameOf(run.settings->pipeline.schedule)))
    , m_shape(plan::pipelineShape(run))
    , m_stage(stages.place())
    , m_actions(plan::scheduleKind(m_scheduleName)->actions(m_stage, m_shape))
    , m_options(
          torch::TensorOptions(job.device)
              .dtype(run.settings->train.dtype == experiment::WeightType::Float64 ? torch::kDouble : torch::kFloat))
{ }

Pipeline::~Pipeline() = default;

Result<std::unique_ptr<Pipeline>> Pipeline::create(
    const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job, Recorder& recorder, int rank)
{
    LOCKSTEP_TRY_ASSIGN(const auto all, plan::pipelineParts(run));
    std::unique_ptr<Pipeline> pipeline(new Pipeline(run, stages, tensor, job));
    for (std::size_t chunk = 0; chunk < job.parts.size(); ++chunk) {
        StagePart part;
        part.layers = job.parts[chunk];
        part.number = static_cast<int>(chunk) * pipeline->m_shape.stages + pipeline->m_stage;
        part.isFirst = part.number == 0;
        part.isLast = part.number == pipeline->m_shape.stages * pipeline->m_shape.chunks - 1;
        const auto number = static_cast<std::size_t>(part.number);
        const auto shapeOf = [&](std::size_t before) {
            const plan::NetUnit& unit = all[before].last;
            return tensor != nullptr ? plan::outputShapeOf(unit, tensor->part(), tensor->parts()) : unit.outputShape;
        };
        part.inputSizes = number > 0 ? shapeOf(number - 1) : std::vector<std::int64_t>();
        part.outputSizes = shapeOf(number);
        part.wholeOutput = all[number].last.outputShape.back();
        pipeline->m_parts.push_back(std::move(part));
    }
    pipeline->m_passes = std::make_unique<StagePasses>(run, rank, tensor, job, recorder, pipeline->m_parts);
    LOCKSTEP_TRY(pipeline->connect(run));
    return pipeline;
}

Result<void> Pipeline::connect(const experiment::RunSpec& run)
{
    const bool isTied = run.settings->net.name == experiment::NetName::Gpt && run.settings->net.isTied;
    if (isTied && m_shape.stages > 1) {
        LOCKSTEP_TRY_ASSIGN(auto ends, m_stages.ranks().split(m_job.net.tiedParameter() ? 0 : -1, m_stage));
        m_tie.reset(static_cast<comm::WatchedCommunicator*>(ends.release())); // a watched group splits into these
    }
    PipelineEnds ends{.shape = m_shape,
        .parts = {},
        .options = m_options,
        .samplesOfMicroBatch = plan::microBatchSize(mostSamples(run), m_shape.microBatches)};
    for (const StagePart& part : m_parts) {
        ends.parts.push_back({part.inputSizes, part.isLast ? std::vector<std::int64_t>() : part.outputSizes});
    }
    LOCKSTEP_TRY_ASSIGN(m_transport, makeTransport(run, m_stages, ends));
    m_stages.ranks().takeBytesSent();
    return {};
}

bool Pipeline::isEmpty(const plan::PipelineAction& action) const
{
    return action.microBatch >= 0 && m_passes->samplesOf(action.microBatch).count == 0;
}

Result<torch::Tensor> Pipeline::gradient(const StepInput& input, StepClock& clock)
{
    beginStep(input);
    for (const plan::PipelineAction& action : m_actions) {
        if (!isEmpty(action)) {
            LOCKSTEP_TRY(carryOut(action, input, clock));
        }
    }
    return m_loss;
}

Result<void> Pipeline::carryOut(const plan::PipelineAction& action, const StepInput& input, StepClock& clock)
{
    const Pass pass{action.chunk, action.microBatch};
    switch (action.kind) {
    case Kind::ReceiveActivation:
        return receiveActivation(pass, clock);
    case Kind::Forward:
        forward(pass, clock);
        break;
    case Kind::SendActivation:
        return m_transport->sendActivation(named(pass), m_passes->takeOutput(pass));
    case Kind::ReceiveGradient:
        return receiveGradient(pass, clock);
    case Kind::Backward:
        backward(pass, clock);
        if (&action == m_lastBackward) {
            input.afterLastBackward();
        }
        break;
    case Kind::SendGradient:
        return m_transport->sendGradient(named(pass), m_passes->takeInputGradient(pass));
    case Kind::Wait:
        clock.begin(Phase::Communicate);
        return m_transport->flush();
    case Kind::Update: // the training loop calls Strategy::update, after its hooks
        break;
    }
    return {};
}

void Pipeline::beginStep(const StepInput& input)
{
    const std::int64_t batch = input.batch.size();
    const double share
        = batch == input.wholeBatch ? 1.0 : static_cast<double>(batch) / static_cast<double>(input.wholeBatch);
    m_passes->begin(input.batch, m_job.scaler ? share * m_job.scaler->scale() : share, m_actions, m_shape.microBatches);
    m_loss = torch::zeros({}, torch::kDouble);
    const auto last = std::find_if(m_actions.rbegin(), m_actions.rend(),
        [this](const auto& action) { return action.kind == Kind::Backward && !isEmpty(action); });
    m_lastBackward = last == m_actions.rend() ? nullptr : &*last;
    expectMessages();
}

/// Posts all receives of the step, in their order.
void Pipeline::expectMessages()
{
    m_transport->begin(PipelineTransport::Mode::Step);
    for (const plan::PipelineAction& action : m_actions) {
        if (isEmpty(action)) {
            continue;
        }
        const StagePart& part = partOf(action.chunk);
        if (action.kind == Kind::ReceiveActivation) {
            m_transport->expectActivation({part.number, action.microBatch},
                withSamples(m_passes->samplesOf(action.microBatch).count, part.inputSizes));
        } else if (action.kind == Kind::ReceiveGradient) {
            m_transport->expectGradient({part.number, action.microBatch},
                withSamples(m_passes->samplesOf(action.microBatch).count, part.outputSizes));
        }
    }
}

Result<void> Pipeline::receiveActivation(const Pass& pass, StepClock& clock)
{
    clock.begin(Phase::Communicate);
    LOCKSTEP_TRY_ASSIGN(const torch::Tensor input, m_transport->receiveActivation(named(pass)));
    m_passes->setInput(pass, input);
    return {};
}

void Pipeline::forward(const Pass& pass, StepClock& clock)
{
    clock.begin(Phase::Forward, numberOf(pass.microBatch));
    m_passes->forward(pass);
    if (partOf(pass.chunk).isLast) {
        m_loss = m_loss + m_passes->loss(pass);
    } else {
        clock.endPass();
    }
}

Result<void> Pipeline::receiveGradient(const Pass& pass, StepClock& clock)
{
    clock.begin(Phase::Communicate);
    LOCKSTEP_TRY_ASSIGN(const torch::Tensor gradient, m_transport->receiveGradient(named(pass)));
    m_passes->setGradient(pass, gradient);
    return {};
}

void Pipeline::backward(const Pass& pass, StepClock& clock)
{
    clock.begin(Phase::Backward, numberOf(pass.microBatch));
    m_passes->backward(pass);
    clock.endPass();
}

void Pipeline::setTimer(const comm::WatchedCommunicator::Timer& timer)
{
    m_transport->setTimer(timer);
    if (m_tie) {
        m_tie->setTimer(timer);
    }
}

void Pipeline::applyLinks()
{
    m_transport->applyLinks();
    for (int end = 0; m_tie && end < m_tie->size(); ++end) {
        m_tie->setLink(end, m_stages.ranks().link(end == 0 ? 0 : m_shape.stages - 1));
    }
}

Result<void> Pipeline::allReduceTied()
{
    torch::Tensor gradient = m_job.net.parameters()[*m_job.net.tiedParameter()].tensor.grad();
    const comm::View view = viewOf(gradient);
    auto added = m_tie->allReduce(view, view, comm::Reduction::Sum);
    const std::array ends{m_stages.members().front(), m_stages.members().back()};
    return added ? added : Result<void>(failureOf(comm::renamed(added.error(), ends)));
}

Result<TestSums> Pipeline::evaluate(const LabelledInputs& test)
{
    const torch::NoGradGuard noGrad;
    m_transport->begin(PipelineTransport::Mode::OneByOne);
    TestSums sums;
    const std::int64_t atOnce = m_job.net.evaluatedAtOnce();
    for (std::int64_t first = 0; first < test.size(); first += atOnce) {
        const std::int64_t count = std::min(atOnce, test.size() - first);
        const auto piece = static_cast<int>(first / atOnce);
        for (const StagePart& part : m_parts) {
            torch::Tensor input = test.inputs.narrow(0, first, count);
            if (!part.isFirst) {
                m_transport->expectActivation({part.number, piece}, withSamples(count, part.inputSizes));
                LOCKSTEP_TRY_ASSIGN(input, m_transport->receiveActivation({part.number, piece}));
            }
            const torch::Tensor output = m_passes->run(part, input);
            if (part.isLast) {
                const auto here = m_job.net.layer(m_job.net.layerCount() - 1).outputPiece();
                sums.add(here ? joinScores(output, part.wholeOutput, *here, *m_tensor) : output,
                    test.labels.narrow(0, first, count));
            } else {
                LOCKSTEP_TRY(m_transport->sendActivation({part.number, piece}, output));
            }
        }
    }
    LOCKSTEP_TRY(m_transport->flush());
    return sums;
}

std::int32_t Pipeline::numberOf(int microBatch) const
{
    return m_shape.stages > 1 || m_shape.microBatches > 1 ? microBatch : -1;
}

Traffic Pipeline::takeBytesSent()
{
    Traffic traffic{};
    traffic[static_cast<std::size_t>(TrafficKind::Activations)]
        = static_cast<std::int64_t>(m_stages.ranks().takeBytesSent() + m_transport->takeBytesSent());
    traffic[static_cast<std::size_t>(TrafficKind::Gradients)]
        = m_tie ? static_cast<std::int64_t>(m_tie->takeBytesSent()) : 0;
    return traffic;
}

std::optional<std::size_t> Pipeline::copiedParameter() const
{
    return m_tie && hasLoss() ? m_job.net.tiedParameter() : std::nullopt;
}

Text Pipeline::description() const
{
    Text text(LS_TR("Messages", "pipeline of %1 stages, %2, %3 micro-batches"),
        {m_shape.stages, verbatim(m_scheduleName), m_shape.microBatches});
    if (m_shape.chunks > 1) {
        text = {LS_TR("Messages", "%1, %2 parts per rank"), {text, m_shape.chunks}};
    }
    const Text transport = m_transport->description();
    return transport.empty() ? text : Text(LS_TR("Messages", "%1, %2"), {text, transport});
}

} // namespace lockstep::engine
