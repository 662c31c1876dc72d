#include "engine/ranks/gloo_communicator.h"

#include "engine/comm/failures.h"
#include "engine/comm/guard/guarded_communicator.h"
#include "engine/comm/members.h"
#include "engine/ranks/descriptor_store.h"
#include "engine/ranks/hosts/network_peers.h"
#include "engine/ranks/hosts/network_store.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <stdexcept>

namespace lockstep::engine {

namespace {

using comm::CallSignature;
using comm::Collective;
using comm::ConstView;
using comm::DataType;
using comm::MessageHeader;
using comm::Operation;
using comm::Reduction;
using comm::View;

constexpr int HeaderTag = 1;
constexpr int DataTag = 2;
/// How soon the loss of a rank ends a collective: a host that is gone breaks no connection.
constexpr std::chrono::milliseconds LookForLosses{200};
constexpr std::chrono::milliseconds TimeToEnd{1000}; ///< of a collective, once a rank is lost

at::ScalarType scalarType(DataType type)
{
    constexpr at::ScalarType Types[] = {torch::kFloat32, torch::kFloat64, torch::kFloat16, torch::kBFloat16,
        torch::kInt32, torch::kInt64, torch::kUInt8};
    return rowOf(Types, type);
}

c10d::ReduceOp reduceOp(Reduction reduction)
{
    using Op = c10d::ReduceOp;
    constexpr Op::RedOpType Ops[] = {Op::SUM, Op::PRODUCT, Op::MIN, Op::MAX, Op::BAND, Op::BOR, Op::BXOR};
    return rowOf(Ops, reduction);
}

/// The caller's memory as a tensor. Gloo writes through it only where the operation says so.
torch::Tensor tensorOf(const ConstView& view)
{
    return torch::from_blob(const_cast<void*>(view.data), {view.count}, scalarType(view.type));
}

torch::Tensor bytesOf(const void* data, std::size_t bytes)
{
    return torch::from_blob(const_cast<void*>(data), {static_cast<std::int64_t>(bytes)}, torch::kUInt8);
}

torch::Tensor bytesOf(const ConstView& view)
{
    return bytesOf(view.data, view.byteCount());
}

/// `tensor` cut into `count` equal parts.
std::vector<torch::Tensor> parts(const torch::Tensor& tensor, int count)
{
    std::vector<torch::Tensor> result;
    const std::int64_t each = tensor.numel() / count;
    for (int i = 0; i < count; ++i) {
        result.push_back(tensor.narrow(0, i * each, each));
    }
    return result;
}

/// Where the ranks of a group find each other.
struct Place {
    c10::intrusive_ptr<c10d::Store> store;
    int rank = 0;
    int size = 1;
    std::string address = "127.0.0.1"; ///< of the interface to which Gloo is bound
    std::shared_ptr<rendezvous::Network> network{}; ///< of ranks on several hosts
};

class GlooCommunicator final : public comm::GuardedCommunicator {
public:
    GlooCommunicator(Place place, std::shared_ptr<comm::PeerRegistry> registry, comm::GuardOptions guard)
        : GuardedCommunicator(place.rank, place.size, std::move(registry), guard)
        , m_place(std::move(place))
        , m_group(makeGroup(m_place.store))
    {
        if (m_place.network && this->size() > 1) {
            m_downward = makeGroup(c10::make_intrusive<c10d::PrefixStore>("downward", m_place.store));
        }
        if (m_place.network) {
            m_listener = m_place.network->client->losses().add([this] { endMessage(); });
        }
    }
    ~GlooCommunicator() override
    {
        finishStarted();
        if (m_place.network) {
            m_place.network->client->losses().remove(m_listener);
            if (hasFailed()) {
                // Its threads may wait for a host that is gone, as long as an operation may take; the process ends.
                static_cast<void>(m_group.release());
                static_cast<void>(m_downward.release());
                static_cast<void>(m_signatures.release());
            }
        }
    }

