#include "engine/comm/communicator.h"

#include <string>
#include <utility>

namespace lockstep::comm {

namespace {

Result<void> checkCall(const Communicator& group, const Operation& operation)
{
    auto checked = checkOperation(operation, group.rank(), group.size());
    if (checked && !group.memory(spaceOf(operation, group.rank()))) {
        return failure(LS_TR("Messages",
                           "%1: the array is in a GPU's memory, which this group of ranks over %2 does not move; pass "
                           "it in the host's memory, or use comm.backend=auto"),
            {verbatim(nameOf(operation.what)), verbatim(group.backend())});
    }
    return checked;
}

} // namespace

Communicator::Communicator(int rank, int size, CallListener* listener)
    : m_rank(rank)
    , m_size(size)
    , m_listener(listener)
    , m_runner([this](const Operation& operation, OperationTimes& times) { return execute(operation, times); })
{ }

Communicator::~Communicator() = default;

Result<std::shared_ptr<SharedArray>> Communicator::share(std::size_t, Space)
{
    return std::shared_ptr<SharedArray>();
}

const std::shared_ptr<Memory>& Communicator::memory(Space space) const
{
    static const std::shared_ptr<Memory> none;
    return space == Space::Host ? hostMemory() : none;
}

Result<void> Communicator::finish()
{
    m_runner.drain();
    return synchronize();
}

Result<void> Communicator::broadcast(View data, int root)
{
    return run({.what = Collective::Broadcast, .in = data, .out = data, .root = root});
}

Result<void> Communicator::reduce(ConstView in, View out, Reduction reduction, int root)
{
    return run({.what = Collective::Reduce, .in = in, .out = out, .reduction = reduction, .root = root});
}

Result<void> Communicator::allReduce(ConstView in, View out, Reduction reduction)
{
    return run({.what = Collective::AllReduce, .in = in, .out = out, .reduction = reduction});
}

Result<void> Communicator::gather(ConstView in, View out, int root)
{
    return run({.what = Collective::Gather, .in = in, .out = out, .root = root});
}

Result<void> Communicator::allGather(ConstView in, View out)
{
    return run({.what = Collective::AllGather, .in = in, .out = out});
}

Result<void> Communicator::scatter(ConstView in, View out, int root)
{
    return run({.what = Collective::Scatter, .in = in, .out = out, .root = root});
}

Result<void> Communicator::reduceScatter(ConstView in, View out, Reduction reduction)
{
    return run({.what = Collective::ReduceScatter, .in = in, .out = out, .reduction = reduction});
}

Result<void> Communicator::allToAll(ConstView in, View out)
{
    return run({.what = Collective::AllToAll, .in = in, .out = out});
}

Result<void> Communicator::barrier()
{
    return run({.what = Collective::Barrier});
}

Result<void> Communicator::send(ConstView data, int to)
{
    return run({.what = Collective::SendReceive, .in = data, .to = to});
}

Result<void> Communicator::receive(View data, int from)
{
    return run({.what = Collective::SendReceive, .out = data, .from = from});
}

Result<void> Communicator::sendReceive(ConstView in, int to, View out, int from)
{
    return run({.what = Collective::SendReceive, .in = in, .out = out, .to = to, .from = from});
}

Result<void> Communicator::run(const Operation& operation)
{
    auto done = checkCall(*this, operation);
    if (!done || m_listener == nullptr) {
        return done ? m_runner.run(operation) : done;
    }
    LOCKSTEP_TRY(m_listener->entering(operation));
    done = m_runner.run(operation);
    m_listener->leaving(m_runner.lastTimes());
    return done;
}

std::unique_ptr<Work> Communicator::start(const Operation& operation, Around around)
{
    const auto checked = checkCall(*this, operation);
    if (!checked) {
        return OperationRunner::refused(operation, checked.error());
    }
    if (m_listener == nullptr) {
        return m_runner.start(operation, std::move(around));
    }
    const auto entered = m_listener->entering(operation);
    return entered ? m_listener->started(m_runner.start(operation, std::move(around)))
                   : OperationRunner::refused(operation, entered.error());
}

} // namespace lockstep::comm
