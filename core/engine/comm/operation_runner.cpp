#include "engine/comm/operation_runner.h"

#include "base/clock.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace lockstep::comm {

namespace {

/// Shared by the caller's handle and the queue's thread.
class Ticket {
public:
    explicit Ticket(const Operation& toCarryOut, Around itsAround = {})
        : operation(toCarryOut)
        , around(std::move(itsAround))
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
    const Around around;

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

} // namespace

/// Runs started operations in order, on its own thread.
class OperationRunner::Queue {
public:
    explicit Queue(OperationRunner& runner)
        : m_runner(runner)
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

    /// Waits until all added work is done.
    void drain()
    {
        std::unique_lock lock(m_mutex);
        m_idle.wait(lock, [this] { return m_tickets.empty() && !m_isBusy; });
    }

    std::shared_ptr<Ticket> add(const Operation& operation, Around around = {})
    {
        auto ticket = std::make_shared<Ticket>(operation, std::move(around));
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
            auto result = m_runner.carryOut(ticket->operation, ticket->around);
            ticket->finish(std::move(result), m_runner.m_times);
            lock.lock();
            m_isBusy = false;
            m_idle.notify_all();
        }
    }

    OperationRunner& m_runner;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_idle;
    std::deque<std::shared_ptr<Ticket>> m_tickets;
    bool m_isEnding = false;
    bool m_isBusy = false;
    std::thread m_thread;
};

OperationRunner::OperationRunner(Execute execute)
    : m_execute(std::move(execute))
{ }

OperationRunner::~OperationRunner() = default;

Result<void> OperationRunner::run(const Operation& operation)
{
    return m_queue ? m_queue->add(operation)->wait() : carryOut(operation);
}

std::unique_ptr<Work> OperationRunner::start(const Operation& operation, Around around)
{
    if (!m_queue) {
        m_queue = std::make_unique<Queue>(*this);
    }
    return std::make_unique<TicketWork>(m_queue->add(operation, std::move(around)));
}

std::unique_ptr<Work> OperationRunner::refused(const Operation& operation, const Error& error)
{
    auto ticket = std::make_shared<Ticket>(operation);
    ticket->finish(error, {});
    return std::make_unique<TicketWork>(std::move(ticket));
}

void OperationRunner::drain()
{
    if (m_queue) {
        m_queue->drain();
    }
}

void OperationRunner::end()
{
    m_queue.reset();
}

Result<void> OperationRunner::carryOut(const Operation& operation, const Around& around)
{
    m_times = {monotonicNs(), 0, 0};
    auto result = around.before ? around.before() : Result<void>();
    result = result ? m_execute(operation, m_times) : result;
    result = result && around.after ? around.after() : result;
    m_times.exitNs = monotonicNs();
    return result;
}

} // namespace lockstep::comm
