#include "engine/strategy/data/data_parallel.h"

#include "base/clock.h"
#include "engine/ranks/tensor_view.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::engine {

namespace {

/// The ring view shows a few steps a second; the messages of the others are not worth their bytes.
constexpr std::int64_t TrafficEveryNs = 100'000'000;

} // namespace

DataParallel::DataParallel(
    const experiment::RunSpec& run, const plan::StepPlan& plan, RankGroup& group, Recorder& recorder)
    : m_group(group)
    , m_recorder(recorder)
    , m_aggregation(run)
    , m_name(run.text("aggregation.algorithm"))
    , m_sharesGradients(run.text("aggregation.what") == "gradients")
    , m_every(m_sharesGradients ? 1 : stepsBetweenAverages(run, plan))
    , m_form(m_sharesGradients ? run.text("comm.form") : "flat")
    , m_bucketBytes(run.integer("comm.bucket_kb") * 1000)
    , m_firstBucketBytes(run.integer("comm.first_bucket_kb") * 1000)
    , m_hadSamples(static_cast<std::size_t>(group.communicator->size()), false)
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

void DataParallel::beginStep(std::int64_t step, plan::Dealing& dealing)
{
    m_step = step;
    m_messages = 0;
    for (int rank = 0; rank < dealing.ranks(); ++rank) {
        const std::int64_t count = dealing.count(step, rank);
        m_shares.all += count;
        m_shares.own += rank == m_group.communicator->rank() ? count : 0;
        m_hadSamples[static_cast<std::size_t>(rank)] = m_hadSamples[static_cast<std::size_t>(rank)] || count > 0;
    }
    m_shares.ranksWithSamples = static_cast<int>(std::count(m_hadSamples.begin(), m_hadSamples.end(), true));
    m_isSampled = m_group.board->isTrafficSampled(step);
    const std::int64_t now = monotonicNs();
    if (m_group.communicator->rank() == 0 && now - m_lastSampleNs >= TrafficEveryNs) {
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

void DataParallel::watch(FlatParameters& parameters)
{
    if (m_gradients && parameters.gradients().is_cpu()) {
        // Booked only now: until the gradients have moved nothing is written there, and no page of it is in use.
        const auto bytes = static_cast<std::int64_t>(parameters.gradients().nbytes());
        m_ownMemory = ForeignMemory(MemoryKind::Gradients, bytes);
        m_resultMemory = ForeignMemory(MemoryKind::Other, comm::SharedArray::Results * bytes);
    }
    if (m_form == "flat" || m_group.communicator->size() == 1) {
        return;
    }
    const auto bytes = static_cast<std::int64_t>(parameters.gradients().element_size());
    const bool isBuckets = m_form == "buckets";
    // Tensor by tensor is buckets of one.
    m_buckets = std::make_unique<GradientBuckets>(parameters,
        bucketsOf(parameters.ranges(), bytes, isBuckets ? m_firstBucketBytes : 0, isBuckets ? m_bucketBytes : 0),
        *m_group.communicator, isBuckets ? GradientBuckets::Start::WhenFilled : GradientBuckets::Start::AfterBackward);
}

void DataParallel::beginLastBackward()
{
    if (m_buckets) {
        m_buckets->arm();
    }
}

std::string DataParallel::formReport() const
{
    if (!m_buckets) {
        return {};
    }
    const std::string pieces = std::to_string(m_buckets->size());
    return m_form == "tensors" ? pieces + " tensors, each sent separately after backward"
                               : pieces + " buckets, sent during backward";
}

Result<torch::Tensor> DataParallel::gradientMemory(const torch::Tensor& gradients)
{
    if (m_form != "flat" || !m_sharesGradients || m_name != "all_reduce" || !m_aggregation.isNativeSum()) {
        return torch::Tensor();
    }
    auto shared = m_group.communicator->share(gradients.nbytes(), spaceOf(gradients));
    if (!shared) {
        return shared.error();
    }
    m_gradients = std::move(*shared);
    if (!m_gradients) {
        return torch::Tensor();
    }
    return torch::from_blob(
        m_gradients->own(), {gradients.numel()}, [keep = m_gradients](void*) {}, gradients.options());
}

Result<torch::Tensor> DataParallel::aggregateGradients(torch::Tensor& gradients)
{
    takeShares();
    if (m_buckets) {
        auto done = m_buckets->finish();
        return done ? Result<torch::Tensor>(gradients) : Result<torch::Tensor>(done.error());
    }
    comm::WatchedCommunicator& ranks = *m_group.communicator;
    if (!m_gradients || ranks.hasLinks()) {
        auto done = m_aggregation.carryOut(ranks, gradients);
        return done ? Result<torch::Tensor>(gradients) : Result<torch::Tensor>(done.error());
    }
    const comm::View in = viewOf(gradients);
    if (auto done = ranks.allReduce(in, {nullptr, in.count, in.type, in.space}, comm::Reduction::Sum); !done) {
        return done.error();
    }
    return torch::from_blob(m_gradients->result(), {in.count}, gradients.options());
}

Shares DataParallel::takeShares()
{
    m_hadSamples.assign(m_hadSamples.size(), false);
    return std::exchange(m_shares, Shares{});
}

Result<void> DataParallel::aggregateWeights(torch::Tensor& weights)
{
    const torch::NoGradGuard noGrad;
    const double scale = m_aggregation.scaleOf(takeShares());
    if (scale != 1.0) {
        weights.mul_(scale);
    }
    return m_aggregation.carryOut(*m_group.communicator, weights);
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

torch::Tensor DataParallel::sharesSoFar() const
{
    std::vector<std::int64_t> values{m_shares.own, m_shares.all};
    values.insert(values.end(), m_hadSamples.begin(), m_hadSamples.end());
    return torch::tensor(values, torch::kLong);
}

void DataParallel::setSharesSoFar(const torch::Tensor& shares)
{
    const auto* values = shares.data_ptr<std::int64_t>();
    m_shares.own = values[0];
    m_shares.all = values[1];
    for (std::size_t rank = 0; rank < m_hadSamples.size(); ++rank) {
        m_hadSamples[rank] = values[2 + rank] != 0;
    }
}

std::string DataParallel::description() const
{
    std::string text = m_name + " over " + m_group.backendReason;
    if (m_group.communicator->hasLinks()) {
        text += ", built from messages over an emulated link";
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