    [[nodiscard]] std::string_view backend() const override { return "gloo"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    /// Ends this rank's messages; the others notice once its process has ended.
    void abort() override
    {
        const std::lock_guard lock(m_messageMutex);
        m_isAborted = true;
        endMessageLocked();
    }

protected:
    [[nodiscard]] std::vector<CallSignature> exchangeSignatures(const CallSignature& mine) override;
    void carryOut(const Operation& op) override;
    void exchange(const Operation& op) override;

private:
    using Group = c10::intrusive_ptr<c10d::ProcessGroupGloo>;

    [[nodiscard]] Group makeGroup(const c10::intrusive_ptr<c10d::Store>& store) const
    {
        auto options = c10d::ProcessGroupGloo::Options::create(this->options().timeout);
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(m_place.address));
        options->threads = 2;
        return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank(), size(), options);
    }

    [[nodiscard]] const Group& groupOfMessages(int from, int to) const
    {
        return to < from && m_downward ? m_downward : m_group;
    }

    using WorkPointer = decltype(std::declval<c10d::ProcessGroupGloo&>().barrier());
    void finish(const WorkPointer& work) const
    {
        const auto end = std::chrono::steady_clock::now() + options().timeout;
        while (m_place.network && !endsWithin(work, LookForLosses)) {
            if (registry()->mustEndWaits()) {
                // Until it ends, Gloo's thread may still write into the caller's array.
                static_cast<void>(endsWithin(work, TimeToEnd));
                throw Happened{LS_TR("Messages", "a rank is lost")};
            }
            if (std::chrono::steady_clock::now() > end) {
                throw TimedOut{};
            }
        }
        waitFor(work);
    }
    /// Any thread.
    void endMessage()
    {
        const std::lock_guard lock(m_messageMutex);
        endMessageLocked();
    }
    void endMessageLocked()
    {
        if (m_message) {
            m_message->abort();
        }
    }
    /// False while a collective is running; true also where it has failed.
    static bool endsWithin(const WorkPointer& work, std::chrono::milliseconds limit)
    {
        try {
            work->wait(limit);
            return true;
        } catch (const std::exception&) {
            return work->isCompleted();
        }
    }
    /// `limit`: of a message; Gloo holds a collective to the group's own.
    static void waitFor(const WorkPointer& work, std::chrono::milliseconds limit = kNoTimeout)
    {
        try {
            work->wait(limit);
        } catch (const std::exception& error) {
            // Gloo has no type for it.
            if (std::string_view(error.what()).find("imed out") != std::string_view::npos) {
                throw TimedOut{};
            }
            throw;
        }
    }

    /// Waits for a send or a receive, which abort() and the loss of a rank end.
    void finishMessage(const WorkPointer& work)
    {
        throwIfEnded(work);
        waitFor(work, options().timeout); // returns, too, when the message was aborted
        throwIfEnded(WorkPointer());
    }
    /// Otherwise `next` is the message in progress.
    void throwIfEnded(const WorkPointer& next)
    {
        const std::lock_guard lock(m_messageMutex);
        m_message = next;
        if (m_isAborted) {
            throw Happened{comm::leftTheGroup(rank())};
        }
        if (registry()->mustEndWaits()) {
            throw Happened{LS_TR("Messages", "a rank is lost")};
        }
    }

    void reduceNatively(const Operation& op);
    void moveNatively(const Operation& op);

    struct Signatures {
        CallSignature mine;
        std::vector<CallSignature> all;
    };

