#include "engine/parallel/data_parallel.h"

#include "base/clock.h"

#include <torch/torch.h>

#include <utility>

namespace lockstep::engine {

namespace {

/// The ring view shows a few steps a second; the messages of the others are not worth their bytes.
constexpr std::int64_t SampleEveryNs = 100'000'000;

} // namespace

DataParallel::DataParallel(const experiment::RunSpec& run, RankGroup& group, Recorder& recorder)
    : m_group(group)
    , m_recorder(recorder)
    , m_aggregation(run)
    , m_name(run.text("aggregation.algorithm"))
    , m_sharesGradients(run.text("aggregation.what") == "gradients")
    , m_every(m_sharesGradients ? 1 : run.integer("aggregation.every"))
{
    m_group.communicator->setListener([this](const comm::MessageEvent& event) { listen(event); });
}

DataParallel::~DataParallel()
{
    m_group.communicator->setListener({});
}

plan::Slice DataParallel::sliceOf(std::int64_t total) const
{
    return plan::sliceOf(total, m_group.communicator->rank(), m_group.communicator->size());
}

Result<void> DataParallel::shareWeights(torch::Tensor& weights)
{
    auto shared = m_group.communicator->broadcast(viewOf(weights), 0);
    m_group.communicator->takeBytesSent();
    return shared;
}

void DataParallel::beginStep(std::int64_t step, std::int64_t samples)
{
    m_step = step;
    m_messages = 0;
    m_shares.own += sliceOf(samples).count;
    m_shares.all += samples;
    m_shares.ranksWithSamples = plan::ranksWithSamples(m_shares.all, m_group.communicator->size());
    m_isSampled = m_group.board->isTrafficSampled(step);
    const std::int64_t now = monotonicNs();
    if (m_group.communicator->rank() == 0 && now - m_lastSampleNs >= SampleEveryNs) {
        m_lastSampleNs = now;
        // With weights averaged every k steps, messages are sent at the end of every k-th step alone.
        m_group.board->sampleTraffic(agreedStep(step) + m_every - 1);
    }
}

bool DataParallel::areWeightsDue(std::int64_t step) const
{
    return !m_sharesGradients && step % m_every == 0;
}

std::int64_t DataParallel::agreedStep(std::int64_t step) const
{
    return (step + m_every - 1) / m_every * m_every + 1;
}

Result<void> DataParallel::aggregate(torch::Tensor& array)
{
    const Shares shares = std::exchange(m_shares, Shares{});
    return m_aggregation.carryOut(*m_group.communicator, array, shares);
}

Result<void> DataParallel::average(torch::Tensor& weights)
{
    const torch::NoGradGuard noGrad;
    const comm::View view = viewOf(weights);
    if (auto summed = m_group.communicator->allReduce(view, view, comm::Reduction::Sum); !summed) {
        return summed;
    }
    weights.mul_(1.0 / m_group.communicator->size());
    return {};
}

Result<void> DataParallel::addUp(std::span<double> numbers)
{
    const comm::View view{numbers.data(), static_cast<std::int64_t>(numbers.size()), comm::DataType::Float64};
    return m_group.communicator->allReduce(view, view, comm::Reduction::Sum);
}

std::string DataParallel::description() const
{
    std::string text = m_name + " over " + m_group.backendReason;
    if (m_group.communicator->hasLinks()) {
        text += ", composed of messages over an emulated link";
    }
    return text;
}

void DataParallel::listen(const comm::MessageEvent& event)
{
    if (m_isSampled) {
        m_recorder.traffic({m_step, m_messages++, event.to, event.from, static_cast<std::int64_t>(event.bytes),
            event.startNs, event.endNs - event.startNs});
    }
}

} // namespace lockstep::engine
