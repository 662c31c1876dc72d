#include "engine/strategy/pipeline/pipeline.h"

#include "engine/comm/renamed.h"
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

} // namespace

Pipeline::Pipeline(const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job)
    : m_stages(stages)
    , m_tensor(tensor)
    , m_job(job)
    , m_scheduleName(run.text("pipeline.schedule"))
    , m_shape(plan::pipelineShape(run))
    , m_recomputes(is(run, experiment::Recompute::Stage))
    , m_stage(stages.place())
    , m_actions(plan::scheduleKind(m_scheduleName)->actions(m_stage, m_shape))
    , m_options(
          torch::TensorOptions(job.device).dtype(run.text("train.dtype") == "float64" ? torch::kDouble : torch::kFloat))
{ }

Pipeline::~Pipeline() = default;

Result<std::unique_ptr<Pipeline>> Pipeline::create(
    const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job)
{
    const auto all = plan::pipelineParts(run);
    if (!all) {
        return all.error();
    }
    std::unique_ptr<Pipeline> pipeline(new Pipeline(run, stages, tensor, job));
    for (std::size_t chunk = 0; chunk < job.parts.size(); ++chunk) {
        Part part;
        part.layers = job.parts[chunk];
        part.number = static_cast<int>(chunk) * pipeline->m_shape.stages + pipeline->m_stage;
        const auto number = static_cast<std::size_t>(part.number);
        const auto shapeOf = [&](std::size_t before) {
            const plan::NetUnit& unit = (*all)[before].last;
            return tensor != nullptr ? plan::outputShapeOf(unit, tensor->part(), tensor->parts()) : unit.outputShape;
        };
        part.inputSizes = number > 0 ? shapeOf(number - 1) : std::vector<std::int64_t>();
        part.outputSizes = shapeOf(number);
        part.wholeOutput = (*all)[number].last.outputShape.back();
        pipeline->m_parts.push_back(std::move(part));
    }
    if (auto connected = pipeline->connect(run); !connected) {
        return connected.error();
    }
    return pipeline;
}

