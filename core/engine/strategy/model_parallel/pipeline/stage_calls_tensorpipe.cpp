// The only file that uses LibTorch's RPC agent; CMake leaves it out if LibTorch has none.
#ifndef USE_TENSORPIPE
#define USE_TENSORPIPE // without it the agent's header is empty
#endif

#include "engine/comm/guard/peer_registry.h"
#include "engine/ranks/descriptor_store.h"
#include "engine/strategy/model_parallel/pipeline/stage_calls.h"
#include "experiment/settings.h"

#include <torch/csrc/distributed/rpc/tensorpipe_agent.h>
#include <torch/types.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

namespace rpc = torch::distributed::rpc;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Future = c10::intrusive_ptr<rpc::JitFuture>;
using Message = c10::intrusive_ptr<rpc::Message>;

/// Ranks come one after the other: each first reads its data.
constexpr milliseconds JoinTimeout{60'000};
/// How often a wait checks that all ranks are alive.
constexpr milliseconds CheckPeersEvery{50};
/// After an error: how long the kernel may take to report that a process is gone.
constexpr milliseconds TimeToTell{300};

/// The agent's thread only queues calls and answers, so one is enough.
constexpr int AgentThreads = 1;

std::string nameOfRank(int rank)
{
    return "rank" + std::to_string(rank);
}

/// A call on the wire: its identity, then its argument.
Message messageOf(rpc::MessageType type, const StageCall& call, const torch::Tensor& tensor)
{
    std::vector<char> words(sizeof(call));
    std::memcpy(words.data(), &call, sizeof(call));
    return c10::make_intrusive<rpc::Message>(std::move(words), std::vector<torch::Tensor>{tensor}, type);
}

struct Received {
    StageCall call;
    torch::Tensor tensor;
};

Received receivedIn(rpc::Message& message)
{
    Received received;
    if (message.payload().size() != sizeof(received.call) || message.tensors().size() != 1) {
        throw std::runtime_error("this is not a call of a pipeline stage");
    }
    std::memcpy(&received.call, message.payload().data(), sizeof(received.call));
    received.tensor = message.tensors().front();
    return received;
}

Future emptyFuture()
{
    return c10::make_intrusive<rpc::JitFuture>(at::AnyClassType::get());
}

/// Arrived calls and answers, shared by the agent's thread and the training thread.
struct Desk {
    struct Asked {
        torch::Tensor argument;
        Future reply;
    };
    struct Answered {
        torch::Tensor result;
        std::string error; ///< the agent's message; empty for none
    };

    std::mutex mutex;
    std::condition_variable hasChanged;
    std::map<StageCall, Asked> asked;
    std::map<StageCall, Answered> answered;
};

class LayDown final : public rpc::RequestCallback {
public:
    explicit LayDown(std::shared_ptr<Desk> desk)
        : m_desk(std::move(desk))
    { }

private:
    Future processMessage(rpc::Message& request, std::vector<c10::Stream>) const override
    {
        Received received = receivedIn(request);
        Future reply = emptyFuture();
        {
            const std::scoped_lock lock(m_desk->mutex);
            if (!m_desk->asked.try_emplace(received.call, Desk::Asked{received.tensor, reply}).second) {
                throw std::runtime_error("this call of a pipeline stage is already in progress");
            }
        }
        m_desk->hasChanged.notify_one();
        return reply;
    }

    std::shared_ptr<Desk> m_desk;
};

class TensorPipeCalls final : public StageCalls {
public:
    TensorPipeCalls(std::shared_ptr<rpc::TensorPipeAgent> agent, std::shared_ptr<Desk> desk,
        std::shared_ptr<comm::PeerRegistry> registry, milliseconds timeout)
        : m_agent(std::move(agent))
        , m_desk(std::move(desk))
        , m_registry(std::move(registry))
        , m_timeout(timeout)
    { }
    /// Without the agent's join(), which waits for ranks that may have died.
    ~TensorPipeCalls() override { m_agent->shutdown(); }

    void start(int to, const StageCall& call, const torch::Tensor& argument) override;
    [[nodiscard]] Result<torch::Tensor> answer(int from, const StageCall& call) override;
    [[nodiscard]] Result<torch::Tensor> take(int from, const StageCall& call) override;
    void reply(const StageCall& call, const torch::Tensor& result) override;

private:
    [[nodiscard]] Result<void> await(
        std::unique_lock<std::mutex>& lock, int partner, const std::function<bool()>& isThere) const;
    [[nodiscard]] Error explain(int partner, const std::string& cause) const;

    std::shared_ptr<rpc::TensorPipeAgent> m_agent;
    std::shared_ptr<Desk> m_desk;
    std::shared_ptr<comm::PeerRegistry> m_registry;
    milliseconds m_timeout;
    std::map<StageCall, Future> m_replies; ///< owed: taken and not yet replied to
};

void TensorPipeCalls::start(int to, const StageCall& call, const torch::Tensor& argument)
{
    const auto tell = [desk = m_desk, call](Desk::Answered answered) {
        {
            const std::scoped_lock lock(desk->mutex);
            desk->answered.insert_or_assign(call, std::move(answered));
        }
        desk->hasChanged.notify_one();
    };
    try {
        const Future future = m_agent->send(m_agent->getWorkerInfo(nameOfRank(to)),
            messageOf(rpc::MessageType::SCRIPT_CALL, call, argument.contiguous()));
        future->addCallback([tell](rpc::JitFuture& done) {
            if (done.hasError()) {
                tell({{}, done.tryRetrieveErrorMessage()});
                return;
            }
            try {
                tell({receivedIn(*done.value().toCustomClass<rpc::Message>()).tensor, {}});
            } catch (const std::exception& error) {
                tell({{}, error.what()});
            }
        });
    } catch (const std::exception& error) {
        tell({{}, error.what()}); // a pipe that is broken already
    }
}

Result<void> TensorPipeCalls::await(
    std::unique_lock<std::mutex>& lock, int partner, const std::function<bool()>& isThere) const
{
    const Clock::time_point start = Clock::now();
    while (!m_desk->hasChanged.wait_for(lock, CheckPeersEvery, isThere)) {
        if (const Text gone = m_registry->deadPeers(partner); !gone.empty()) {
            return failure(LS_TR("Messages", "stage call: %1"), {gone});
        }
        if (Clock::now() - start > m_timeout) {
            return failure(LS_TR("Messages", "stage call: %1 has waited %2 s for %3"),
                {rankName(m_agent->rpc::RpcAgent::getWorkerInfo().id_), m_timeout.count() / 1000, rankName(partner)});
        }
    }
    return {};
}

Error TensorPipeCalls::explain(int partner, const std::string& cause) const
{
    const Clock::time_point until = Clock::now() + TimeToTell;
    while (Clock::now() < until) {
        if (const Text gone = m_registry->deadPeers(partner); !gone.empty()) {
            return failure(LS_TR("Messages", "stage call: %1"), {gone});
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return failure(LS_TR("Messages", "stage call: %1"), {verbatim(cause.substr(0, cause.find('\n')))});
}

Result<torch::Tensor> TensorPipeCalls::answer(int from, const StageCall& call)
{
    Desk::Answered answered;
    {
        std::unique_lock lock(m_desk->mutex);
        const auto isThere = [&] { return m_desk->answered.contains(call); };
        LOCKSTEP_TRY(await(lock, from, isThere));
        answered = std::move(m_desk->answered.extract(call).mapped());
    }
    if (!answered.error.empty()) {
        return explain(from, answered.error);
    }
    return answered.result;
}

Result<torch::Tensor> TensorPipeCalls::take(int from, const StageCall& call)
{
    std::unique_lock lock(m_desk->mutex);
    const auto isThere = [&] { return m_desk->asked.contains(call); };
    LOCKSTEP_TRY(await(lock, from, isThere));
    Desk::Asked asked = std::move(m_desk->asked.extract(call).mapped());
    m_replies.insert_or_assign(call, std::move(asked.reply));
    return asked.argument;
}

void TensorPipeCalls::reply(const StageCall& call, const torch::Tensor& result)
{
    const Future reply = std::move(m_replies.extract(call).mapped());
    Message message = messageOf(rpc::MessageType::SCRIPT_RET, call, result.contiguous());
    auto storages = message->getStorages();
    reply->markCompleted(c10::IValue(std::move(message)), std::move(storages));
}

/// Silences the agent's stderr about ranks that end: most is no error of the run, and the waits report the rest.
void silenceAgent()
{
    constexpr int Errors = 2;
#ifdef C10_USE_GLOG
    FLAGS_minloglevel = Errors;
#else
    FLAGS_caffe2_log_level = Errors;
#endif
}

/// How ranks of one machine exchange calls, best first. Not TensorPipe's transport `shm`: its thread polls, so that a
/// rank would have two runnable threads where every other has one, also while it is paused. Tensors are read from the
/// other rank's memory (`cma`) where this LibTorch and the kernel allow it, else they take the transport.
rpc::TensorPipeRpcBackendOptions agentOptions()
{
    // A call waits for the called rank's schedule; the waits have a time limit, not the calls.
    constexpr float NoLimit = 0.0F;
    std::vector<std::string> channels{"cma", "basic"};
    std::erase_if(channels, [](const std::string& name) { return !rpc::TensorPipeChannelRegistry()->Has(name); });
    return {AgentThreads, std::vector<std::string>{"uv"}, std::move(channels), NoLimit, rpc::kDefaultInitMethod};
}

std::shared_ptr<rpc::TensorPipeAgent> startAgent(
    const c10::intrusive_ptr<c10d::Store>& store, int rank, int ranks, const std::shared_ptr<Desk>& desk)
{
    silenceAgent();
    // Only this machine may reach the ranks: they share no secret.
    setenv("TP_SOCKET_IFNAME", "lo", 0);
    auto agent = std::make_shared<rpc::TensorPipeAgent>(store, nameOfRank(rank), static_cast<rpc::worker_id_t>(rank),
        ranks, agentOptions(), std::unordered_map<std::string, rpc::DeviceMap>(), std::vector<c10::Device>(),
        std::make_unique<LayDown>(desk));
    agent->start();
    return agent;
}

} // namespace

bool StageCalls::areBuiltIn()
{
    return true;
}

Result<std::unique_ptr<StageCalls>> StageCalls::join(comm::Communicator& group, milliseconds timeout)
{
    try {
        static std::atomic<std::int64_t> joined = 0;
        std::array<std::int64_t, 2> unique{getpid(), ++joined}; // of rank 0
        LOCKSTEP_TRY(group.broadcast({unique.data(), 2, comm::DataType::Int64}, 0));
        const std::string name = "stages-" + std::to_string(unique[0]) + "-" + std::to_string(unique[1]);
        LOCKSTEP_TRY_ASSIGN(auto registry, comm::PeerRegistry::meet(name, group.rank(), group.size(), JoinTimeout));
        LOCKSTEP_TRY_ASSIGN(auto store, openDescriptorStore(name + "-store", group.rank(), group.size(), JoinTimeout));
        auto desk = std::make_shared<Desk>();
        auto agent = startAgent(store, group.rank(), group.size(), desk);
        return std::unique_ptr<StageCalls>(
            std::make_unique<TensorPipeCalls>(std::move(agent), std::move(desk), std::move(registry), timeout));
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return refusal(nameOf(&experiment::PipelineSettings::transport),
            LS_TR("Messages", "rpc: the ranks could not be connected: %1"),
            {verbatim(text.substr(0, text.find('\n')))});
    }
}

} // namespace lockstep::engine
