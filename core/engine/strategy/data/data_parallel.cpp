#include "engine/strategy/data/data_parallel.h"

#include "engine/ranks/tensor_view.h"
#include "engine/strategy/data/measure_cost.h"
#include "plan/steps.h"

#include <torch/torch.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

DataParallel::DataParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : RankStrategy(std::move(group))
    , m_run(context.run)
    , m_job(context.job)
    , m_recorder(context.recorder)
    , m_traffic(this->group(), context.recorder)
    , m_aggregation(context.run)
    , m_sharesGradients(context.run.text("aggregation.what") == "gradients")
    , m_every(m_sharesGradients ? 1 : plan::stepsBetweenAverages(context.run, context.job.plan))
    , m_form(m_sharesGradients ? context.run.text("comm.form") : "flat")
    , m_clip(context.run.real("optimizer.clip"))
    , m_isMeasured(context.run.text("measure.mode") == "measure")
    , m_hadSamples(static_cast<std::size_t>(ranks().size()), false)
{ }

Result<void> DataParallel::begin()
{
    LOCKSTEP_TRY(ranks().broadcast(viewOf(m_job.parameters.weights()), 0));
    ranks().takeBytesSent();
    LOCKSTEP_TRY(shareGradients());
    makeBuckets();
    m_replica = std::make_unique<ReplicaGradient>(m_run, rank(), m_job, m_recorder,
        // A recorded backward could not start the buckets' collectives.
        m_buckets ? ReplicaGradient::Graphs::Off : ReplicaGradient::Graphs::Allowed);
    return {};
}

Result<void> DataParallel::shareGradients()
{
    if (m_form != "flat" || !m_sharesGradients || !m_aggregation.isBackendAllReduce()) {
        return {};
    }
    const torch::Tensor gradients = m_job.parameters.gradients();
    LOCKSTEP_TRY_ASSIGN(m_gradients, ranks().share(gradients.nbytes(), spaceOf(gradients)));
    if (!m_gradients) {
        return {};
    }
    m_job.parameters.moveGradients(torch::from_blob(
        m_gradients->own(), {gradients.numel()}, [keep = m_gradients](void*) {}, gradients.options()));
    if (gradients.is_cpu()) {
        // Counted only now: before the gradients have moved, no page of that memory is in use.
        const auto bytes = static_cast<std::int64_t>(gradients.nbytes());
        m_ownMemory = ForeignMemory(MemoryKind::Gradients, bytes);
        m_resultMemory = ForeignMemory(MemoryKind::Other, comm::SharedArray::Results * bytes);
    }
    return {};
}

void DataParallel::makeBuckets()
{
    if (m_form == "flat" || ranks().size() == 1) {
        return;
    }
    const auto elementBytes = static_cast<std::int64_t>(m_job.parameters.gradients().element_size());
    const bool isBuckets = m_form == "buckets";
    const auto limit = [&](const char* name) { return isBuckets ? m_run.integer(name) * 1000 : 0; };
    // Tensor by tensor is buckets of one.
    m_buckets = std::make_unique<GradientBuckets>(m_job.parameters,
        bucketsOf(m_job.parameters.ranges(), elementBytes, limit("comm.first_bucket_kb"), limit("comm.bucket_kb")),
        ranks(), isBuckets ? GradientBuckets::Start::WhenFilled : GradientBuckets::Start::AfterBackward);
}

void DataParallel::countShares(std::int64_t step)
{
    plan::Dealing& dealing = *m_job.dealt.dealing;
    for (int each = 0; each < dealing.ranks(); ++each) {
        const std::int64_t samples = dealing.count(step, each);
        m_shares.all += samples;
        m_shares.own += each == rank() ? samples : 0;
        m_hadSamples[static_cast<std::size_t>(each)] = m_hadSamples[static_cast<std::size_t>(each)] || samples > 0;
    }
    m_shares.ranksWithSamples = static_cast<int>(std::count(m_hadSamples.begin(), m_hadSamples.end(), true));
}

Shares DataParallel::takeShares()
{
    m_hadSamples.assign(m_hadSamples.size(), false);
    return std::exchange(m_shares, Shares{});
}

Result<torch::Tensor> DataParallel::gradient(const StepInput& input, StepClock& clock)
{
    countShares(input.step);
    // With weights averaged every k steps, messages are sent at the end of every k-th step alone.
    m_traffic.beginStep(input.step, agreedStep(input.step) + m_every - 1);
    const double scale = m_sharesGradients ? m_aggregation.scaleOf(m_shares) : 1.0;
    return m_replica->compute(input.batch, scale, clock, [this] {
        if (m_buckets) {
            m_buckets->arm();
        }
    });
}

