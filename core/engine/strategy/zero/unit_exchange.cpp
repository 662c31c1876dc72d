#include "engine/strategy/zero/unit_exchange.h"

#include "base/clock.h"
#include "engine/memory/memory_account.h"
#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

UnitExchange::UnitExchange(
    Shards& shards, Net& net, comm::WatchedCommunicator& group, plan::ZeroStage stage, Prefetch prefetch)
    : m_shards(shards)
    , m_net(net)
    , m_group(group)
    , m_freesWeights(stage == plan::ZeroStage::Parameters)
    , m_prefetch(prefetch)
    , m_isGathered(shards.units.size(), !m_freesWeights)
    , m_gradients(shards.units.size())
    , m_gathers(shards.units.size())
{ }

bool UnitExchange::isHere(std::size_t unit) const
{
    return m_isGathered[unit] && (!m_gathers[unit] || m_gathers[unit]->isDone());
}

std::unique_ptr<comm::Work> UnitExchange::startGather(std::size_t unit)
{
    return m_group.start({.what = comm::Collective::AllGather,
        .in = viewOf(m_shards.weights[unit]),
        .out = viewOf(m_shards.units[unit].weights)});
}

Result<void> UnitExchange::shareWeights()
{
    // The parts follow each other in one storage, so the tensors that refer to it stay as they are.
    const torch::Tensor& first = m_shards.weights.front();
    const c10::Storage& storage = first.storage();
    LOCKSTEP_TRY_ASSIGN(m_sharedWeights, m_group.share(storage.nbytes(), spaceOf(first)));
    if (m_sharedWeights) {
        std::byte* to = m_sharedWeights->own();
        m_group.memory(spaceOf(first))->copy(to, storage.data(), storage.nbytes());
        auto* keep = new std::shared_ptr<comm::SharedArray>(m_sharedWeights);
        storage.set_data_ptr_noswap({to, keep,
            [](void* kept) { delete static_cast<std::shared_ptr<comm::SharedArray>*>(kept); }, first.device()});
    }
    return {};
}

Result<void> UnitExchange::copyParts(std::size_t unit)
{
    if (!m_isPublished) {
        LOCKSTEP_TRY(m_group.barrier());
        m_isPublished = true;
    }
    torch::Tensor& part = m_shards.weights[unit];
    const std::size_t bytes = part.nbytes();
    const std::size_t offset = static_cast<std::size_t>(part.storage_offset()) * part.element_size();
    auto* to = static_cast<std::byte*>(m_shards.units[unit].weights.data_ptr());
    for (int rank = 0; rank < m_shards.ranks; ++rank) {
        const std::byte* from = m_sharedWeights->of(rank) + offset;
        m_group.memory(spaceOf(part))->copy(to + static_cast<std::size_t>(rank) * bytes, from, bytes);
    }
    m_bytesCopied += static_cast<std::int64_t>(bytes) * (m_shards.ranks - 1);
    return {};
}

Result<void> UnitExchange::fetch(std::size_t unit)
{
    if (m_isGathered[unit]) {
        return {};
    }
    const MemoryScope asParameters(MemoryKind::Parameters);
    takeMemory(m_shards.units[unit].weights);
    m_isGathered[unit] = true;
    if (m_sharedWeights && !m_group.hasLinks()) { // an emulated link needs messages
        return copyParts(unit);
    }
    m_gathers[unit] = startGather(unit);
    return {};
}

Result<void> UnitExchange::need(std::size_t unit, std::optional<std::size_t> next)
{
    LOCKSTEP_TRY(fetch(unit));
    if (next && m_prefetch == Prefetch::Yes) {
        LOCKSTEP_TRY(fetch(*next));
    }
    const std::unique_ptr<comm::Work> work = std::move(m_gathers[unit]);
    return work ? await(*work) : Result<void>();
}

void UnitExchange::release(std::size_t unit, Pass after)
{
    const bool isLast = unit + 1 == m_shards.units.size();
    // The last unit's backward comes next, and a shared unit has its own last of all.
    const bool isKept = after == Pass::Forward && (isLast || m_shards.units[unit].isShared);
    if (m_freesWeights && !isKept) {
        giveMemoryBack(m_shards.units[unit].weights);
        m_isGathered[unit] = false;
    }
}

