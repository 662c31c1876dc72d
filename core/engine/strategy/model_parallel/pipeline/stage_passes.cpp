#include "engine/strategy/model_parallel/pipeline/stage_passes.h"

#include "engine/model/loss.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_boundary.h"
#include "experiment/choices.h"
#include "plan/pipeline/parts.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

namespace {

using Kind = plan::PipelineAction::Kind;

std::vector<std::int64_t> sizesOf(std::int64_t samples, const std::vector<std::int64_t>& sample)
{
    std::vector<std::int64_t> all{samples};
    all.insert(all.end(), sample.begin(), sample.end());
    return all;
}

/// `tensor`: the ranks that have the last layer's parts, where it is divided.
torch::Tensor lossOf(const Job& job, TensorRanks* tensor, const torch::Tensor& output, const torch::Tensor& labels)
{
    const auto here = job.net.layer(job.net.layerCount() - 1).outputPiece();
    return here ? crossEntropyOfParts(output, labels, *here, *tensor) : crossEntropy(output, labels);
}

} // namespace

StagePasses::StagePasses(const experiment::RunSpec& run, int rank, TensorRanks* tensor, Job& job, Recorder& recorder,
    const std::vector<StagePart>& parts)
    : m_tensor(tensor)
    , m_job(job)
    , m_recorder(recorder)
    , m_rank(rank)
    , m_recomputes(is(run, experiment::Recompute::Stage))
    , m_parts(parts)
    , m_options(job.parameters.weights().options().requires_grad(false))
    // A tensor-parallel part communicates within its passes, and recomputation runs forward within backward.
    , m_recorded(job.passRecorder && run.settings->train.usesGraphs && tensor == nullptr
          && is(run, experiment::Recompute::None))
    , m_scale(m_options)
{ }

torch::Tensor StagePasses::run(const StagePart& part, const torch::Tensor& input)
{
    const auto first = static_cast<std::size_t>(part.layers.first);
    const auto count = static_cast<std::size_t>(part.layers.count);
    return m_recomputes ? m_job.net.forwardRecomputed(input, first, count) : m_job.net.forward(input, first, count);
}

plan::Slice StagePasses::samplesOf(int microBatch) const
{
    const std::int64_t first = std::min(m_batch.size(), microBatch * m_microBatch);
    return {first, std::min(m_microBatch, m_batch.size() - first)};
}

void StagePasses::begin(
    const Batch& batch, double scale, std::span<const plan::PipelineAction> actions, int microBatches)
{
    m_batch = batch;
    m_microBatch = plan::microBatchSize(batch.size(), microBatches);
    if (m_replays) {
        m_graphs = std::exchange(m_held, {});
    }
    m_held.clear();
    m_replays = false;
    if (batch.size() == 0) {
        m_job.parameters.zeroGradients();
        return;
    }
    m_scale.set(scale);
    choose(actions);
    m_job.parameters.clearGradients();
}

void StagePasses::choose(std::span<const plan::PipelineAction> actions)
{
    const auto way = m_recorded.next(m_batch);
    if (way == RecordedBatches::Way::Record) {
        m_graphs.clear();
        const Text what(LS_TR("Messages", "rank %1: forward and backward of batches of %2"), {m_rank, m_batch.size()});
        if (const auto recorded = record(actions); !recorded) {
            m_recorded.giveUp();
            m_held.clear();
            m_recorder.log(wire::LogLevel::Warning,
                {LS_TR("Messages", "%1 cannot be recorded as CUDA graphs, and are launched kernel by kernel: %2"),
                    {what, recorded.error()}});
            return;
        }
        m_graphs = std::exchange(m_held, {});
        m_recorder.log(wire::LogLevel::Info, {LS_TR("Messages", "%1 are recorded as CUDA graphs"), {what}});
    }
    m_replays = way != RecordedBatches::Way::Run;
    if (m_replays) {
        m_held = std::exchange(m_graphs, {});
    }
}

