#include "engine/strategy/data/async_server.h"

#include "base/clock.h"
#include "engine/comm/failures.h"
#include "engine/memory/memory_account.h"
#include "engine/ranks/tensor_view.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace lockstep::engine {

namespace {

using namespace std::chrono_literals;

constexpr int Server = 0; ///< also its rank in a group of two
constexpr int Worker = 1; ///< a worker's rank there
constexpr std::int64_t NoMoreSteps = std::numeric_limits<std::int64_t>::max();
/// A worker waits as long as the server holds its answer back, even during a pause: the server applies the time limit.
constexpr std::chrono::hours Patience{24 * 365};

/// Precedes the weights.
struct Answer {
    AsyncServer::Exchanged exchanged;
    std::array<char, 248> failure{}; ///< packInto(); empty, or why there are no weights
};

comm::View bytesOf(Answer& answer)
{
    return {&answer, static_cast<std::int64_t>(sizeof(answer)), comm::DataType::UInt8};
}

/// In its group of two every worker is rank 1.
Error named(const Error& error, int worker)
{
    const std::array ranks{Server, worker};
    return failureOf(comm::renamed(error, ranks));
}

Text ofThis(const Text& text)
{
    return {LS_TR("Messages", "%1: %2"), {verbatim("parameter_server_async"), text}};
}

} // namespace

AsyncServer::AsyncServer(const experiment::RunSpec& run, RankGroup& group, const plan::StepPlan& plan)
    : m_run(run)
    , m_group(group)
    , m_plan(plan)
    , m_rank(group.communicator->rank())
    , m_ranks(group.communicator->size())
    , m_staleness(run.settings->aggregation.staleness)
    , m_clip(run.settings->optimizer.clip)
    , m_patienceSeconds(run.settings->comm.timeoutSeconds)
    , m_clocks(static_cast<std::size_t>(m_ranks), 0)
    , m_updatesRead(static_cast<std::size_t>(m_ranks), 0)
{ }

Result<std::unique_ptr<AsyncServer>> AsyncServer::start(const experiment::RunSpec& run, RankGroup& group,
    const plan::StepPlan& plan, const torch::Tensor& weights, const DeviceStream* stream)
{
    std::unique_ptr<AsyncServer> server(new AsyncServer(run, group, plan));
    for (int worker = 1; worker < server->m_ranks; ++worker) {
        const bool isIn = server->m_rank == Server || server->m_rank == worker;
        LOCKSTEP_TRY_ASSIGN(auto pair, group.communicator->split(isIn ? 0 : -1, server->m_rank));
        if (isIn) {
            pair->setTimeout(Patience);
            // A worker and the server's thread learn of a link that changes at different messages.
            static_cast<comm::WatchedCommunicator&>(*pair).alwaysSendTimes();
            server->m_pairs.push_back(std::move(pair));
        }
    }
    LOCKSTEP_TRY(server->openPairs(weights));
    if (server->m_rank == Server) {
        const MemoryScope scope(MemoryKind::Parameters);
        server->m_weights = weights.clone();
        LOCKSTEP_TRY_ASSIGN(server->m_optimizer, makeOptimizer(run, {server->m_weights}));
        for (int worker = 1; worker < server->m_ranks; ++worker) {
            server->m_threads.emplace_back([target = server.get(), worker, stream, account = MemoryAccount::current()] {
                const MemoryAccount::Use use(account);
                const DeviceStream::Shared shared(stream);
                target->serve(worker);
            });
        }
    }
    return server;
}

/// Opening a pair's memory on a device waits until the device is idle, which it never is during training.
Result<void> AsyncServer::openPairs(const torch::Tensor& weights)
{
    torch::Tensor one = torch::zeros({1}, weights.options());
    for (int worker = 1; worker < m_ranks && !weights.device().is_cpu(); ++worker) {
        const bool isServer = m_rank == Server;
        if (!isServer && m_rank != worker) {
            continue;
        }
        auto first = isServer ? pair(worker).receive(viewOf(one), Worker) : pair(worker).send(viewOf(one), Server);
        auto second = !first ? first
            : isServer       ? pair(worker).send(viewOf(one), Worker)
                             : pair(worker).receive(viewOf(one), Server);
        if (!second) {
            return named(second.error(), worker);
        }
    }
    return {};
}

