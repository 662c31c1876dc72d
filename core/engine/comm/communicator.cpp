#include "engine/comm/communicator.h"

#include "base/clock.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::comm {

namespace {

/// Shared by the caller's handle and the queue's thread.
class Ticket {
public:
    explicit Ticket(const Operation& toCarryOut)
        : operation(toCarryOut)
    { }

    void finish(Result<void> result, const OperationTimes& times)
    {
        const std::lock_guard lock(m_mutex);
        m_result = std::move(result);
        m_times = times;
        m_isDone = true;
        m_done.notify_all();
    }
    Result<void> wait()
    {
        std::unique_lock lock(m_mutex);
        m_done.wait(lock, [this] { return m_isDone; });
        return m_result;
    }
    bool isDone()
    {
        const std::lock_guard lock(m_mutex);
        return m_isDone;
    }

    OperationTimes times()
    {
        const std::lock_guard lock(m_mutex);
        return m_times;
    }

    const Operation operation;

private:
    OperationTimes m_times;
    std::mutex m_mutex;
    std::condition_variable m_done;
    bool m_isDone = false;
    Result<void> m_result;
};

class TicketWork final : public Work {
public:
    explicit TicketWork(std::shared_ptr<Ticket> ticket)
        : m_ticket(std::move(ticket))
    { }
    ~TicketWork() override { static_cast<void>(m_ticket->wait()); }
    TicketWork(const TicketWork&) = delete;
    TicketWork& operator=(const TicketWork&) = delete;

    bool isDone() const override { return m_ticket->isDone(); }
    Result<void> wait() override { return m_ticket->wait(); }
    OperationTimes times() const override { return m_ticket->times(); }

private:
    std::shared_ptr<Ticket> m_ticket;
};

std::string countOf(const ConstView& view)
{
    return std::to_string(view.count) + " " + std::string(nameOf(view.type));
}

/// Where the array is that `rank` gives, if it gives any.
std::optional<Space> spaceOfIn(const Operation& op, int rank)
{
    switch (op.what) {
    case Collective::Reduce:
    case Collective::AllReduce:
    case Collective::Gather:
    case Collective::AllGather:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
        return op.in.space;
    case Collective::Broadcast:
    case Collective::Scatter:
        return rank == op.root ? std::optional(op.in.space) : std::nullopt;
    case Collective::SendReceive:
        return op.to >= 0 ? std::optional(op.in.space) : std::nullopt;
    case Collective::Barrier:
        break;
    }
    return {};
}

/// Where the array is that `rank` gets, if it gets any.
std::optional<Space> spaceOfOut(const Operation& op, int rank)
{
    switch (op.what) {
    case Collective::AllReduce: // of a shared array the result may stay where it is
        return op.out.data != nullptr ? std::optional(op.out.space) : std::nullopt;
    case Collective::Broadcast:
    case Collective::AllGather:
    case Collective::Scatter:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
        return op.out.space;
    case Collective::Reduce:
    case Collective::Gather:
        return rank == op.root ? std::optional(op.out.space) : std::nullopt;
    case Collective::SendReceive:
        return op.from >= 0 ? std::optional(op.out.space) : std::nullopt;
    case Collective::Barrier:
        break;
    }
    return {};
}

} // namespace

Space spaceOf(const Operation& operation, int rank)
{
    return spaceOfIn(operation, rank).value_or(spaceOfOut(operation, rank).value_or(Space::Host));
}

/// Runs started operations in order, on its own thread.
class Communicator::Queue {
public:
    explicit Queue(Communicator& communicator)
        : m_communicator(communicator)
        , m_thread([this] { run(); })
    { }
    ~Queue()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_isEnding = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// Until all that has been added is done.
    void drain()
    {
        std::unique_lock lock(m_mutex);
        m_idle.wait(lock, [this] { return m_tickets.empty() && !m_isBusy; });
    }

    std::shared_ptr<Ticket> add(const Operation& operation)
    {
        auto ticket = std::make_shared<Ticket>(operation);
        {
            const std::lock_guard lock(m_mutex);
            m_tickets.push_back(ticket);
        }
        m_wake.notify_all();
        return ticket;
    }

private:
    void run()
    {
        std::unique_lock lock(m_mutex);
        while (true) {
            m_wake.wait(lock, [this] { return m_isEnding || !m_tickets.empty(); });
            if (m_tickets.empty()) {
                return;
            }
            const std::shared_ptr<Ticket> ticket = std::move(m_tickets.front());
            m_tickets.pop_front();
            m_isBusy = true;
            lock.unlock();
            auto result = m_communicator.carryOut(ticket->operation);
            ticket->finish(std::move(result), m_communicator.m_times);
            lock.lock();
            m_isBusy = false;
            m_idle.notify_all();
        }
    }

    Communicator& m_communicator;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_idle;
    std::deque<std::shared_ptr<Ticket>> m_tickets;
    bool m_isEnding = false;
    bool m_isBusy = false;
    std::thread m_thread;
};