    Place m_place;
    Group m_group;
    /// Of messages to lower ranks, between hosts. Two ranks of a group share a connection, and Gloo sends a message
    /// once its receiver says that it is ready, which would stand behind the message that the receiver itself sends:
    /// two messages in opposite directions would take twice as long as one.
    Group m_downward;
    std::unique_ptr<Signatures> m_signatures = std::make_unique<Signatures>(); ///< Gloo's threads write there
    int m_listener = 0;
    int m_splits = 0;
    std::mutex m_messageMutex;
    WorkPointer m_message{};
    bool m_isAborted = false;
};

std::vector<CallSignature> GlooCommunicator::exchangeSignatures(const CallSignature& mine)
{
    m_signatures->mine = mine;
    std::vector<CallSignature>& all = m_signatures->all;
    all.assign(static_cast<std::size_t>(size()), {});
    std::vector<torch::Tensor> in{bytesOf(&m_signatures->mine, sizeof(CallSignature))};
    std::vector<std::vector<torch::Tensor>> out{parts(bytesOf(all.data(), all.size() * sizeof(CallSignature)), size())};
    finish(m_group->allgather(out, in));
    return all;
}

void GlooCommunicator::carryOut(const Operation& op)
{
    if (op.what == Collective::Barrier) {
        finish(m_group->barrier());
    } else if (howGlooDoes(op.what, isReducing(op.what) ? op.in.type : DataType::UInt8) == "composed") {
        runComposed(op);
    } else if (isReducing(op.what)) {
        reduceNatively(op);
    } else {
        moveNatively(op);
    }
}

void GlooCommunicator::reduceNatively(const Operation& op)
{
    const bool wantsResult = op.what == Collective::AllReduce || rank() == op.root;
    // Gloo works in place, also where the result is not wanted.
    const View work = wantsResult ? op.out : View{scratch().reserve(op.in.byteCount()), op.in.count, op.in.type};
    if (work.data != op.in.data) {
        std::memmove(work.data, op.in.data, op.in.byteCount());
    }
    std::vector<torch::Tensor> tensors{tensorOf(work)};
    if (op.what == Collective::AllReduce) {
        c10d::AllreduceOptions options;
        options.reduceOp = reduceOp(op.reduction);
        finish(m_group->allreduce(tensors, options));
    } else {
        c10d::ReduceOptions options;
        options.reduceOp = reduceOp(op.reduction);
        options.rootRank = op.root;
        finish(m_group->reduce(tensors, options));
    }
}

void GlooCommunicator::moveNatively(const Operation& op)
{
    const bool isRoot = rank() == op.root;
    if (op.what == Collective::Broadcast) {
        if (isRoot && op.in.data != op.out.data) {
            std::memmove(op.out.data, op.in.data, op.in.byteCount());
        }
        std::vector<torch::Tensor> tensors{bytesOf(op.out)};
        c10d::BroadcastOptions options;
        options.rootRank = op.root;
        finish(m_group->broadcast(tensors, options));
        return;
    }
    if (op.what == Collective::AllToAll) {
        torch::Tensor in = bytesOf(op.in);
        torch::Tensor out = bytesOf(op.out);
        if (op.in.data == op.out.data) {
            in = in.clone();
        }
        std::vector<std::int64_t> equally;
        finish(m_group->alltoall_base(out, in, equally, equally));
        return;
    }
    if (op.what == Collective::Scatter) {
        std::vector<torch::Tensor> out{bytesOf(op.out)};
        std::vector<std::vector<torch::Tensor>> in;
        if (isRoot) {
            in.push_back(parts(bytesOf(op.in), size()));
        }
        c10d::ScatterOptions options;
        options.rootRank = op.root;
        finish(m_group->scatter(out, in, options));
        return;
    }
    std::vector<torch::Tensor> in{bytesOf(op.in)};
    std::vector<std::vector<torch::Tensor>> out;
    if (op.what == Collective::AllGather) {
        out.push_back(parts(bytesOf(op.out), size()));
        finish(m_group->allgather(out, in));
        return;
    }
    if (isRoot) {
        out.push_back(parts(bytesOf(op.out), size()));
    }
    c10d::GatherOptions options;
    options.rootRank = op.root;
    finish(m_group->gather(out, in, options));
}

void GlooCommunicator::exchange(const Operation& op)
{
    MessageHeader sent = comm::headerOf(op.in);
    MessageHeader received;
    std::vector<torch::Tensor> headerOut{bytesOf(&sent, sizeof(sent))};
    std::vector<torch::Tensor> headerIn{bytesOf(&received, sizeof(received))};
    std::vector<torch::Tensor> dataOut{bytesOf(op.in)};
    std::vector<torch::Tensor> dataIn{bytesOf(op.out)};
    const bool sendsData = op.to >= 0 && op.in.byteCount() > 0;
    const bool receivesData = op.from >= 0 && op.out.byteCount() > 0;
    WorkPointer sendHeader;
    WorkPointer sendData;
    if (op.to >= 0) {
        sendHeader = groupOfMessages(rank(), op.to)->send(headerOut, op.to, HeaderTag);
    }
    if (sendsData) {
        sendData = groupOfMessages(rank(), op.to)->send(dataOut, op.to, DataTag);
    }
    if (op.from >= 0) {
        const Group& group = groupOfMessages(op.from, rank());
        finishMessage(group->recv(headerIn, op.from, HeaderTag));
        comm::throwUnlessFits(received, op.out, op.from, rank());
        if (receivesData) {
            finishMessage(group->recv(dataIn, op.from, DataTag));
        }
    }
    if (sendHeader) {
        finishMessage(sendHeader);
    }
    if (sendData) {
        finishMessage(sendData);
    }
}

Result<std::unique_ptr<comm::Communicator>> GlooCommunicator::split(int color, int key)
{
    LOCKSTEP_TRY_ASSIGN(const auto members, comm::membersOf(*this, color, key));
    const std::string prefix = "split" + std::to_string(++m_splits) + "/" + std::to_string(color);
    if (members.ranks.empty()) {
        return std::unique_ptr<Communicator>();
    }
    try {
        return std::unique_ptr<Communicator>(std::make_unique<GlooCommunicator>(
            Place{c10::make_intrusive<c10d::PrefixStore>(prefix, m_place.store), members.place,
                static_cast<int>(members.ranks.size()), m_place.address, m_place.network},
            comm::PeerRegistry::ofPart(registry()), options()));
    } catch (const std::exception&) {
        return explainCaught(Collective::Barrier);
    }
}

} // namespace

