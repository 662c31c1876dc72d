#include "engine/strategy/data/data_parallel.h"

#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

#include <utility>

namespace lockstep::engine {

DataParallel::DataParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : ReplicaStrategy(context, std::move(group))
    , m_form(context.run.text("comm.form"))
{ }

Result<void> DataParallel::begin()
{
    LOCKSTEP_TRY(shareWeights());
    LOCKSTEP_TRY(shareGradients());
    makeBuckets();
    // A recorded backward could not start the buckets' collectives.
    makeReplica(m_buckets ? ReplicaGradient::Graphs::Off : ReplicaGradient::Graphs::Allowed);
    return {};
}

Result<void> DataParallel::shareGradients()
{
    if (m_form != "flat" || !aggregation().isBackendAllReduce()) {
        return {};
    }
    const torch::Tensor gradients = job().parameters.gradients();
    LOCKSTEP_TRY_ASSIGN(m_gradients, ranks().share(gradients.nbytes(), spaceOf(gradients)));
    if (!m_gradients) {
        return {};
    }
    job().parameters.moveGradients(torch::from_blob(
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
    const auto elementBytes = static_cast<std::int64_t>(job().parameters.gradients().element_size());
    const bool isBuckets = m_form == "buckets";
    const auto limit = [&](const char* name) { return isBuckets ? run().integer(name) * 1000 : 0; };
    // Tensor by tensor is buckets of one.
    m_buckets = std::make_unique<GradientBuckets>(job().parameters,
        bucketsOf(job().parameters.ranges(), elementBytes, limit("comm.first_bucket_kb"), limit("comm.bucket_kb")),
        ranks(), isBuckets ? GradientBuckets::Start::WhenFilled : GradientBuckets::Start::AfterBackward);
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
    LOCKSTEP_TRY_ASSIGN(const auto gradients, aggregateGradients());
    // All ranks have the same gradients, and so decide alike whether to skip the step.
    return optimize(gradients, learningRate, clock);
}

Result<torch::Tensor> DataParallel::aggregateGradients()
{
    takeShares();
    torch::Tensor& gradients = job().parameters.gradients();
    if (m_buckets) {
        LOCKSTEP_TRY(m_buckets->finish());
        return gradients;
    }
    if (!m_gradients || ranks().hasLinks()) {
        LOCKSTEP_TRY(aggregation().carryOut(ranks(), gradients));
        return gradients;
    }
    const comm::View in = viewOf(gradients);
    LOCKSTEP_TRY(ranks().allReduce(in, {nullptr, in.count, in.type, in.space}, comm::Reduction::Sum));
    return torch::from_blob(m_gradients->result(), {in.count}, gradients.options());
}

Result<TestScore> DataParallel::evaluate(const LabelledInputs& test)
{
    return scoreOfAll(engine::evaluate(job().net, shareOf(test, rank(), ranks().size())).numbers());
}

void DataParallel::count(StepRow& row)
{
    row.hiddenNs = m_buckets ? m_buckets->takeHiddenNs() : 0;
    ReplicaStrategy::count(row);
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
