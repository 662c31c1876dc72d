#include "engine/strategy/data/data_parallel.h"

#include <torch/types.h>

#include <utility>

namespace lockstep::engine {

DataParallel::DataParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : ReplicaStrategy(context, std::move(group))
    , m_form(context.run.settings->comm.form)
{ }

Result<void> DataParallel::begin()
{
    LOCKSTEP_TRY(shareWeights());
    // On a GPU also for buckets, which ranks then reduce in place; in the host's memory slots are as fast.
    const bool isInPlace = m_form == experiment::GradientForm::Buckets && job().device.is_cuda();
    if ((m_form == experiment::GradientForm::Flat || isInPlace) && aggregation().isBackendAllReduce()) {
        LOCKSTEP_TRY(m_gradients.share(ranks(), job().parameters));
    }
    LOCKSTEP_TRY(makeBuckets());
    // A recorded backward could not start the buckets' collectives, for which the ranks meet on the host.
    makeReplica(m_buckets ? ReplicaGradient::Graphs::Off : ReplicaGradient::Graphs::Allowed);
    return {};
}

Result<void> DataParallel::makeBuckets()
{
    if (m_form == experiment::GradientForm::Flat || ranks().size() == 1) {
        return {};
    }
    const auto elementBytes = static_cast<std::int64_t>(job().parameters.gradients().element_size());
    const bool isBuckets = m_form == experiment::GradientForm::Buckets;
    const auto limit = [&](std::int64_t kilobytes) { return isBuckets ? kilobytes * 1000 : 0; };
    const experiment::CommSettings& comm = run().settings->comm;
    // Tensor by tensor is buckets of one.
    const auto buckets
        = bucketsOf(job().parameters.ranges(), elementBytes, limit(comm.firstBucketKb), limit(comm.bucketKb));
    GradientBuckets::Beside beside;
    const auto device = ranks().queueingDevice();
    if (void* const stream = isBuckets && device ? job().stream->beside() : nullptr) {
        LOCKSTEP_TRY_ASSIGN(beside.stream, comm::SideStream::open(device, stream, buckets.size()));
        beside.marks = marksOf(job().device, stream);
    }
    m_buckets = std::make_unique<GradientBuckets>(job().parameters, buckets, ranks(),
        isBuckets ? GradientBuckets::Start::WhenFilled : GradientBuckets::Start::AfterBackward, std::move(beside));
    return {};
}

Result<torch::Tensor> DataParallel::gradient(const StepInput& input, StepClock& clock)
{
    const double scale = aggregation().scaleOf(countShares(input.step));
    traffic().beginStep(input.step, agreedStep(input.step));
    return replica().compute(input.batch, scale, clock, [this] {
        if (m_buckets) {
            m_buckets->arm();
        }
    });
}

Result<void> DataParallel::update(std::int64_t step, double learningRate, StepClock& clock)
{
    LOCKSTEP_TRY(beginCommunication(step, clock));
    LOCKSTEP_TRY_ASSIGN(const auto gradients, aggregateGradients(clock));
    // All ranks have the same gradients, and so decide alike whether to skip the step.
    return optimize(gradients, learningRate, clock);
}

Result<torch::Tensor> DataParallel::aggregateGradients(StepClock& clock)
{
    takeShares();
    torch::Tensor& gradients = job().parameters.gradients();
    if (m_buckets) {
        LOCKSTEP_TRY(m_buckets->finish(clock));
        return gradients;
    }
    if (m_gradients.canSum(ranks())) {
        return m_gradients.sum(ranks(), gradients);
    }
    LOCKSTEP_TRY(aggregation().carryOut(ranks(), gradients));
    return gradients;
}

Result<TestScore> DataParallel::evaluate(const LabelledInputs& set)
{
    return scoreOfAll(engine::evaluate(job().net, shareOf(set, rank(), ranks().size())).numbers());
}

void DataParallel::count(StepRow& row)
{
    row.hiddenNs = m_buckets ? m_buckets->takeHiddenNs() : 0;
    ReplicaStrategy::count(row);
}

Text DataParallel::report() const
{
    if (!m_buckets) {
        return {};
    }
    return {m_form == experiment::GradientForm::Tensors
            ? LS_TR("Messages", "%1 tensors, each sent separately after backward")
            : LS_TR("Messages", "%1 buckets, sent during backward"),
        {m_buckets->size()}};
}

} // namespace lockstep::engine
