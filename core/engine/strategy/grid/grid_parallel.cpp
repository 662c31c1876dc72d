#include "engine/strategy/grid/grid_parallel.h"

#include "engine/optim/optimizer.h"
#include "engine/ranks/tensor_view.h"
#include "engine/strategy/zero/shard_exchange.h"
#include "plan/zero.h"

#include <torch/torch.h>

#include <array>
#include <cmath>
#include <utility>

namespace lockstep::engine {

GridParallel::GridParallel(const experiment::RunSpec& run, RankGroup& group, Job& job)
    : m_group(group)
    , m_job(job)
    , m_shape(plan::gridShape(run))
    , m_place(plan::placeOf(group.communicator->rank(), m_shape))
    , m_clip(run.real("optimizer.clip"))
{ }

Result<std::unique_ptr<ModelParallel>> GridParallel::create(const experiment::RunSpec& run, RankGroup& group, Job& job)
{
    std::unique_ptr<GridParallel> grid(new GridParallel(run, group, job));
    if (auto connected = grid->connect(run); !connected) {
        return connected.error();
    }
    return std::unique_ptr<ModelParallel>(std::move(grid));
}

Result<void> GridParallel::connect(const experiment::RunSpec& run)
{
    const int rank = m_group.communicator->rank();
    const auto join = [this](std::unique_ptr<SubGroup>& place, std::vector<int> members) -> Result<void> {
        auto joined = SubGroup::split(m_group, std::move(members));
        if (!joined) {
            return joined.error();
        }
        place = std::move(*joined);
        return {};
    };
    Result<void> done = join(m_stages, plan::stagesOf(rank, m_shape));
    if (done && m_shape.tensor > 1) {
        done = join(m_parts, plan::partsOf(rank, m_shape));
    }
    if (done && m_shape.data > 1) {
        done = join(m_copies, plan::copiesOf(rank, m_shape));
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

/// So that the sum over the copies copies nothing first.
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

Result<torch::Tensor> GridParallel::gradient(const Batch& batch, std::int64_t wholeBatch, StepClock& clock)
{
    if (m_job.tensor) {
        m_job.tensor->setClock(&clock);
    }
    if (wholeBatch < m_shape.data) {
        // A copy without samples hands nothing on: its later stages would not wait for its first, and rank 0's commands
        // are for a step that no rank may begin before rank 0 has begun this one.
        if (auto met = m_group.communicator->barrier(); !met) {
            return met.error();
        }
    }
    try {
        return m_pipeline->gradient(batch, wholeBatch, clock);
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
    torch::Tensor& gradients = m_job.parameters.gradients();
    if (auto added = m_pipeline->isTied() ? m_pipeline->addUpTied() : Result<void>(); !added) {
        return added;
    }
    if (auto reduced = reduceToShards(m_copies->ranks(), gradients, *m_job.shards); !reduced) {
        return m_copies->named(reduced.error());
    }
    clock.begin(Phase::Optimize);
    if (auto clipped = m_clip > 0.0 ? clip(gradients) : Result<void>(); !clipped) {
        return clipped;
    }
    m_job.optimizer->step(m_job.shards->gradients, learningRate);
    clock.begin(Phase::Communicate);
    return gatherWeights();
}

Result<void> GridParallel::update(double learningRate, StepClock& clock)
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
    const auto makeOwn = [&] {
        if (!gradients.is_alias_of(m_job.parameters.gradients())) {
            gradients = m_job.parameters.gradients().copy_(gradients); // the others read what is shared
        }
    };
    if (m_pipeline->isTied()) {
        // After the sum over the copies: the same two numbers on both ends, however a backend adds up many.
        clock.begin(Phase::Communicate);
        makeOwn();
        if (auto added = m_pipeline->addUpTied(); !added) {
            return added;
        }
    }
    clock.begin(Phase::Optimize);
    if (m_clip > 0.0) {
        makeOwn();
        if (auto clipped = clip(gradients); !clipped) {
            return clipped;
        }
    }
    m_job.optimizer->step({&gradients, 1}, learningRate);
    return {};
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

double GridParallel::ownSquares(const torch::Tensor& gradients) const
{
    std::vector<plan::Slice> mine;
    if (m_job.shards) {
        for (const plan::Slice& piece : m_job.shards->pieces) {
            mine.push_back(m_job.shards->own(piece));
        }
    } else if (m_place.data == 0) {
        mine.push_back({0, gradients.numel()});
    }
    double squares = 0.0;
    const auto ranges = m_job.parameters.ranges();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const bool isCounted = m_job.net.parameters()[i].piece || m_place.part == 0;
        for (const plan::Slice& slice : mine) {
            const plan::Slice part = plan::common(slice, {ranges[i].first, ranges[i].count});
            if (isCounted && m_pipeline->copiedParameter() != i && part.count > 0) {
                const double norm = gradients.narrow(0, part.first, part.count).norm().item<double>();
                squares += norm * norm;
            }
        }
    }
    return squares;
}

Result<void> GridParallel::clip(torch::Tensor& gradients)
{
    const torch::NoGradGuard noGrad;
    // Before a number is read: what waits for a rank that has died would be waited for without end.
    if (auto done = m_group.communicator->finish(); !done) {
        return done;
    }
    std::array squares{ownSquares(gradients)};
    if (auto added = m_group.addUp(squares); !added) {
        return added;
    }
    clipByNorm({&gradients, 1}, std::sqrt(squares[0]), m_clip);
    return {};
}

Result<TestScore> GridParallel::evaluate(const LabelledImages& test)
{
    if (m_job.tensor) {
        m_job.tensor->setClock(nullptr);
    }
    const plan::Slice mine = plan::sliceOf(test.size(), m_place.data, m_shape.data);
    std::array<double, 3> numbers{};
    try {
        const auto sums = m_pipeline->evaluate(
            {test.images.narrow(0, mine.first, mine.count), test.labels.narrow(0, mine.first, mine.count)});
        if (!sums) {
            return sums.error();
        }
        if (auto done = m_group.communicator->finish(); !done) {
            return done.error();
        }
        numbers = hasLoss() ? sums->numbers() : numbers;
    } catch (const TensorRanks::Lost& lost) {
        return Error{lost.what()};
    }
    if (auto added = m_group.addUp(numbers); !added) {
        return added.error();
    }
    static_cast<void>(takeBytesSent());
    return TestSums::scoreOf(numbers);
}

void GridParallel::applyLinks()
{
    for (SubGroup* group : {m_copies.get(), m_stages.get(), m_parts.get()}) {
        if (group != nullptr) {
            group->applyLinks(m_group);
        }
    }
    m_pipeline->applyLinks();
}

Traffic GridParallel::takeBytesSent()
{
    Traffic traffic = m_pipeline->takeBytesSent();
    const auto add = [&traffic](TrafficKind kind, SubGroup* group) {
        if (group != nullptr) {
            traffic[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(group->ranks().takeBytesSent());
        }
    };
    if (m_copies) {
        traffic[static_cast<std::size_t>(TrafficKind::Weights)]
            = static_cast<std::int64_t>(m_copies->ranks().takeBytesSent(comm::Collective::AllGather));
    }
    add(TrafficKind::Gradients, m_copies.get());
    add(TrafficKind::LayerSums, m_parts.get());
    // Of all ranks together: what clipping needs to know of the gradients.
    traffic[static_cast<std::size_t>(TrafficKind::Gradients)]
        += static_cast<std::int64_t>(m_group.communicator->takeBytesSent());
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
    return text + ", over " + m_group.backendReason;
}

} // namespace lockstep::engine
