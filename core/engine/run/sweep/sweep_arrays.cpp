#include "engine/run/sweep/sweep_arrays.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockstep::engine {

using comm::Collective;

SweepArrays::SweepArrays(const Sweep& sweep, comm::WatchedCommunicator& ranks, comm::Space space)
    : m_sweep(sweep)
    , m_ranks(ranks)
    , m_space(space)
    , m_memory(*ranks.memory(space))
    , m_expected(sweep.type, sweep.reduction, ranks.size())
{ }

std::int64_t SweepArrays::bytes() const
{
    return m_counts.larger * static_cast<std::int64_t>(comm::sizeOf(m_sweep.type));
}

Result<void> SweepArrays::reserve(Buffer& buffer, std::size_t bytes, bool isLanding)
{
    if (buffer.bytes >= bytes) {
        return {};
    }
    buffer.memory.reset();
    LOCKSTEP_TRY_ASSIGN(auto memory, isLanding ? m_memory.allocateLanding(bytes) : m_memory.allocate(bytes));
    buffer = {std::move(memory), bytes};
    return {};
}

Result<void> SweepArrays::reserveAll(std::size_t larger)
{
    const bool receivesApart = m_sweep.what == Collective::SendReceive && isInPlace();
    for (auto [buffer, bytes, isLanding] :
        {std::tuple(&m_first, m_shared ? 0 : larger, false), std::tuple(&m_second, isInPlace() ? 0 : larger, false),
            std::tuple(&m_landing, receivesApart ? larger : 0, false),
            std::tuple(&m_onHost, m_space == comm::Space::Device ? 2 * larger : 0, true)}) {
        LOCKSTEP_TRY(reserve(*buffer, bytes, isLanding));
    }
    return {};
}

Result<void> SweepArrays::prepare(const SweepPoint& point, bool isBackends)
{
    m_buffers = point.buffers;
    m_counts = countsOf(m_sweep.what, point.bytes, m_sweep.type, m_ranks.size());
    m_shared.reset();
    const std::size_t larger = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::max(m_counts.in, m_counts.out)) * comm::sizeOf(m_sweep.type));
    if (point.buffers == SweepBuffers::Training && isBackends) {
        LOCKSTEP_TRY_ASSIGN(m_shared, m_ranks.share(larger, m_space)); // as SharedGradients::share() does
    }
    LOCKSTEP_TRY(reserveAll(larger));
    describeCall();
    return {};
}

void SweepArrays::describeCall()
{
    m_op = {.what = m_sweep.what, .reduction = m_sweep.reduction, .root = m_sweep.root};
    std::byte* first = m_shared ? m_shared->own() : m_first.data();
    // Over an emulated link training reduces in place, because its all-reduce is then made of messages.
    const bool staysShared = m_shared && !m_ranks.hasLinks();
    std::byte* out = staysShared ? nullptr : isInPlace() ? first : m_second.data();
    m_op.in = {first, m_counts.in, m_sweep.type, m_space};
    m_op.out = {out, m_counts.out, m_sweep.type, m_space};
    // In place by nccl-tests' convention: a smaller buffer is this rank's part of the larger one.
    const auto offset = [&](std::int64_t part) {
        return static_cast<std::size_t>(part) * comm::sizeOf(m_sweep.type) * static_cast<std::size_t>(m_ranks.rank());
    };
    if (isInPlace() && m_counts.in < m_counts.out) {
        m_op.in.data = first + offset(m_counts.in);
    } else if (isInPlace() && m_counts.out < m_counts.in) {
        m_op.out.data = first + offset(m_counts.out);
    }
    if (m_sweep.what == Collective::SendReceive) {
        m_op.to = (m_ranks.rank() + 1) % m_ranks.size();
        m_op.from = (m_ranks.rank() + m_ranks.size() - 1) % m_ranks.size();
    }
}

Result<std::int64_t> SweepArrays::countWrong(const std::function<Result<void>()>& call)
{
    const std::byte garbage{0xa5};
    const std::size_t half = m_onHost.bytes / 2;
    // For a device it is filled and checked on the host.
    const bool isOnHost = m_space == comm::Space::Host;
    std::byte* inputs = isOnHost ? static_cast<std::byte*>(const_cast<void*>(m_op.in.data)) : m_onHost.data();
    std::byte* results = isOnHost ? m_op.out.bytes() : m_onHost.data() + half;
    if (!isInPlace()) {
        std::fill_n(results, m_op.out.byteCount(), garbage);
        m_memory.copy(m_op.out.data, results, m_op.out.byteCount());
    }
    const bool isKnown = m_sweep.what == Collective::Broadcast && m_ranks.rank() != m_op.root;
    if (!isKnown) {
        m_expected.fill({inputs, m_op.in.count, m_op.in.type}, m_ranks.rank());
        m_memory.copy(const_cast<void*>(m_op.in.data), inputs, m_op.in.byteCount());
    }
    LOCKSTEP_TRY(call());
    if (m_ranks.size() == 1 && m_sweep.what == Collective::SendReceive) {
        return 0;
    }
    std::byte* out = isShared() ? m_shared->result() : m_op.out.bytes();
    results = isOnHost ? out : results;
    m_memory.copy(results, out, m_op.out.byteCount());
    LOCKSTEP_TRY(m_ranks.finish());
    comm::Operation told = m_op;
    told.in = {inputs, m_op.in.count, m_op.in.type};
    told.out = {results, m_op.out.count, m_op.out.type};
    return m_expected.countWrong(told, m_ranks.rank());
}

} // namespace lockstep::engine
