#include "engine/parallel/gloo_communicator.h"

#include "engine/comm/algorithms/composed.h"
#include "engine/comm/shm/handout.h"
#include "engine/parallel/collective_call.h"
#include "engine/parallel/presence.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/torch.h>

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace lockstep::engine {

namespace {

using namespace std::chrono_literals;
using comm::Collective;
using comm::ConstView;
using comm::DataType;
using comm::Operation;
using comm::OperationTimes;
using comm::Reduction;
using comm::View;

constexpr int LetterTag = 1;
constexpr int DataTag = 2;
/// After an error: how long the kernel may take to tell that a process is gone.
constexpr auto TimeToTell = 300ms;

at::ScalarType scalarType(DataType type)
{
    switch (type) {
    case DataType::Float32:
        return torch::kFloat32;
    case DataType::Float64:
        return torch::kFloat64;
    case DataType::Float16:
        return torch::kFloat16;
    case DataType::BFloat16:
        return torch::kBFloat16;
    case DataType::Int32:
        return torch::kInt32;
    case DataType::Int64:
        return torch::kInt64;
    case DataType::UInt8:
        return torch::kUInt8;
    }
    return torch::kUInt8;
}

c10d::ReduceOp reduceOp(Reduction reduction)
{
    switch (reduction) {
    case Reduction::Sum:
        return c10d::ReduceOp::SUM;
    case Reduction::Product:
        return c10d::ReduceOp::PRODUCT;
    case Reduction::Min:
        return c10d::ReduceOp::MIN;
    case Reduction::Max:
        return c10d::ReduceOp::MAX;
    case Reduction::BitAnd:
        return c10d::ReduceOp::BAND;
    case Reduction::BitOr:
        return c10d::ReduceOp::BOR;
    case Reduction::BitXor:
        return c10d::ReduceOp::BXOR;
    }
    return c10d::ReduceOp::SUM;
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

struct Letter {
    std::int64_t count = 0;
    std::int64_t type = 0;
};

class GlooCommunicator final : public comm::Communicator {
public:
    GlooCommunicator(c10::intrusive_ptr<c10d::Store> store, std::shared_ptr<Presence> presence, int rank, int size,
        const GlooOptions& options)
        : Communicator(rank, size)
        , m_store(std::move(store))
        , m_presence(std::move(presence))
        , m_options(options)
        , m_group(makeGroup())
    { }
    ~GlooCommunicator() override { finishStarted(); }

    [[nodiscard]] std::string_view backend() const override { return "gloo"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;

protected:
    Result<void> execute(const Operation& op, OperationTimes& times) override;

private:
    class Messages;

    [[nodiscard]] c10::intrusive_ptr<c10d::ProcessGroupGloo> makeGroup() const
    {
        auto options = c10d::ProcessGroupGloo::Options::create(m_options.timeout);
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
        options->threads = 2;
        return c10::make_intrusive<c10d::ProcessGroupGloo>(m_store, rank(), size(), options);
    }

    using WorkPointer = decltype(std::declval<c10d::ProcessGroupGloo&>().barrier());
    static void finish(const WorkPointer& work) { work->wait(); }

    void compareCalls(const Operation& op);
    void carryOut(const Operation& op);
    void reduceNatively(const Operation& op);
    void moveNatively(const Operation& op);
    void exchange(const Operation& op);
    [[nodiscard]] Error explain(const Operation& op, const std::string& what);

    c10::intrusive_ptr<c10d::Store> m_store;
    std::shared_ptr<Presence> m_presence;
    GlooOptions m_options;
    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
    std::set<Call> m_compared;
    std::string m_failure; ///< not empty: the group is of no further use
    comm::Scratch m_scratch;
    int m_splits = 0;
};

/// Composed operations speak through this one: the owner's queue must not be asked while it is at work.
class GlooCommunicator::Messages final : public comm::Communicator {
public:
    explicit Messages(GlooCommunicator& owner)
        : Communicator(owner.rank(), owner.size())
        , m_owner(owner)
    { }
    ~Messages() override { finishStarted(); }
    [[nodiscard]] std::string_view backend() const override { return m_owner.backend(); }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int, int) override
    {
        return Error{"split: not while a collective is under way"};
    }

protected:
    Result<void> execute(const Operation& op, OperationTimes&) override
    {
        m_owner.exchange(op);
        return {};
    }

private:
    GlooCommunicator& m_owner;
};

Result<void> GlooCommunicator::execute(const Operation& op, OperationTimes&)
{
    if (!m_failure.empty()) {
        return Error{m_failure};
    }
    try {
        if (op.what == Collective::SendReceive) {
            exchange(op);
            return {};
        }
        m_presence->beginCall();
        compareCalls(op);
        carryOut(op);
        return {};
    } catch (const Error& error) {
        m_failure = error.message;
    } catch (const std::exception& error) {
        m_failure = explain(op, error.what()).message;
    }
    return Error{m_failure};
}

Error GlooCommunicator::explain(const Operation& op, const std::string& what)
{
    const std::string name(nameOf(op.what));
    const auto until = std::chrono::steady_clock::now() + TimeToTell;
    const bool isLate = what.find("imed out") != std::string::npos;
    while (!isLate && std::chrono::steady_clock::now() < until) {
        if (const std::string gone = m_presence->whoIsGone(); !gone.empty()) {
            return {name + ": " + gone};
        }
        std::this_thread::sleep_for(5ms);
    }
    if (isLate) {
        const std::string seconds = std::to_string(m_options.timeout.count() / 1000) + " s";
        return {name + ": not all ranks have come within " + seconds + "; " + m_presence->whoIsMissing()};
    }
    return {name + ": " + what.substr(0, what.find('\n'))};
}

/// Before sizes that do not fit can hang or overwrite anything.
void GlooCommunicator::compareCalls(const Operation& op)
{
    Call mine = callOf(op);
    if (size() == 1 || (!m_options.checksEveryCall && m_compared.contains(mine))) {
        return;
    }
    std::vector<Call> all(static_cast<std::size_t>(size()));
    std::vector<torch::Tensor> in{bytesOf(&mine, sizeof(mine))};
    std::vector<std::vector<torch::Tensor>> out{parts(bytesOf(all.data(), all.size() * sizeof(Call)), size())};
    finish(m_group->allgather(out, in));
    const auto odd = std::find_if(all.begin(), all.end(), [&](const Call& call) { return call != all.front(); });
    if (odd != all.end()) {
        throw Error{"the ranks do not call the same: rank 0 calls " + textOf(all.front()) + ", rank "
            + std::to_string(odd - all.begin()) + " calls " + textOf(*odd)};
    }
    m_compared.insert(mine);
}

void GlooCommunicator::carryOut(const Operation& op)
{
    const std::size_t bytes = std::max(op.in.byteCount(), op.out.byteCount());
    if (op.what == Collective::Barrier) {
        finish(m_group->barrier());
    } else if (bytes == 0) {
        return; // nothing to do for anyone: all call the same
    } else if (howGlooDoes(op.what, isReducing(op.what) ? op.in.type : DataType::UInt8) == "composed") {
        Messages messages(*this);
        if (auto done = composed(messages, op, m_scratch); !done) {
            throw done.error();
        }
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
    const View work = wantsResult ? op.out : View{m_scratch.reserve(op.in.byteCount()), op.in.count, op.in.type};
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

/// A letter with what follows goes ahead of each message, so that one that does not fit is found out.
void GlooCommunicator::exchange(const Operation& op)
{
    Letter sent{op.in.count, static_cast<std::int64_t>(op.in.type)};
    Letter expected{op.out.count, static_cast<std::int64_t>(op.out.type)};
    Letter received;
    std::vector<torch::Tensor> letterOut{bytesOf(&sent, sizeof(sent))};
    std::vector<torch::Tensor> letterIn{bytesOf(&received, sizeof(received))};
    std::vector<torch::Tensor> dataOut{bytesOf(op.in)};
    std::vector<torch::Tensor> dataIn{bytesOf(op.out)};
    const bool sendsData = op.to >= 0 && op.in.byteCount() > 0;
    const bool receivesData = op.from >= 0 && op.out.byteCount() > 0;
    WorkPointer sendLetter;
    WorkPointer sendData;
    if (op.to >= 0) {
        sendLetter = m_group->send(letterOut, op.to, LetterTag);
    }
    if (sendsData) {
        sendData = m_group->send(dataOut, op.to, DataTag);
    }
    if (op.from >= 0) {
        finish(m_group->recv(letterIn, op.from, LetterTag));
        if (received.count != expected.count || received.type != expected.type) {
            throw Error{"send_recv: rank " + std::to_string(op.from) + " has sent " + std::to_string(received.count) + " "
                + std::string(nameOf(static_cast<DataType>(received.type))) + ", rank " + std::to_string(rank())
                + " expected " + std::to_string(op.out.count) + " " + std::string(nameOf(op.out.type))};
        }
        if (receivesData) {
            finish(m_group->recv(dataIn, op.from, DataTag));
        }
    }
    if (sendLetter) {
        finish(sendLetter);
    }
    if (sendData) {
        finish(sendData);
    }
}

Result<std::unique_ptr<comm::Communicator>> GlooCommunicator::split(int color, int key)
{
    const std::array<std::int64_t, 2> wish{color, key};
    std::vector<std::int64_t> wishes(static_cast<std::size_t>(size()) * 2);
    const auto told = allGather(
        {wish.data(), 2, DataType::Int64}, {wishes.data(), std::int64_t{2} * size(), DataType::Int64});
    if (!told) {
        return told.error();
    }
    std::vector<int> members;
    for (int r = 0; r < size(); ++r) {
        if (color >= 0 && wishes[static_cast<std::size_t>(r) * 2] == color) {
            members.push_back(r);
        }
    }
    std::stable_sort(members.begin(), members.end(), [&](int a, int b) {
        return wishes[static_cast<std::size_t>(a) * 2 + 1] < wishes[static_cast<std::size_t>(b) * 2 + 1];
    });
    const std::string prefix = "split" + std::to_string(++m_splits) + "/" + std::to_string(color);
    if (members.empty()) {
        return std::unique_ptr<Communicator>();
    }
    try {
        const auto place = static_cast<int>(std::find(members.begin(), members.end(), rank()) - members.begin());
        return std::unique_ptr<Communicator>(
            std::make_unique<GlooCommunicator>(c10::make_intrusive<c10d::PrefixStore>(prefix, m_store), m_presence,
                place, static_cast<int>(members.size()), m_options));
    } catch (const std::exception& error) {
        return explain({.what = Collective::Barrier}, error.what());
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

Result<std::unique_ptr<comm::Communicator>> joinGloo(const GlooOptions& options)
{
    try {
        c10::intrusive_ptr<c10d::Store> store;
        c10d::TCPStoreOptions where;
        where.port = options.port;
        where.isServer = options.rank == 0;
        where.waitWorkers = false;
        where.timeout = options.joinTimeout;
        // A client that comes before the store's server waits for a second: rank 0 hands out the presence only then.
        if (options.rank == 0) {
            store = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", where);
        }
        const auto descriptor = comm::shareDescriptor(
            options.name + "-gloo", options.rank, options.size, options.joinTimeout, [&]() -> Result<int> {
                auto region = comm::Region::create(options.size);
                return region ? Result<int>(fcntl((*region)->descriptor(), F_DUPFD_CLOEXEC, 0))
                              : Result<int>(region.error());
            });
        if (!descriptor) {
            return descriptor.error();
        }
        auto region = comm::Region::open(*descriptor);
        if (!region) {
            return region.error();
        }
        auto presence = std::make_shared<Presence>(std::move(*region), options.rank);
        if (auto joined = presence->join(); !joined) {
            return joined.error();
        }
        if (!store) {
            store = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", where);
        }
        return std::unique_ptr<comm::Communicator>(std::make_unique<GlooCommunicator>(
            std::move(store), std::move(presence), options.rank, options.size, options));
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return Error{"gloo: the ranks could not be connected: " + text.substr(0, text.find('\n'))};
    }
}

} // namespace lockstep::engine
