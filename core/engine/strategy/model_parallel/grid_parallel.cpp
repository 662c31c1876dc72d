#include "engine/strategy/model_parallel/grid_parallel.h"

#include "engine/optim/optimizer.h"
#include "engine/ranks/tensor_view.h"
#include "engine/strategy/call_report.h"
#include "engine/strategy/zero/shard_exchange.h"
#include "plan/zero.h"

#include <torch/types.h>

#include <array>
#include <cmath>
#include <utility>

namespace lockstep::engine {

GridParallel::GridParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : RankStrategy(std::move(group))
    , m_job(context.job)
    , m_recorder(context.recorder)
    , m_shape(plan::gridShape(context.run))
    , m_place(plan::placeOf(rank(), m_shape))
    , m_clip(context.run.settings->optimizer.clip)
{ }

Result<std::unique_ptr<Strategy>> GridParallel::create(const StrategyContext& context)
{
    LOCKSTEP_TRY_ASSIGN(auto group, joinRanks(context.run, context.context, context.placement));
    std::unique_ptr<GridParallel> grid(new GridParallel(context, std::move(group)));
    if (auto connected = grid->connect(context.run); !connected) {
        if (const auto calls = grid->callRecord()) {
            reportCalls(*calls, context.recorder);
        }
        return connected.error();
    }
    return std::unique_ptr<Strategy>(std::move(grid));
}

Result<void> GridParallel::connect(const experiment::RunSpec& run)
{
    LOCKSTEP_TRY_ASSIGN(m_stages, SubGroup::split(group(), plan::stagesOf(rank(), m_shape)));
    if (m_shape.tensor > 1) {
        LOCKSTEP_TRY_ASSIGN(m_tensor, SubGroup::split(group(), plan::partsOf(rank(), m_shape)));
        m_job.tensor->connect(*m_tensor);
    }
    if (m_shape.data > 1) {
        LOCKSTEP_TRY_ASSIGN(m_copies, SubGroup::split(group(), plan::copiesOf(rank(), m_shape)));
    }
    LOCKSTEP_TRY_ASSIGN(m_pipeline, Pipeline::create(run, *m_stages, m_job.tensor.get(), m_job, m_recorder, rank()));
    if (m_copies && !m_job.shards) {
        if (const auto shared = m_gradients.share(m_copies->ranks(), m_job.parameters); !shared) {
            return m_copies->named(shared.error());
        }
    }
    return {};
}

Result<torch::Tensor> GridParallel::gradient(const StepInput& input, StepClock& clock)
{
    if (m_tensor) {
        m_job.tensor->setClock(&clock);
    }
    if (input.wholeBatch < m_shape.data) {
        // A copy without samples sends nothing: its later stages would not wait for its first, and rank 0's commands
        // are for a step that no rank may begin before rank 0 has begun this one.
        LOCKSTEP_TRY(ranks().barrier());
    }
    return withSums([&] { return m_pipeline->gradient(input, clock); });
}

Result<void> GridParallel::gatherWeights()
{
    auto gathered = gatherFromShards(m_copies->ranks(), m_job.parameters.weights(), *m_job.shards);
    return gathered ? gathered : Result<void>(m_copies->named(gathered.error()));
}

Result<void> GridParallel::updateShards(double learningRate, StepClock& clock)
{
    clock.begin(Phase::Communicate);
    if (m_pipeline->isTied()) {
        LOCKSTEP_TRY(m_pipeline->allReduceTied());
    }
    if (auto reduced = reduceToShards(m_copies->ranks(), m_job.parameters.gradients(), *m_job.shards); !reduced) {
        return m_copies->named(reduced.error());
    }
    clock.begin(Phase::Optimize);
    LOCKSTEP_TRY(applyGradient(m_job, m_job.shards->gradients, m_clip, learningRate, *this));
    clock.begin(Phase::Communicate);
    return gatherWeights();
}

Result<void> GridParallel::update([[maybe_unused]] std::int64_t step, double learningRate, StepClock& clock)
{
    if (m_job.shards) {
        return updateShards(learningRate, clock);
    }
    torch::Tensor gradients = m_job.parameters.gradients();
    if (m_copies) {
        clock.begin(Phase::Communicate);
        LOCKSTEP_TRY_ASSIGN(gradients, sumOfCopies());
    }
    if (m_pipeline->isTied()) {
        // After the sum over the copies: both ends add the same two numbers, in whichever order a backend sums many.
        clock.begin(Phase::Communicate);
        gradients = ownGradients(m_job, gradients);
        LOCKSTEP_TRY(m_pipeline->allReduceTied());
    }
    clock.begin(Phase::Optimize);
    if (writesGradients(m_job, m_clip)) {
        gradients = ownGradients(m_job, gradients);
    }
    return applyGradient(m_job, {&gradients, 1}, m_clip, learningRate, *this);
}

Result<torch::Tensor> GridParallel::sumOfCopies()
{
    comm::WatchedCommunicator& ranks = m_copies->ranks();
    torch::Tensor& gradients = m_job.parameters.gradients();
    if (m_gradients.canSum(ranks)) {
        auto sum = m_gradients.sum(ranks, gradients);
        return sum ? sum : Result<torch::Tensor>(m_copies->named(sum.error()));
    }
    const comm::View view = viewOf(gradients);
    const auto done = ranks.allReduce(view, view, comm::Reduction::Sum);
    return done ? Result<torch::Tensor>(gradients) : Result<torch::Tensor>(m_copies->named(done.error()));
}

double GridParallel::ownSquares(std::span<const torch::Tensor> gradients) const
{
    // Ranges are of the whole buffer, of which ZeRO's pieces are views.
    const torch::Tensor& buffer = m_job.shards ? m_job.parameters.gradients() : gradients.front();
    std::vector<plan::Slice> mine;
    if (m_job.shards) {
        for (const plan::Slice& piece : m_job.shards->pieces) {
            mine.push_back(m_job.shards->own(piece));
        }
    } else if (m_place.data == 0) {
        mine.push_back({0, buffer.numel()});
    }
    double squares = 0.0;
    const auto ranges = m_job.parameters.ranges();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const bool isCounted = m_job.net.parameters()[i].piece || m_place.part == 0;
        for (const plan::Slice& slice : mine) {
            const plan::Slice part = plan::common(slice, {ranges[i].first, ranges[i].count});
            if (isCounted && m_pipeline->copiedParameter() != i && part.count > 0) {
                const double norm = buffer.narrow(0, part.first, part.count).norm().item<double>();
                squares += norm * norm;
            }
        }
    }
    return squares;
}