/// Before the step's first message: nothing else uses the stream. In the schedule's order, which is that of the
/// replays, with each micro-batch's tensors in use for as long as in a step.
Result<void> StagePasses::record(std::span<const plan::PipelineAction> actions)
{
    const auto recorder = m_job.passRecorder();
    m_job.parameters.clearGradients();
    for (const plan::PipelineAction& action : actions) {
        const Pass pass{action.chunk, action.microBatch};
        if (action.microBatch < 0 || samplesOf(action.microBatch).count == 0) {
            continue;
        }
        if (action.kind == Kind::Forward) {
            const std::int64_t samples = samplesOf(action.microBatch).count;
            const StagePart& part = partOf(pass);
            Held& held = place(pass);
            if (!part.isFirst) {
                held.input = torch::zeros(sizesOf(samples, part.inputSizes), m_options).requires_grad_(true);
            }
            if (held.gradient) {
                *held.gradient = torch::zeros(sizesOf(samples, part.outputSizes), m_options);
            }
            LOCKSTEP_TRY_ASSIGN(held.forward, recorder->record([this, pass] { computeForward(pass); }));
        } else if (action.kind == Kind::Backward) {
            LOCKSTEP_TRY_ASSIGN(m_held.at(pass).backward, recorder->record([this, pass] { computeBackward(pass); }));
        }
    }
    return {};
}

StagePasses::Held& StagePasses::place(const Pass& pass)
{
    Held& held = m_held[pass];
    const StagePart& part = partOf(pass);
    if (part.isFirst) {
        const plan::Slice samples = samplesOf(pass.microBatch);
        held.input = m_batch.inputs.narrow(0, samples.first, samples.count);
    }
    if (!part.isLast) {
        held.gradient = std::make_shared<torch::Tensor>();
    }
    return held;
}

void StagePasses::setInput(const Pass& pass, const torch::Tensor& input)
{
    if (m_replays) {
        const torch::NoGradGuard noGrad;
        m_held.at(pass).input.copy_(input);
    } else {
        m_held[pass].input = input;
        m_held[pass].input.requires_grad_(true);
    }
}

void StagePasses::setGradient(const Pass& pass, const torch::Tensor& gradient)
{
    torch::Tensor& place = *m_held.at(pass).gradient;
    if (m_replays) {
        place.copy_(gradient);
    } else {
        place = gradient;
    }
}

void StagePasses::forward(const Pass& pass)
{
    if (m_replays) {
        m_held.at(pass).forward->replay();
    } else {
        static_cast<void>(place(pass));
        computeForward(pass);
    }
}

void StagePasses::computeForward(const Pass& pass)
{
    const StagePart& part = partOf(pass);
    Held& held = m_held.at(pass);
    const torch::Tensor output = run(part, held.input);
    if (part.isLast) {
        const plan::Slice samples = samplesOf(pass.microBatch);
        const double share = static_cast<double>(samples.count) / static_cast<double>(m_batch.size());
        held.loss = lossOf(m_job, m_tensor, output, m_batch.labels.narrow(0, samples.first, samples.count)) * share;
        held.lossValue = held.loss.detach().to(torch::kDouble); // summed in double, as addGradientInChunks does
    } else {
        held.output = output.detach();
        held.loss = standInForLoss(output, held.gradient);
    }
}

void StagePasses::backward(const Pass& pass)
{
    if (m_replays) {
        m_held.at(pass).backward->replay();
        return;
    }
    computeBackward(pass);
    if (partOf(pass).isFirst) {
        m_held.erase(pass);
    }
}

void StagePasses::computeBackward(const Pass& pass)
{
    Held& held = m_held.at(pass);
    if (!partOf(pass).isFirst) {
        held.input.mutable_grad() = torch::Tensor();
    }
    if (held.gradient) {
        held.loss.backward(); // the next part's gradient is already scaled
    } else {
        held.loss.backward(m_scale.tensor());
    }
    held.loss = torch::Tensor(); // frees what forward has saved
}

torch::Tensor StagePasses::takeOutput(const Pass& pass)
{
    torch::Tensor& output = m_held.at(pass).output;
    return m_replays ? output : std::exchange(output, {});
}

torch::Tensor StagePasses::takeInputGradient(const Pass& pass)
{
    return m_replays ? m_held.at(pass).input.grad() : m_held.extract(pass).mapped().input.grad();
}

} // namespace lockstep::engine