Result<void> UnitExchange::openGradients(std::size_t unit)
{
    if (m_gradients[unit].defined()) {
        return {};
    }
    while (m_reductions.size() > 1) {
        LOCKSTEP_TRY(awaitOldestReduction());
    }
    ShardedUnit& its = m_shards.units[unit];
    const std::vector<FlatLayout::Range>& ranges = its.layout.ranges;
    torch::Tensor& gradients = m_gradients[unit];
    const MemoryScope asGradients(MemoryKind::Gradients);
    gradients = torch::empty({its.layout.size}, its.weights.options());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        // Matrices are overwritten, or cleared by their layer; the rest is multiplied by 0, which must be a number.
        const bool isMatrix = its.parameters[i].dim() > 1;
        const std::int64_t first = ranges[i].first + (isMatrix ? ranges[i].count : 0);
        const std::int64_t next = i + 1 < ranges.size() ? ranges[i + 1].first : its.layout.size;
        gradients.narrow(0, first, next - first).zero_();
        its.parameters[i].mutable_grad()
            = gradients.narrow(0, ranges[i].first, ranges[i].count).view(its.parameters[i].sizes());
    }
    for (std::int64_t i = 0; i < its.layers.count; ++i) {
        m_net.layer(static_cast<std::size_t>(its.layers.first + i)).clearGradients();
    }
    return {};
}

void UnitExchange::reduce(std::size_t unit, Sum sum)
{
    for (torch::Tensor& parameter : m_shards.units[unit].parameters) {
        parameter.mutable_grad() = torch::Tensor();
    }
    torch::Tensor toAdd;
    if (sum == Sum::Adds) {
        const MemoryScope asGradients(MemoryKind::Gradients);
        toAdd = torch::empty_like(m_shards.gradients[unit]);
    }
    auto work = m_group.start({.what = comm::Collective::ReduceScatter,
        .in = viewOf(m_gradients[unit]),
        .out = viewOf(toAdd.defined() ? toAdd : m_shards.gradients[unit]),
        .reduction = comm::Reduction::Sum});
    m_reductions.push_back({unit, std::move(toAdd), std::move(work)});
}

Result<void> UnitExchange::awaitOldestReduction()
{
    const Reduction oldest = std::move(m_reductions.front());
    m_reductions.pop_front();
    auto done = await(*oldest.work);
    if (done && oldest.toAdd.defined()) {
        m_shards.gradients[oldest.unit].add_(oldest.toAdd);
    }
    m_gradients[oldest.unit] = torch::Tensor();
    return done;
}

Result<void> UnitExchange::finish()
{
    Result<void> done;
    while (!m_reductions.empty()) {
        if (auto one = awaitOldestReduction(); !one && done) {
            done = one;
        }
    }
    return done;
}

Result<void> UnitExchange::gatherAll()
{
    std::vector<std::unique_ptr<comm::Work>> works;
    for (std::size_t unit = 0; unit < m_shards.units.size(); ++unit) {
        works.push_back(startGather(unit));
    }
    Result<void> done;
    for (const auto& work : works) {
        if (auto one = await(*work); !one && done) {
            done = one;
        }
    }
    return done;
}

Result<void> UnitExchange::await(comm::Work& work)
{
    Span wait{monotonicNs(), 0};
    auto done = work.wait();
    wait.endNs = monotonicNs();
    const comm::OperationTimes times = work.times();
    m_group.report({wait.beginNs, times.lastArrivalNs, wait.endNs, times.betweenHostsNs});
    m_waits.push_back(wait);
    m_underWay.push_back({times.enterNs, times.exitNs});
    return done;
}

std::int64_t UnitExchange::takeHiddenNs()
{
    std::int64_t hiddenNs = 0;
    for (const Span& each : m_underWay) {
        hiddenNs += each.endNs - each.beginNs;
        for (const Span& wait : m_waits) {
            const std::int64_t begin = std::max(each.beginNs, wait.beginNs);
            hiddenNs -= std::max<std::int64_t>(0, std::min(each.endNs, wait.endNs) - begin);
        }
    }
    m_underWay.clear();
    m_waits.clear();
    return hiddenNs;
}

} // namespace lockstep::engine