Communicator::Communicator(int rank, int size)
    : m_rank(rank)
    , m_size(size)
{ }

Communicator::~Communicator() = default;

void Communicator::finishStarted()
{
    m_queue.reset();
}

Result<std::unique_ptr<SharedArray>> Communicator::share(std::size_t, Space)
{
    return std::unique_ptr<SharedArray>();
}

const std::shared_ptr<Memory>& Communicator::memory(Space space) const
{
    static const std::shared_ptr<Memory> none;
    return space == Space::Host ? hostMemory() : none;
}

Result<void> Communicator::finish()
{
    if (m_queue) {
        m_queue->drain();
    }
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
    if (auto checked = check(operation); !checked) {
        return checked;
    }
    // Started operations run first.
    return m_queue ? m_queue->add(operation)->wait() : carryOut(operation);
}

std::unique_ptr<Work> Communicator::start(const Operation& operation)
{
    if (auto checked = check(operation); !checked) {
        auto refused = std::make_shared<Ticket>(operation);
        refused->finish(checked.error(), {});
        return std::make_unique<TicketWork>(std::move(refused));
    }
    if (!m_queue) {
        m_queue = std::make_unique<Queue>(*this);
    }
    return std::make_unique<TicketWork>(m_queue->add(operation));
}

Result<void> Communicator::carryOut(const Operation& operation)
{
    m_times = {monotonicNs(), 0, 0};
    auto result = execute(operation, m_times);
    m_times.exitNs = monotonicNs();
    return result;
}

Result<void> Communicator::checkPlaces(const Operation& operation) const
{
    const Space space = spaceOf(operation, m_rank);
    const std::string name(nameOf(operation.what));
    if (spaceOfOut(operation, m_rank).value_or(space) != space) {
        return Error{name + ": one of in and out is in the host's memory, the other in the GPU's; both must be in one"};
    }
    if (!memory(space)) {
        return Error{name + ": the array is in a GPU's memory, which this group of ranks over " + std::string(backend())
            + " does not move; pass it in the host's memory, or use comm.backend=auto"};
    }
    return {};
}

Result<void> Communicator::check(const Operation& operation) const
{
    if (auto placed = checkPlaces(operation); !placed) {
        return placed;
    }
    const auto& [what, in, out, reduction, root, to, from] = operation;
    const std::string name(nameOf(what));
    const auto isRank = [this](int rank) { return rank >= 0 && rank < m_size; };
    const auto noRank = [&](const char* role, int rank) {
        return Error{name + ": " + role + " " + std::to_string(rank) + " does not exist; the ranks are 0 to "
            + std::to_string(m_size - 1)};
    };
    const auto mustFit = [&](std::int64_t wantedIn, std::int64_t wantedOut) -> Result<void> {
        if (in.type == out.type && in.count == wantedIn && out.count == wantedOut) {
            return {};
        }
        return Error{name + ": in has " + countOf(in) + ", out " + countOf(out) + "; with " + std::to_string(m_size)
            + " ranks they must have " + std::to_string(wantedIn) + " and " + std::to_string(wantedOut)
            + " of one type"};
    };
    const bool hasRoot = what == Collective::Broadcast || what == Collective::Reduce || what == Collective::Gather
        || what == Collective::Scatter;
    if (hasRoot && !isRank(root)) {
        return noRank("root", root);
    }
    const bool reduces
        = what == Collective::Reduce || what == Collective::AllReduce || what == Collective::ReduceScatter;
    if (reduces && !isDefined(reduction, in.type)) {
        return Error{name + ": " + std::string(nameOf(reduction)) + " is not defined for "
            + std::string(nameOf(in.type)) + "; use int32, int64 or uint8"};
    }
    switch (what) {
    case Collective::Broadcast:
    case Collective::Barrier:
        return {};
    case Collective::Reduce:
        return m_rank == root ? mustFit(in.count, in.count) : Result<void>();
    case Collective::AllReduce:
        return mustFit(in.count, in.count);
    case Collective::Gather:
        return m_rank == root ? mustFit(in.count, in.count * m_size) : Result<void>();
    case Collective::AllGather:
        return mustFit(in.count, in.count * m_size);
    case Collective::Scatter:
        return m_rank == root ? mustFit(out.count * m_size, out.count) : Result<void>();
    case Collective::ReduceScatter:
        return mustFit(out.count * m_size, out.count);
    case Collective::AllToAll:
        return mustFit(in.count / m_size * m_size, in.count / m_size * m_size);
    case Collective::SendReceive:
        if (to != -1 && (!isRank(to) || to == m_rank)) {
            return noRank("another rank", to);
        }
        if (from != -1 && (!isRank(from) || from == m_rank)) {
            return noRank("another rank", from);
        }
        return {};
    }
    return {};
}

} // namespace lockstep::comm
