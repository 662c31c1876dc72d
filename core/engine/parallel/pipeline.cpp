#include "engine/parallel/pipeline.h"

#include "engine/comm/renamed.h"
#include "engine/parallel/aggregation.h"
#include "engine/train/loss.h"
#include "plan/grid.h"
#include "plan/net.h"
#include "plan/pipeline/parts.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
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

/// Of a batch that one pipeline takes.
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
    , m_stage(stages.place())
    , m_actions(plan::scheduleKind(m_scheduleName)->actions(m_stage, m_shape))
    , m_options(run.text("train.dtype") == "float64" ? torch::kDouble : torch::kFloat)
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
    const bool isTied = run.text("net.name") == "gpt" && run.boolean("net.tied");
    if (auto connected = pipeline->connect(isTied); !connected) {
        return connected.error();
    }
    if (auto shared = pipeline->shareMemory(mostSamples(run)); !shared) {
        return shared.error();
    }
    return pipeline;
}

/// A channel each way between neighbours; between the last and the first only where chunks make a ring of them.
Result<void> Pipeline::connect(bool isTied)
{
    const int stages = m_shape.stages;
    if (isTied && stages > 1) {
        auto ends = m_stages.ranks().split(m_job.net.tiedParameter() ? 0 : -1, m_stage);
        if (!ends) {
            return ends.error();
        }
        m_tie.reset(static_cast<comm::WatchedCommunicator*>(ends->release())); // what a watched one splits into
    }
    const auto rankOf = [this](int stage) { return m_stages.members()[static_cast<std::size_t>(stage)]; };
    const int links = m_shape.chunks > 1 ? stages : stages - 1;
    for (int from = 0; from < links; ++from) {
        const int to = (from + 1) % stages;
        const bool isIn = m_stage == from || m_stage == to;
        for (Neighbours* direction : {&m_activations, &m_gradients}) {
            auto pair = m_stages.ranks().split(isIn ? 0 : -1, m_stage);
            if (!pair) {
                return pair.error();
            }
            if (isIn) {
                auto& place = m_stage == from ? direction->toAfter : direction->fromBefore;
                place = std::make_unique<PipelineChannel>(std::move(*pair), rankOf(m_stage), rankOf(m_stage == from ? to : from));
            }
        }
    }
    m_stages.ranks().takeBytesSent();
    return {};
}

void Pipeline::beginAll(PipelineChannel::Mode mode)
{
    for (const Neighbours* direction : {&m_activations, &m_gradients}) {
        for (PipelineChannel* channel : {direction->fromBefore.get(), direction->toAfter.get()}) {
            if (channel != nullptr) {
                channel->begin(mode);
            }
        }
    }
}

/// Room for all that goes over each channel in a step of `samples`. Both ends of a channel come to the same numbers.
Result<void> Pipeline::shareMemory(std::int64_t samples)
{
    const std::int64_t most = plan::microBatchSize(samples, m_shape.microBatches);
    struct Room {
        std::int64_t tensors = 0;
        std::size_t bytes = 0;
    };
    Room before;
    Room after;
    const auto add = [&](Room& room, const std::vector<std::int64_t>& sizes) {
        const std::int64_t elements = std::accumulate(sizes.begin(), sizes.end(), most, std::multiplies<>());
        room.tensors += m_shape.microBatches;
        room.bytes = std::max(room.bytes, static_cast<std::size_t>(elements) * m_options.dtype().itemsize());
    };
    for (const Part& part : m_parts) {
        if (!isFirst(part)) {
            add(before, part.inputSizes);
        }
        if (!isLast(part)) {
            add(after, part.outputSizes);
        }
    }
    const auto shareWith = [&](bool isAfter) -> Result<void> {
        const Room& room = isAfter ? after : before;
        for (Neighbours* direction : {&m_activations, &m_gradients}) {
            PipelineChannel* channel = isAfter ? direction->toAfter.get() : direction->fromBefore.get();
            if (auto shared = channel != nullptr ? channel->share(room.tensors, room.bytes) : Result<void>(); !shared) {
                return shared;
            }
        }
        return {};
    };
    // In a ring everyone would wait for the rank before: the first stage begins with the rank after it.
    const bool startsAfter = m_stage == 0;
    auto first = shareWith(startsAfter);
    return first ? shareWith(!startsAfter) : first;
}

plan::Slice Pipeline::microBatch(int number) const
{
    const std::int64_t size = plan::microBatchSize(m_batch, m_shape.microBatches);
    const std::int64_t first = std::min(m_batch, number * size);
    return {first, std::min(size, m_batch - first)};
}

