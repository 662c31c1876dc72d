#include "engine/strategy/grid/grid_parallel.h"

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
    , m_shape(plan::gridShape(context.run))
    , m_place(plan::placeOf(rank(), m_shape))
    , m_clip(context.run.real("optimizer.clip"))
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

Result<std::unique_ptr<Strategy>> makeGrid(const StrategyContext& context)
{
    return GridParallel::create(context);
}

Result<void> GridParallel::connect(const experiment::RunSpec& run)
{
    const auto join = [this](std::unique_ptr<SubGroup>& place, std::vector<int> members) -> Result<void> {
        auto joined = SubGroup::split(group(), std::move(members));
        if (!joined) {
            return joined.error();
        }
        place = std::move(*joined);
        return {};
    };
    Result<void> done = join(m_stages, plan::stagesOf(rank(), m_shape));
    if (done && m_shape.tensor > 1) {
        done = join(m_parts, plan::partsOf(rank(), m_shape));
    }
    if (done && m_shape.data > 1) {
        done = join(m_copies, plan::copiesOf(rank(), m_shape));
    }
    if (!done) {
        return done;
    }
    if (m_parts) {
        m_job.tensor->connect(*m_parts);
    }
    auto pipeline = Pipeline::create(run, *m_stages, m_job.tensor.get(), m_job);
    if (!pipeline) {
        return pipeline.error();
    }
    m_pipeline = std::move(*pipeline);
    return m_copies && !m_job.shards ? shareGradients() : Result<void>();
}

/// Lets the sum over the copies read the gradients in place.
Result<void> GridParallel::shareGradients()
{
    const torch::Tensor& gradients = m_job.parameters.gradients();
    auto shared = m_copies->ranks().share(static_cast<std::size_t>(gradients.nbytes()), spaceOf(gradients));
    if (!shared) {
        return m_copies->named(shared.error());
    }
    m_gradients = std::move(*shared);
    if (m_gradients) {
        m_job.parameters.moveGradients(torch::from_blob(
            m_gradients->own(), {gradients.numel()}, [keep = m_gradients](void*) {}, gradients.options()));
        if (gradients.is_cpu()) { // the account is of the host's memory
            const auto bytes = static_cast<std::int64_t>(gradients.nbytes());
            m_ownMemory = ForeignMemory(MemoryKind::Gradients, bytes);
            m_resultMemory = ForeignMemory(MemoryKind::Other, comm::SharedArray::Results * bytes);
        }
    }
    return {};
}

Result<torch::Tensor> GridParallel::gradient(const StepInput& input, StepClock& clock)
{
    if (m_job.tensor) {
        m_job.tensor->setClock(&clock);
    }
    if (input.wholeBatch < m_shape.data) {
        // A copy without samples sends nothing: its later stages would not wait for its first, and rank 0's commands
        // are for a step that no rank may begin before rank 0 has begun this one.
        LOCKSTEP_TRY(ranks().barrier());
    }
    try {
        return m_pipeline->gradient(input.batch, input.wholeBatch, clock);
    } catch (const TensorRanks::Lost& lost) {
        return Error{lost.what()};
    }
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
        LOCKSTEP_TRY(m_pipeline->addUpTied());
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
        auto sum = sumOfCopies();
        if (!sum) {
            return m_copies->named(sum.error());
        }
        gradients = std::move(*sum);
    }
    if (m_pipeline->isTied()) {
        // After the sum over the copies: both ends add the same two numbers, in whichever order a backend sums many.
        clock.begin(Phase::Communicate);
        gradients = ownGradients(m_job, gradients);
        LOCKSTEP_TRY(m_pipeline->addUpTied());
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
    const comm::View view = viewOf(gradients);
    if (!m_gradients || ranks.hasLinks()) {
        auto done = ranks.allReduce(view, view, comm::Reduction::Sum);
        return done ? Result<torch::Tensor>(gradients) : Result<torch::Tensor>(done.error());
    }
    if (auto done = ranks.allReduce(view, {nullptr, view.count, view.type, view.space}, comm::Reduction::Sum); !done) {
        return done.error();
    }
    return torch::from_blob(m_gradients->result(), {view.count}, gradients.options());
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

Result<TestScore> GridParallel::evaluate(const LabelledInputs& test)
{
    if (m_job.tensor) {
        m_job.tensor->setClock(nullptr);
    }
    std::array<double, 3> numbers{};
    try {
        LOCKSTEP_TRY_ASSIGN(const TestSums sums, m_pipeline->evaluate(shareOf(test, m_place.data, m_shape.data)));
        LOCKSTEP_TRY(synchronize());
        numbers = reportsSamples() ? sums.numbers() : numbers;
    } catch (const TensorRanks::Lost& lost) {
        return Error{lost.what()};
    }
    auto score = scoreOfAll(numbers);
    static_cast<void>(takeBytesSent());
    return score;
}

void GridParallel::setClock(StepClock* clock)
{
    RankStrategy::setClock(clock);
    for (SubGroup* each : {m_copies.get(), m_parts.get()}) {
        if (each != nullptr) {
            each->ranks().setTimer(timerOf(clock));
        }
    }
    m_pipeline->setTimer(timerOf(clock));
}

void GridParallel::applyLinks()
{
    for (SubGroup* each : {m_copies.get(), m_stages.get(), m_parts.get()}) {
        if (each != nullptr) {
            each->applyLinks(group());
        }
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
    const auto add = [&traffic](TrafficKind kind, SubGroup* members) {
        if (members != nullptr) {
            traffic[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(members->ranks().takeBytesSent());
        }
    };
    if (m_copies) {
        traffic[static_cast<std::size_t>(TrafficKind::Weights)]
            = static_cast<std::int64_t>(m_copies->ranks().takeBytesSent(comm::Collective::AllGather));
    }
    add(TrafficKind::Gradients, m_copies.get());
    add(TrafficKind::LayerSums, m_parts.get());
    // Over all ranks: what clipping needs to know about the gradients.
    traffic[static_cast<std::size_t>(TrafficKind::Gradients)] += static_cast<std::int64_t>(ranks().takeBytesSent());
    return traffic;
}

std::string GridParallel::description() const
{
    std::string text;
    const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
    if (m_shape.data > 1) {
        add(std::to_string(m_shape.data) + " copies of the net"
            + (m_job.shards ? ", each with its part of the optimizer's state (ZeRO-1)" : ""));
    }
    if (m_shape.pipeline > 1 || m_shape.tensor == 1) {
        add(m_pipeline->description());
    }
    if (m_shape.tensor > 1) {
        add("each layer shared by " + std::to_string(m_shape.tensor) + " ranks");
    }
    return text + ", over " + group().backendReason;
}

} // namespace lockstep::engine