AsyncServer::~AsyncServer()
{
    if (m_rank != Server) {
        return; // its last message is still to be read
    }
    // Wakes threads that hold an answer back, and those that wait for a worker.
    fail(Text(LS_TR("Messages", "%1 has ended"), {rankName(Server)}));
    for (std::size_t place = 0; place < m_pairs.size(); ++place) {
        const std::lock_guard lock(m_mutex);
        if (m_clocks[place + 1] != NoMoreSteps) { // a worker that has finished may still look at its groups
            m_pairs[place]->abort();
        }
    }
    m_threads.clear();
}

comm::WatchedCommunicator& AsyncServer::pair(int worker)
{
    const auto place = static_cast<std::size_t>(m_rank == Server ? worker - 1 : 0);
    return static_cast<comm::WatchedCommunicator&>(*m_pairs[place]); // a watched group splits into these
}

void AsyncServer::setTimer(comm::WatchedCommunicator::Timer timer)
{
    if (m_rank != Server) {
        pair(m_rank).setTimer(std::move(timer));
    }
}

void AsyncServer::applyLinks()
{
    for (int worker = 1; worker < m_ranks; ++worker) {
        if (m_rank == Server || m_rank == worker) {
            pair(worker).setLink(Server, m_group.stragglers.of(Server).link);
            pair(worker).setLink(Worker, m_group.stragglers.of(worker).link);
        }
    }
}

void AsyncServer::fail(const Text& reason)
{
    const std::lock_guard lock(m_mutex);
    if (m_failure.empty()) {
        m_failure = reason;
    }
    m_moved.notify_all();
}

std::int64_t AsyncServer::slowest() const
{
    return *std::min_element(m_clocks.begin(), m_clocks.end());
}

bool AsyncServer::mayGoOn(int rank) const
{
    return m_clocks[static_cast<std::size_t>(rank)] - slowest() <= m_staleness;
}

Result<AsyncServer::Exchanged> AsyncServer::apply(int rank, std::int64_t step, const torch::Tensor& gradient)
{
    std::unique_lock lock(m_mutex);
    const std::int64_t staleness = m_updates - m_updatesRead[static_cast<std::size_t>(rank)];
    torch::Tensor scaled = gradient;
    if (m_clip > 0.0) {
        clipGradients({&scaled, 1}, m_clip);
    }
    // Steps that only measure leave the weights as they are.
    m_optimizer->step({&scaled, 1}, step > m_plan.totalSteps ? 0.0 : learningRateAt(m_run, step, m_plan));
    ++m_updates;
    m_clocks[static_cast<std::size_t>(rank)] = step;
    m_moved.notify_all();
    const std::int64_t since = monotonicNs();
    double waitedSeconds = 0.0;
    while (m_failure.empty() && !mayGoOn(rank)) {
        const auto before = std::chrono::steady_clock::now();
        m_moved.wait_for(lock, 50ms);
        seeWorker(rank);
        if (!m_group.board->isPaused()) {
            waitedSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
        }
        if (waitedSeconds > m_patienceSeconds && m_failure.empty()) {
            const auto at = std::min_element(m_clocks.begin(), m_clocks.end()) - m_clocks.begin();
            m_failure = ofThis({LS_TR("Messages", "%1 has waited %2 s for %3, which is at step %4"),
                {rankName(rank), static_cast<std::int64_t>(m_patienceSeconds), rankName(at), slowest()}});
            m_moved.notify_all();
        }
    }
    return m_failure.empty() ? Result<Exchanged>({monotonicNs() - since, staleness}) : failureOf(m_failure);
}

/// While its answer is held back, no call would show that a worker has died.
void AsyncServer::seeWorker(int rank)
{
    if (rank == Server || !m_failure.empty()) {
        return;
    }
    if (const auto lives = pair(rank).checkPeers(); !lives) {
        m_failure = ofThis(named(lives.error(), rank));
        m_moved.notify_all();
    }
}