torch::Tensor Pipeline::run(const Part& part, const torch::Tensor& input)
{
    return m_job.net.forward(
        input, static_cast<std::size_t>(part.layers.first), static_cast<std::size_t>(part.layers.count));
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
            m_activations.fromBefore->expect(withSamples(samples, part.inputSizes), m_options);
        } else if (action.kind == Kind::Backward && !isLast(part)) {
            m_gradients.toAfter->expect(withSamples(samples, part.outputSizes), m_options);
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
    beginAll(PipelineChannel::Mode::Step);
    expectAll();
    for (const plan::PipelineAction& action : m_actions) {
        Part& part = m_parts[static_cast<std::size_t>(action.chunk)];
        if (microBatch(action.microBatch).count == 0) {
            continue; // the last batch of an epoch may have fewer samples than there are micro-batches
        }
        auto done = action.kind == Kind::Forward ? forward(part, action.microBatch, batch, clock)
                                                 : backward(part, action.microBatch, clock);
        if (!done) {
            return done.error();
        }
    }
    if (m_shape.stages == 1) {
        return m_loss;
    }
    clock.begin(Phase::Communicate);
    if (auto flushed = flush(); !flushed) {
        return flushed.error();
    }
    if (auto added = addUpTied(); !added) {
        return added.error();
    }
    return m_loss;
}

Result<void> Pipeline::addUpTied()
{
    if (!m_tie) {
        return {};
    }
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
        input = batch.images.narrow(0, samples.first, samples.count);
    } else {
        clock.begin(Phase::Wait);
        auto received = m_activations.fromBefore->receive();
        if (!received) {
            return received.error();
        }
        input = received->requires_grad_(true);
    }
    clock.begin(Phase::Forward, numberOf(number));
    torch::Tensor output = run(part, input);
    if (isLast(part)) {
        const double share = static_cast<double>(samples.count) / static_cast<double>(m_batch);
        output = lossOf(output, batch.labels.narrow(0, samples.first, samples.count)) * share;
        // Summed in double, as addGradientInChunks does.
        m_loss = m_loss + output.detach().to(torch::kDouble);
    } else {
        if (auto sent = m_activations.toAfter->send(output.detach()); !sent) {
            return sent;
        }
    }
    part.held[number] = {std::move(input), std::move(output)};
    return {};
}

Result<void> Pipeline::backward(Part& part, int number, StepClock& clock)
{
    torch::Tensor gradient;
    if (!isLast(part)) {
        clock.begin(Phase::Wait);
        auto received = m_gradients.toAfter->receive();
        if (!received) {
            return received.error();
        }
        gradient = std::move(*received);
    }
    clock.begin(Phase::Backward, numberOf(number));
    const auto [input, output] = std::move(part.held.extract(number).mapped());
    if (isLast(part) && m_batch == m_wholeBatch) {
        output.backward();
    } else if (isLast(part)) {
        const double share = static_cast<double>(m_batch) / static_cast<double>(m_wholeBatch);
        output.backward(torch::full({}, share, output.options().requires_grad(false)));
    } else {
        torch::autograd::backward({output}, {gradient});
    }
    return isFirst(part) ? Result<void>() : m_gradients.fromBefore->send(input.grad());
}

Result<void> Pipeline::flush()
{
    Result<void> done;
    for (PipelineChannel* channel : {m_activations.toAfter.get(), m_gradients.fromBefore.get()}) {
        if (auto one = channel != nullptr ? channel->flush() : Result<void>(); !one && done) {
            done = one;
        }
    }
    return done;
}

Result<TestSums> Pipeline::evaluate(const LabelledImages& test)
{
    const torch::NoGradGuard noGrad;
    beginAll(PipelineChannel::Mode::OneByOne);
    TestSums sums;
    for (std::int64_t first = 0; first < test.size(); first += EvaluatedAtOnce) {
        const std::int64_t count = std::min(EvaluatedAtOnce, test.size() - first);
        for (const Part& part : m_parts) {
            torch::Tensor input = test.images.narrow(0, first, count);
            if (!isFirst(part)) {
                m_activations.fromBefore->expect(withSamples(count, part.inputSizes), m_options);
                auto received = m_activations.fromBefore->receive();
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
                if (auto sent = m_activations.toAfter->send(output); !sent) {
                    return sent.error();
                }
            }
        }
    }
    if (auto flushed = flush(); !flushed) {
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

void Pipeline::applyLinks()
{
    const auto stageOf = [this](int rank) {
        const std::vector<int>& members = m_stages.members();
        return static_cast<int>(std::find(members.begin(), members.end(), rank) - members.begin());
    };
    for (const Neighbours* direction : {&m_activations, &m_gradients}) {
        for (PipelineChannel* channel : {direction->fromBefore.get(), direction->toAfter.get()}) {
            if (channel != nullptr) {
                channel->setLinks(m_stages.ranks().link(m_stage), m_stages.ranks().link(stageOf(channel->other())));
            }
        }
    }
}

Traffic Pipeline::takeBytesSent()
{
    std::size_t activations = m_stages.ranks().takeBytesSent();
    for (PipelineChannel* channel : {m_activations.toAfter.get(), m_gradients.fromBefore.get()}) {
        activations += channel != nullptr ? channel->takeBytesSent() : 0;
    }
    Traffic traffic{};
    traffic[static_cast<std::size_t>(TrafficKind::Activations)] = static_cast<std::int64_t>(activations);
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
        + (m_shape.chunks > 1 ? ", " + std::to_string(m_shape.chunks) + " parts a rank" : "");
}

} // namespace lockstep::engine
