#include "engine/strategy/model_parallel/pipeline/pipeline.h"

#include "engine/comm/failures.h"
#include "engine/model/gradient.h"
#include "engine/model/loss.h"
#include "engine/ranks/tensor_view.h"
#include "experiment/choices.h"
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

/// `tensor`: the ranks that have the last layer's parts, where it is divided.
torch::Tensor lossOf(const Job& job, TensorRanks* tensor, const torch::Tensor& output, const torch::Tensor& labels)
{
    const auto here = job.net.layer(job.net.layerCount() - 1).outputPiece();
    return here ? crossEntropyOfParts(output, labels, *here, *tensor) : crossEntropy(output, labels);
}

} // namespace

Pipeline::Pipeline(const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job)
    : m_stages(stages)
    , m_tensor(tensor)
    , m_job(job)
    , m_scheduleName(std::string(nameOf(run.settings->pipeline.schedule)))
    , m_shape(plan::pipelineShape(run))
    , m_recomputes(is(run, experiment::Recompute::Stage))
    , m_stage(stages.place())
    , m_actions(plan::scheduleKind(m_scheduleName)->actions(m_stage, m_shape))
    , m_options(
          torch::TensorOptions(job.device)
              .dtype(run.settings->train.dtype == experiment::WeightType::Float64 ? torch::kDouble : torch::kFloat))
{ }

Pipeline::~Pipeline() = default;

Result<std::unique_ptr<Pipeline>> Pipeline::create(
    const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job)
{
    LOCKSTEP_TRY_ASSIGN(const auto all, plan::pipelineParts(run));
    std::unique_ptr<Pipeline> pipeline(new Pipeline(run, stages, tensor, job));
    for (std::size_t chunk = 0; chunk < job.parts.size(); ++chunk) {
        Part part;
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
    for (const Part& part : m_parts) {
        ends.parts.push_back({part.inputSizes, part.isLast ? std::vector<std::int64_t>() : part.outputSizes});
    }
    LOCKSTEP_TRY_ASSIGN(m_transport, makeTransport(run, m_stages, ends));
    m_stages.ranks().takeBytesSent();
    return {};
}

plan::Slice Pipeline::microBatch(int number) const
{
    const std::int64_t size = plan::microBatchSize(m_batch, m_shape.microBatches);
    const std::int64_t first = std::min(m_batch, number * size);
    return {first, std::min(size, m_batch - first)};
}

torch::Tensor Pipeline::run(const Part& part, const torch::Tensor& input)
{
    const auto first = static_cast<std::size_t>(part.layers.first);
    const auto count = static_cast<std::size_t>(part.layers.count);
    return m_recomputes ? m_job.net.forwardRecomputed(input, first, count) : m_job.net.forward(input, first, count);
}

bool Pipeline::isEmpty(const plan::PipelineAction& action) const
{
    return action.microBatch >= 0 && microBatch(action.microBatch).count == 0;
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
    Part& part = partOf(action);
    switch (action.kind) {
    case Kind::ReceiveActivation:
        return receiveActivation(part, action.microBatch, clock);
    case Kind::Forward:
        forward(part, action.microBatch, input.batch, clock);
        break;
    case Kind::SendActivation:
        return sendActivation(part, action.microBatch);
    case Kind::ReceiveGradient:
        return receiveGradient(part, action.microBatch, clock);
    case Kind::Backward:
        backward(part, action.microBatch, clock);
        if (&action == m_lastBackward) {
            input.afterLastBackward();
        }
        break;
    case Kind::SendGradient:
        return sendGradient(part, action.microBatch);
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
    m_batch = input.batch.size();
    m_wholeBatch = input.wholeBatch;
    if (m_batch == 0) {
        m_job.parameters.zeroGradients();
    } else {
        m_job.parameters.clearGradients();
    }
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
        const Part& part = partOf(action);
        if (action.kind == Kind::ReceiveActivation) {
            m_transport->expectActivation(
                {part.number, action.microBatch}, withSamples(microBatch(action.microBatch).count, part.inputSizes));
        } else if (action.kind == Kind::ReceiveGradient) {
            m_transport->expectGradient(
                {part.number, action.microBatch}, withSamples(microBatch(action.microBatch).count, part.outputSizes));
        }
    }
}

Result<void> Pipeline::receiveActivation(Part& part, int number, StepClock& clock)
{
    clock.begin(Phase::Communicate);
    LOCKSTEP_TRY_ASSIGN(const torch::Tensor input, m_transport->receiveActivation({part.number, number}));
    part.held[number].input = input.requires_grad_(true);
    return {};
}

void Pipeline::forward(Part& part, int number, const Batch& batch, StepClock& clock)
{
    const plan::Slice samples = microBatch(number);
    Held& held = part.held[number];
    if (part.isFirst) {
        clock.begin(Phase::Data);
        held.input = batch.inputs.narrow(0, samples.first, samples.count);
    }
    clock.begin(Phase::Forward, numberOf(number));
    const torch::Tensor output = run(part, held.input);
    if (part.isLast) {
        const double share = static_cast<double>(samples.count) / static_cast<double>(m_batch);
        held.loss = lossOf(m_job, m_tensor, output, batch.labels.narrow(0, samples.first, samples.count)) * share;
        // Summed in double, as addGradientInChunks does.
        m_loss = m_loss + held.loss.detach().to(torch::kDouble);
    } else {
        clock.endPass();
        held.output = output.detach();
        held.gradient = std::make_shared<torch::Tensor>();
        held.loss = standInForLoss(output, held.gradient);
    }
}

Result<void> Pipeline::sendActivation(Part& part, int number)
{
    return m_transport->sendActivation({part.number, number}, std::exchange(part.held.at(number).output, {}));
}

Result<void> Pipeline::receiveGradient(Part& part, int number, StepClock& clock)
{
    clock.begin(Phase::Communicate);
    LOCKSTEP_TRY_ASSIGN(*part.held.at(number).gradient, m_transport->receiveGradient({part.number, number}));
    return {};
}

void Pipeline::backward(Part& part, int number, StepClock& clock)
{
    const Held& held = part.held.at(number);
    clock.begin(Phase::Backward, numberOf(number));
    // The next part's gradient is already scaled.
    const double share
        = m_batch == m_wholeBatch ? 1.0 : static_cast<double>(m_batch) / static_cast<double>(m_wholeBatch);
    engine::backward(held.loss, held.gradient ? 1.0 : m_job.scaler ? share * m_job.scaler->scale() : share);
    clock.endPass();
    if (part.isFirst) {
        part.held.erase(number);
    }
}

Result<void> Pipeline::sendGradient(Part& part, int number)
{
    const auto held = part.held.extract(number);
    return m_transport->sendGradient({part.number, number}, held.mapped().input.grad());
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
        for (const Part& part : m_parts) {
            torch::Tensor input = test.inputs.narrow(0, first, count);
            if (!part.isFirst) {
                m_transport->expectActivation({part.number, piece}, withSamples(count, part.inputSizes));
                LOCKSTEP_TRY_ASSIGN(input, m_transport->receiveActivation({part.number, piece}));
            }
            const torch::Tensor output = run(part, input);
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