void AsyncServer::serve(int worker)
{
    bool isOver = false;
    while (!isOver) {
        if (auto served = serveOnce(worker, isOver); !served) {
            fail(ofThis(named(served.error(), worker)));
            isOver = true;
        }
    }
    const std::lock_guard lock(m_mutex);
    m_clocks[static_cast<std::size_t>(worker)] = NoMoreSteps;
    m_moved.notify_all();
}

Result<void> AsyncServer::serveOnce(int worker, bool& isOver)
{
    const torch::NoGradGuard noGrad;
    std::int64_t step = 0;
    if (auto received = pair(worker).receive({&step, 1, comm::DataType::Int64}, Worker); !received) {
        return received;
    }
    if (step == NoMoreSteps) {
        isOver = true;
        return {};
    }
    torch::Tensor array = torch::empty_like(m_weights);
    LOCKSTEP_TRY(pair(worker).receive(viewOf(array), Worker));
    if (m_clip > 0.0) {
        // The host reads its norm: that call would never return if a rank has died.
        LOCKSTEP_TRY(pair(worker).finish());
    }
    Answer answer;
    if (const auto applied = apply(worker, step, array)) {
        answer.exchanged = *applied;
        readWeights(worker, array);
    } else {
        packInto(answer.failure, applied.error());
        isOver = true;
    }
    if (auto sent = pair(worker).send(bytesOf(answer), Worker); !sent || isOver) {
        return sent;
    }
    m_bytesSent += static_cast<std::int64_t>(sizeof(answer) + viewOf(array).byteCount());
    return pair(worker).send(viewOf(array), Worker);
}

void AsyncServer::copyWeights(torch::Tensor& to)
{
    const torch::NoGradGuard noGrad;
    const std::lock_guard lock(m_mutex);
    to.copy_(m_weights);
}

void AsyncServer::readWeights(int rank, torch::Tensor& to)
{
    const torch::NoGradGuard noGrad;
    const std::lock_guard lock(m_mutex);
    to.copy_(m_weights);
    m_updatesRead[static_cast<std::size_t>(rank)] = m_updates;
}

Result<AsyncServer::Exchanged> AsyncServer::exchange(std::int64_t step, torch::Tensor& gradient, torch::Tensor& weights)
{
    const torch::NoGradGuard noGrad;
    if (m_rank == Server) {
        auto applied = apply(Server, step, gradient);
        if (applied) {
            readWeights(Server, weights);
        }
        return applied;
    }
    Answer answer;
    auto done = pair(m_rank).send({&step, 1, comm::DataType::Int64}, Server);
    done = done ? pair(m_rank).send(viewOf(gradient), Server) : done;
    done = done ? pair(m_rank).receive(bytesOf(answer), Server) : done;
    if (done && answer.failure.front() != '\0') {
        return failureOf(unpackedOrEnglish(answer.failure.data())); // in the run's numbers
    }
    done = done ? pair(m_rank).receive(viewOf(weights), Server) : done;
    if (!done) {
        return named(done.error(), m_rank);
    }
    m_bytesSent += static_cast<std::int64_t>(sizeof(step) + viewOf(gradient).byteCount());
    return answer.exchanged;
}

Result<void> AsyncServer::finish()
{
    if (m_rank != Server) {
        std::int64_t step = NoMoreSteps;
        return pair(m_rank).send({&step, 1, comm::DataType::Int64}, Server);
    }
    {
        const std::lock_guard lock(m_mutex);
        m_clocks[Server] = NoMoreSteps;
        m_moved.notify_all();
    }
    return waitForStep(NoMoreSteps);
}

Result<void> AsyncServer::waitForStep(std::int64_t step)
{
    std::unique_lock lock(m_mutex);
    m_moved.wait(lock, [this, step] { return !m_failure.empty() || slowest() >= step; });
    return m_failure.empty() ? Result<void>() : failureOf(m_failure);
}

} // namespace lockstep::engine