Result<void> DataParallel::update(std::int64_t step, double learningRate, StepClock& clock)
{
    torch::Tensor gradients = m_job.parameters.gradients();
    if (m_sharesGradients) {
        LOCKSTEP_TRY(beginCommunication(step, clock));
        LOCKSTEP_TRY_ASSIGN(gradients, aggregateGradients());
    }
    clock.begin(Phase::Optimize);
    if (writesGradients(m_job, m_clip)) {
        gradients = ownGradients(m_job, gradients);
    }
    // Ranks that share gradients have the same ones, and so decide alike; others decide for themselves.
    LOCKSTEP_TRY(applyGradient(m_job, {&gradients, 1}, m_clip, learningRate, *this));
    if (m_sharesGradients || step % m_every != 0) {
        return {};
    }
    LOCKSTEP_TRY(beginCommunication(step, clock));
    return aggregateWeights();
}

Result<void> DataParallel::beginCommunication(std::int64_t step, StepClock& clock)
{
    if (m_isMeasured && MeasureCost::isMeasured(step)) {
        clock.begin(Phase::Wait);
        LOCKSTEP_TRY(synchronize());
        LOCKSTEP_TRY(ranks().barrier());
    }
    clock.begin(Phase::Communicate);
    clock.setArrival();
    return {};
}

Result<torch::Tensor> DataParallel::aggregateGradients()
{
    takeShares();
    torch::Tensor& gradients = m_job.parameters.gradients();
    if (m_buckets) {
        LOCKSTEP_TRY(m_buckets->finish());
        return gradients;
    }
    if (!m_gradients || ranks().hasLinks()) {
        LOCKSTEP_TRY(m_aggregation.carryOut(ranks(), gradients));
        return gradients;
    }
    const comm::View in = viewOf(gradients);
    LOCKSTEP_TRY(ranks().allReduce(in, {nullptr, in.count, in.type, in.space}, comm::Reduction::Sum));
    return torch::from_blob(m_gradients->result(), {in.count}, gradients.options());
}

Result<void> DataParallel::aggregateWeights()
{
    const torch::NoGradGuard noGrad;
    torch::Tensor& weights = m_job.parameters.weights();
    const double scale = m_aggregation.scaleOf(takeShares());
    if (scale != 1.0) {
        weights.mul_(scale);
    }
    return m_aggregation.carryOut(ranks(), weights);
}

Result<void> DataParallel::average(torch::Tensor& weights)
{
    const torch::NoGradGuard noGrad;
    const comm::View view = viewOf(weights);
    LOCKSTEP_TRY(ranks().allReduce(view, view, comm::Reduction::Sum));
    weights.mul_(1.0 / ranks().size());
    return ranks().finish();
}

Result<TestScore> DataParallel::evaluate(const LabelledImages& test)
{
    torch::Tensor& weights = m_job.parameters.weights();
    torch::Tensor own;
    if (!m_sharesGradients) {
        own = weights.clone();
        LOCKSTEP_TRY(average(weights));
    }
    const auto numbers = engine::evaluate(m_job.net, shareOf(test, rank(), ranks().size())).numbers();
    if (own.defined()) {
        const torch::NoGradGuard noGrad;
        weights.copy_(own);
    }
    return scoreOfAll(numbers);
}

Strategy::State DataParallel::state() const
{
    std::vector<std::int64_t> values{m_shares.own, m_shares.all};
    values.insert(values.end(), m_hadSamples.begin(), m_hadSamples.end());
    return {{"shares", torch::tensor(values, torch::kLong)}};
}

void DataParallel::setState(const State& state)
{
    const auto* values = state.at("shares").data_ptr<std::int64_t>();
    m_shares.own = values[0];
    m_shares.all = values[1];
    for (std::size_t each = 0; each < m_hadSamples.size(); ++each) {
        m_hadSamples[each] = values[2 + each] != 0;
    }
}

std::int64_t DataParallel::agreedStep(std::int64_t step) const
{
    // No rank can pass the next aggregation without rank 0.
    return (step + m_every - 1) / m_every * m_every + 1;
}

void DataParallel::count(StepRow& row)
{
    row.hiddenNs = m_buckets ? m_buckets->takeHiddenNs() : 0;
    row.bytesSent = static_cast<std::int64_t>(ranks().takeBytesSent());
}

std::string DataParallel::description() const
{
    return m_run.text("aggregation.algorithm") + " over " + group().backendReason
        + (ranks().hasLinks() ? ", built from messages over an emulated link" : "");
}

std::string DataParallel::report() const
{
    if (!m_buckets) {
        return {};
    }
    const std::string pieces = std::to_string(m_buckets->size());
    return m_form == "tensors" ? pieces + " tensors, each sent separately after backward"
                               : pieces + " buckets, sent during backward";
}

Result<std::unique_ptr<Strategy>> makeDataParallel(const StrategyContext& context)
{
    LOCKSTEP_TRY_ASSIGN(auto group, joinRanks(context.run, context.context, context.placement));
    return std::unique_ptr<Strategy>(std::make_unique<DataParallel>(context, std::move(group)));
}

} // namespace lockstep::engine