Result<TestScore> GridParallel::evaluate(const LabelledInputs& set)
{
    if (m_tensor) {
        m_job.tensor->setClock(nullptr);
    }
    const LabelledInputs share = shareOf(set, m_place.data, m_shape.data);
    LOCKSTEP_TRY_ASSIGN(const TestSums sums, withSums([&] { return m_pipeline->evaluate(share); }));
    LOCKSTEP_TRY(synchronize());
    auto score = scoreOfAll(reportsSamples() ? sums.numbers() : std::array<double, 3>{});
    static_cast<void>(takeBytesSent());
    return score;
}

std::vector<SubGroup*> GridParallel::groups() const
{
    std::vector<SubGroup*> all{m_copies.get(), m_stages.get(), m_tensor.get()};
    std::erase(all, nullptr);
    return all;
}

void GridParallel::setClock(StepClock* clock)
{
    RankStrategy::setClock(clock);
    for (SubGroup* each : groups()) {
        if (each != m_stages.get()) { // the pipeline's own messages count
            each->ranks().setTimer(timerOf(clock));
        }
    }
    m_pipeline->setTimer(timerOf(clock));
}

void GridParallel::applyLinks()
{
    for (SubGroup* each : groups()) {
        each->applyLinks(group());
    }
    m_pipeline->applyLinks();
}

void GridParallel::count(StepRow& row)
{
    row.bytesByKind = takeBytesSent();
}

Traffic GridParallel::takeBytesSent()
{
    Traffic traffic = m_pipeline->takeBytesSent();
    const auto add = [&traffic](TrafficKind kind, std::size_t bytes) {
        traffic[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(bytes);
    };
    if (m_copies) {
        add(TrafficKind::Weights, m_copies->ranks().takeBytesSent(comm::Collective::AllGather));
        add(TrafficKind::Gradients, m_copies->ranks().takeBytesSent());
    }
    if (m_tensor) {
        add(TrafficKind::LayerSums, m_tensor->ranks().takeBytesSent());
    }
    add(TrafficKind::Gradients, ranks().takeBytesSent()); // over all ranks: sums for clipping
    return traffic;
}

Text GridParallel::description() const
{
    Text text;
    const auto add = [&text](const Text& more) {
        text = text.empty() ? more : Text(LS_TR("Messages", "%1, %2"), {text, more});
    };
    if (m_shape.data > 1) {
        add({m_job.shards
                ? LS_TR("Messages", "%1 copies of the net, each with its part of the optimizer's state (ZeRO-1)")
                : LS_TR("Messages", "%1 copies of the net"),
            {m_shape.data}});
    }
    if (m_shape.pipeline > 1 || m_shape.tensor == 1) {
        add(m_pipeline->description());
    }
    if (m_tensor) {
        add({LS_TR("Messages", "each layer shared by %1 ranks"), {m_tensor->size()}});
    }
    return {LS_TR("Messages", "%1, over %2"), {text, group().backendReason}};
}

} // namespace lockstep::engine