std::string_view howGlooDoes(Collective what, DataType type)
{
    switch (what) {
    case Collective::ReduceScatter:
        return "composed";
    case Collective::Reduce:
    case Collective::AllReduce:
        return type == DataType::BFloat16 ? "composed" : "native";
    case Collective::Barrier:
        return "native";
    case Collective::Broadcast:
    case Collective::Gather:
    case Collective::AllGather:
    case Collective::Scatter:
    case Collective::AllToAll:
    case Collective::SendReceive:
        break;
    }
    return type == DataType::UInt8 ? "native" : "bytes";
}

Result<std::unique_ptr<comm::Communicator>> joinGloo(
    const comm::JoinOptions& options, const std::shared_ptr<rendezvous::Network>& network)
{
    try {
        if (network) {
            const rendezvous::Member& self = network->self;
            return std::unique_ptr<comm::Communicator>(std::make_unique<GlooCommunicator>(
                Place{networkStore(network, options.joinTimeout), options.rank, options.size, self.address, network},
                std::make_shared<NetworkPeers>(network), comm::GuardOptions{options.timeout, options.checksEveryCall}));
        }
        LOCKSTEP_TRY_ASSIGN(auto registry,
            comm::PeerRegistry::meet(options.name + "-gloo", options.rank, options.size, options.joinTimeout));
        LOCKSTEP_TRY_ASSIGN(
            auto store, openDescriptorStore(options.name + "-store", options.rank, options.size, options.joinTimeout));
        return std::unique_ptr<comm::Communicator>(
            std::make_unique<GlooCommunicator>(Place{std::move(store), options.rank, options.size}, std::move(registry),
                comm::GuardOptions{options.timeout, options.checksEveryCall}));
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return failure(LS_TR("Messages", "gloo: the ranks could not be connected: %1"),
            {verbatim(text.substr(0, text.find('\n')))});
    }
}

} // namespace lockstep::engine