Result<void> Pipeline::connect(const experiment::RunSpec& run)
{
    const bool isTied = run.text("net.name") == "gpt" && run.boolean("net.tied");
    if (isTied && m_shape.stages > 1) {
        auto ends = m_stages.ranks().split(m_job.net.tiedParameter() ? 0 : -1, m_stage);
        if (!ends) {
            return ends.error();
        }
        m_tie.reset(static_cast<comm::WatchedCommunicator*>(ends->release())); // a watched group splits into these
    }
    PipelineEnds ends{.shape = m_shape,
        .parts = {},
        .options = m_options,
        .samplesOfMicroBatch = plan::microBatchSize(mostSamples(run), m_shape.microBatches)};
    for (const Part& part : m_parts) {
        ends.parts.push_back({part.inputSizes, isLast(part) ? std::vector<std::int64_t>() : part.outputSizes});
    }
    auto transport = makeTransport(run, m_stages, ends);
    if (!transport) {
        return transport.error();
    }
    m_transport = std::move(*transport);
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

/// What this rank will be sent in this step, in the order of its passes.
void Pipeline::expectAll()
{
    for (const plan::PipelineAction& action : m_actions) {
        const Part& part = m_parts[static_cast<std::size_t>(action.chunk)];
        const std::int64_t samples = microBatch(action.microBatch).count;
        if (samples == 0) {
            continue;
        }
        if (action.kind == Kind::Forward && !isFirst(part)) {
            m_transport->expectActivation({part.number, action.microBatch}, withSamples(samples, part.inputSizes));
        } else if (action.kind == Kind::Backward && !isLast(part)) {
            m_transport->expectGradient({part.number, action.microBatch}, withSamples(samples, part.outputSizes));
        }
    }
}

Result<torch::Tensor> Pipeline::gradient(const Batch& batch, std::int64_t wholeBatch, StepClock& clock)
{
    m_batch = batch.size();
    m_wholeBatch = wholeBatch;
    if (m_batch == 0) {
        m_job.parameters.zeroGradients();
    } else {
        m_job.parameters.clearGradients();
    }
    m_loss = torch::zeros({}, torch::kDouble);
    m_transport->begin(PipelineTransport::Mode::Step);
    expectAll();
    // The last batch of an epoch may have fewer samples than there are micro-batches.
    const auto isEmpty
        = [this](const plan::PipelineAction& action) { return microBatch(action.microBatch).count == 0; };
    const auto last = std::find_if_not(m_actions.rbegin(), m_actions.rend(), isEmpty);
    m_lastAction = last == m_actions.rend() ? nullptr : &*last;
    for (const plan::PipelineAction& action : m_actions) {
        Part& part = m_parts[static_cast<std::size_t>(action.chunk)];
        if (isEmpty(action)) {
            continue;
        }
        auto done = action.kind == Kind::Forward ? forward(part, action.microBatch, batch, clock)
                                                 : backward(part, action, clock);
        if (!done) {
            return done.error();
        }
    }
    if (m_shape.stages == 1) {
        return m_loss;
    }
    clock.begin(Phase::Communicate);
    if (auto flushed = m_transport->flush(); !flushed) {
        return flushed.error();
    }
    return m_loss;
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

Result<void> Pipeline::addUpTied()
{
    torch::Tensor gradient = m_job.net.parameters()[*m_job.net.tiedParameter()].tensor.grad();
    const comm::View view = viewOf(gradient);
    auto added = m_tie->allReduce(view, view, comm::Reduction::Sum);
    const std::array ends{m_stages.members().front(), m_stages.members().back()};
    return added ? added : Result<void>(Error{comm::renamed(added.error().message, ends)});
}

Result<void> Pipeline::forward(Part& part, int number, const Batch& batch, StepClock& clock)
{
    const plan::Slice samples = microBatch(number);
    torch::Tensor input;
    if (isFirst(part)) {
        clock.begin(Phase::Data);
        input = batch.inputs.narrow(0, samples.first, samples.count);
    } else {
        clock.begin(Phase::Communicate);
        auto received = m_transport->receiveActivation({part.number, number});
        if (!received) {
            return received.error();
        }
        input = received->requires_grad_(true);
    }
    clock.begin(Phase::Forward, numberOf(number));
    const torch::Tensor output = run(part, input);
    Held held{.input = std::move(input), .loss = {}, .toNext = nullptr};
    if (isLast(part)) {
        const double share = static_cast<double>(samples.count) / static_cast<double>(m_batch);
        held.loss = lossOf(output, batch.labels.narrow(0, samples.first, samples.count)) * share;
        // Summed in double, as addGradientInChunks does.
        m_loss = m_loss + held.loss.detach().to(torch::kDouble);
    } else {
        clock.endPass();
        held.toNext = std::make_shared<Crossing>(Crossing{*m_transport, {part.number, number}});
        held.loss = crossOver(output, held.toNext);
        if (!held.toNext->sent) {
            return held.toNext->sent;
        }
    }
    part.held[number] = std::move(held);
    return {};
}

Result<void> Pipeline::backward(Part& part, const plan::PipelineAction& action, StepClock& clock)
{
    const int number = action.microBatch;
    const Held held = std::move(part.held.extract(number).mapped());
    if (held.toNext) {
        clock.begin(Phase::Communicate);
        auto received = m_transport->receiveGradient({part.number, number});
        if (!received) {
            return received.error();
        }
        held.toNext->gradient = std::move(*received);
    }
    clock.begin(Phase::Backward, numberOf(number));
    // The next part's gradient is already scaled.
    const double share
        = m_batch == m_wholeBatch ? 1.0 : static_cast<double>(m_batch) / static_cast<double>(m_wholeBatch);
    engine::backward(held.loss, held.toNext ? 1.0 : m_job.scaler ? share * m_job.scaler->scale() : share);
    clock.endPass();
    if (&action == m_lastAction) {
        clock.afterLastBackward();
    }
    return isFirst(part) ? Result<void>() : m_transport->sendGradient({part.number, number}, held.input.grad());
}

Result<TestSums> Pipeline::evaluate(const LabelledInputs& test)
{
    const torch::NoGradGuard noGrad;
    m_transport->begin(PipelineTransport::Mode::OneByOne);
    TestSums sums;
    for (std::int64_t first = 0; first < test.size(); first += EvaluatedAtOnce) {
        const std::int64_t count = std::min(EvaluatedAtOnce, test.size() - first);
        const auto piece = static_cast<int>(first / EvaluatedAtOnce);
        for (const Part& part : m_parts) {
            torch::Tensor input = test.inputs.narrow(0, first, count);
            if (!isFirst(part)) {
                m_transport->expectActivation({part.number, piece}, withSamples(count, part.inputSizes));
                auto received = m_transport->receiveActivation({part.number, piece});
                if (!received) {
                    return received.error();
                }
                input = std::move(*received);
            }
            const torch::Tensor output = run(part, input);
            if (isLast(part)) {
                const auto here = m_job.net.layer(m_job.net.layerCount() - 1).outputPiece();
                sums.add(here ? joinScores(output, part.wholeOutput, *here, *m_tensor) : output,
                    test.labels.narrow(0, first, count));
            } else {
                if (auto sent = m_transport->sendActivation({part.number, piece}, output); !sent) {
                    return sent.error();
                }
            }
        }
    }
    if (auto flushed = m_transport->flush(); !flushed) {
        return flushed.error();
    }
    return sums;
}

torch::Tensor Pipeline::lossOf(const torch::Tensor& output, const torch::Tensor& labels)
{
    const auto here = m_job.net.layer(m_job.net.layerCount() - 1).outputPiece();
    return here ? crossEntropyOfParts(output, labels, *here, *m_tensor) : crossEntropy(output, labels);
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

std::string Pipeline::description() const
{
    return "pipeline of " + std::to_string(m_shape.stages) + " stages, " + m_scheduleName + ", "
        + std::to_string(m_shape.microBatches) + " micro-batches"
        + (m_shape.chunks > 1 ? ", " + std::to_string(m_shape.chunks) + " parts per rank" : "")
        + m_transport->description();
}

} // namespace lockstep::engine
