#include "engine/cuda/nccl_communicator.h"

#include "base/clock.h"
#include "engine/comm/device/device_memory.h"
#include "engine/comm/guard/call.h"
#include "engine/comm/guard/guarded_communicator.h"

#include <nccl.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep::cuda {

namespace {

using namespace std::chrono_literals;
using comm::Collective;
using comm::ConstView;
using comm::DataType;
using comm::Operation;
using comm::Reduction;
using comm::Space;
using comm::View;

ncclDataType_t typeOf(DataType type)
{
    switch (type) {
    case DataType::Float32:
        return ncclFloat32;
    case DataType::Float64:
        return ncclFloat64;
    case DataType::Float16:
        return ncclFloat16;
    case DataType::BFloat16:
        return ncclBfloat16;
    case DataType::Int32:
        return ncclInt32;
    case DataType::Int64:
        return ncclInt64;
    case DataType::UInt8:
        return ncclUint8;
    }
    return ncclUint8;
}

bool isByBits(Reduction reduction)
{
    return reduction == Reduction::BitAnd || reduction == Reduction::BitOr || reduction == Reduction::BitXor;
}

/// Of those that NCCL has.
ncclRedOp_t operationOf(Reduction reduction)
{
    return reduction == Reduction::Product ? ncclProd
        : reduction == Reduction::Min      ? ncclMin
        : reduction == Reduction::Max      ? ncclMax
                                           : ncclSum;
}

std::size_t countOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

class NcclCommunicator final : public comm::Communicator {
public:
    NcclCommunicator(std::unique_ptr<comm::Communicator> host, std::shared_ptr<comm::Device> device,
        std::function<void*()> stream, const NcclOptions& options)
        : Communicator(host->rank(), host->size())
        , m_host(std::move(host))
        , m_device(std::move(device))
        , m_memory(comm::deviceMemory(m_device))
        , m_streamOfCaller(std::move(stream))
        , m_options(options)
    { }

    ~NcclCommunicator() override
    {
        finishStarted();
        // Destroy would wait for what is queued, which may never be done: a rank may have died since.
        if (m_nccl != nullptr && !m_hasFailed && !settle()) {
            m_hasFailed = true;
        }
        if (m_nccl != nullptr) {
            static_cast<void>(m_hasFailed ? ncclCommAbort(m_nccl) : ncclCommDestroy(m_nccl));
        }
    }

    [[nodiscard]] Result<void> open()
    {
        // Arrays of a hundred bytes, told in numbers that the host's communicator knows.
        ncclUniqueId id{};
        ncclResult_t made = rank() == 0 ? ncclGetUniqueId(&id) : ncclSuccess;
        std::int64_t isMade = made == ncclSuccess ? 1 : 0;
        if (auto told = m_host->broadcast({&isMade, 1, DataType::Int64}, 0); !told) {
            return told;
        }
        if (isMade == 0) {
            return Error{"nccl: rank 0 cannot begin a group: " + std::string(ncclGetLastError(nullptr))};
        }
        if (auto told = m_host->broadcast({&id, static_cast<std::int64_t>(sizeof(id)), DataType::UInt8}, 0); !told) {
            return told;
        }
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0; // a rank that dies meanwhile would be waited for without end
        made = ncclCommInitRankConfig(&m_nccl, size(), id, rank(), &config);
        auto met = awaitCall(made, "meeting the other ranks");
        // Every rank has to know what all of them have: one that goes on alone would wait for ever.
        std::int64_t failures = met ? 0 : 1;
        if (auto told
            = m_host->allReduce({&failures, 1, DataType::Int64}, {&failures, 1, DataType::Int64}, Reduction::Sum);
            !told) {
            return told;
        }
        if (met && failures > 0) {
            m_hasFailed = true;
            return Error{"nccl: another rank could not join the group"};
        }
        return met;
    }

    [[nodiscard]] std::string_view backend() const override { return "nccl"; }

    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override
    {
        auto host = m_host->split(color, key);
        if (!host || *host == nullptr) {
            return host;
        }
        auto part = std::make_unique<NcclCommunicator>(std::move(*host), m_device, m_streamOfCaller, m_options);
        if (auto opened = part->open(); !opened) {
            return opened.error();
        }
        return std::unique_ptr<Communicator>(std::move(part));
    }

    [[nodiscard]] Result<std::unique_ptr<comm::SharedArray>> share(std::size_t bytes, Space space) override
    {
        return space == Space::Host ? m_host->share(bytes, space) : Result(std::unique_ptr<comm::SharedArray>());
    }

    [[nodiscard]] const std::shared_ptr<comm::Memory>& memory(Space space) const override
    {
        return space == Space::Device ? m_memory : m_host->memory(space);
    }

    void setTimeout(std::chrono::milliseconds timeout) override
    {
        m_options.timeout = timeout;
        m_host->setTimeout(timeout);
    }

    void abandon() override { m_host->abandon(); }

    [[nodiscard]] Result<void> lookAround() override
    {
        if (auto alive = m_host->lookAround(); !alive) {
            return failed(named(alive.error()));
        }
        ncclResult_t state = ncclSuccess;
        if (m_nccl != nullptr && ncclCommGetAsyncError(m_nccl, &state) == ncclSuccess && state != ncclSuccess
            && state != ncclInProgress) {
            return failed(errorOf(state, "on the device"));
        }
        return m_device->state();
    }

protected:
    Result<void> execute(const Operation& op, comm::OperationTimes& times) override
    {
        if (m_hasFailed) {
            return Error{"nccl: this group has failed before"};
        }
        if (op.what == Collective::Barrier || spaceOf(op, rank()) == Space::Host) {
            auto done = m_host->run(op);
            times = m_host->lastTimes();
            return done;
        }
        m_last = op.what;
        if (auto usable = lookAround(); !usable) {
            return usable;
        }
        if (auto same = compareCalls(op); !same) {
            return failed(named(same.error()));
        }
        m_device->setStream(m_streamOfCaller());
        auto queued = queue(op);
        return queued ? queued : failed(queued.error());
    }

    /// Looks again and again: a rank that has died is found by the host's communicator, and then NCCL's kernels, which
    /// would wait for it for ever, are ended.
    Result<void> settle() override
    {
        const auto since = std::chrono::steady_clock::now();
        auto looked = since;
        while (!m_device->isIdle()) {
            const auto now = std::chrono::steady_clock::now();
            if (now - looked > 50ms) {
                looked = now;
                if (auto alive = lookAround(); !alive) {
                    return alive;
                }
                if (now - since > m_options.timeout) {
                    return failed(Error{"nccl: not done within " + std::to_string(m_options.timeout.count() / 1000)
                        + " s: do all ranks call the same?"});
                }
            }
            std::this_thread::sleep_for(20us);
        }
        return lookAround();
    }

private:
    /// The hosts meet first, as they do in the other backends: nobody's work is queued before all have come, which is
    /// what commands for a step rely on, and calls that differ are found out before NCCL waits for them for ever.
    [[nodiscard]] Result<void> compareCalls(const Operation& op)
    {
        constexpr std::int64_t Fields = sizeof(comm::Call) / sizeof(std::int64_t);
        if (op.what == Collective::SendReceive) {
            const comm::Letter sent{op.in.count, static_cast<std::int64_t>(op.in.type)};
            comm::Letter received;
            auto met = m_host->run({.what = Collective::SendReceive,
                .in = {&sent, op.to >= 0 ? 2 : 0, DataType::Int64},
                .out = {&received, op.from >= 0 ? 2 : 0, DataType::Int64},
                .to = op.to,
                .from = op.from});
            if (met && op.from >= 0) {
                try {
                    comm::requireFit(received, op.out, op.from, rank());
                } catch (const Error& error) {
                    return error;
                }
            }
            return met;
        }
        const comm::Call mine = comm::callOf(op);
        std::vector<comm::Call> all(countOf(size()));
        auto met = m_host->allGather({&mine, Fields, DataType::Int64}, {all.data(), Fields * size(), DataType::Int64});
        return met ? comm::requireSame(all) : met;
    }

    [[nodiscard]] Error errorOf(ncclResult_t result, const char* during) const
    {
        std::string text = "nccl: " + std::string(during) + ": " + ncclGetErrorString(result);
        if (const char* more = ncclGetLastError(m_nccl); more != nullptr && *more != '\0') {
            text += " (" + std::string(more) + ")";
        }
        return {text.substr(0, text.find('\n'))};
    }

    [[nodiscard]] Result<void> failed(const Error& error)
    {
        m_hasFailed = true;
        if (m_nccl != nullptr) {
            // Ends the kernels that are under way, on every stream.
            static_cast<void>(ncclCommAbort(std::exchange(m_nccl, nullptr)));
        }
        return error;
    }

    /// What the host's communicator says, of which only we know what it was for.
    [[nodiscard]] Error named(const Error& error) const
    {
        const std::string what = std::string(nameOf(m_last)) + ": ";
        for (const Collective each : {Collective::AllGather, Collective::SendReceive}) { // by which calls are compared
            const std::string own = std::string(nameOf(each)) + ": ";
            if (error.message.starts_with(own)) {
                return {what + error.message.substr(own.size())};
            }
        }
        return error.message.starts_with("rank ") ? Error{what + error.message} : error;
    }

    /// A call of a communicator that does not block may still be at work when it returns.
    [[nodiscard]] Result<void> awaitCall(ncclResult_t result, const char* during)
    {
        const auto since = std::chrono::steady_clock::now();
        auto looked = since;
        while (result == ncclInProgress) {
            const auto now = std::chrono::steady_clock::now();
            if (now - looked > 50ms) {
                looked = now;
                if (auto alive = m_host->lookAround(); !alive) {
                    return failed(named(alive.error()));
                }
                if (now - since > m_options.timeout) {
                    return failed(Error{std::string("nccl: ") + during + ": not done within "
                        + std::to_string(m_options.timeout.count() / 1000) + " s"});
                }
            }
            if (now - since > 100us) {
                std::this_thread::sleep_for(50us);
            }
            if (ncclCommGetAsyncError(m_nccl, &result) != ncclSuccess) {
                result = ncclInternalError;
            }
        }
        return result == ncclSuccess ? Result<void>() : failed(errorOf(result, during));
    }

    [[nodiscard]] Result<void> done(ncclResult_t result, Collective what)
    {
        const std::string name(nameOf(what));
        return awaitCall(result, name.c_str());
    }

    [[nodiscard]] cudaStream_t stream() const { return static_cast<cudaStream_t>(m_streamOfCaller()); }

    [[nodiscard]] Result<void> queue(const Operation& op)
    {
        if (isReducing(op.what) && isByBits(op.reduction)) {
            return reduceByBits(op);
        }
        const auto reduction = operationOf(op.reduction);
        switch (op.what) {
        case Collective::Broadcast:
            return done(ncclBroadcast(rank() == op.root ? op.in.data : op.out.data, op.out.data, countOf(op.out.count),
                            typeOf(op.out.type), op.root, m_nccl, stream()),
                op.what);
        case Collective::Reduce:
            return done(ncclReduce(op.in.data, op.out.data, countOf(op.in.count), typeOf(op.in.type), reduction,
                            op.root, m_nccl, stream()),
                op.what);
        case Collective::AllReduce:
            return done(ncclAllReduce(op.in.data, op.out.data, countOf(op.in.count), typeOf(op.in.type), reduction,
                            m_nccl, stream()),
                op.what);
        case Collective::ReduceScatter: {
            const auto in = apart(op);
            return in ? done(ncclReduceScatter(in->data, op.out.data, countOf(op.out.count), typeOf(op.in.type),
                                 reduction, m_nccl, stream()),
                       op.what)
                      : Result<void>(in.error());
        }
        case Collective::AllGather: {
            const auto in = apart(op);
            return in
                ? done(ncclAllGather(in->data, op.out.data, countOf(op.in.count), typeOf(op.in.type), m_nccl, stream()),
                    op.what)
                : Result<void>(in.error());
        }
        case Collective::Gather:
        case Collective::Scatter:
        case Collective::AllToAll:
        case Collective::SendReceive:
            return byMessages(op);
        case Collective::Barrier:
            break;
        }
        return {};
    }

    /// `in` where it is not in the way of `out`: NCCL takes both in one place only as it likes them.
    [[nodiscard]] Result<ConstView> apart(const Operation& op)
    {
        const bool isGiven = op.what != Collective::Scatter || rank() == op.root;
        const bool overlap = isGiven && op.in.data != nullptr && op.out.data != nullptr
            && op.in.bytes() < op.out.bytes() + op.out.byteCount()
            && op.out.bytes() < op.in.bytes() + op.in.byteCount();
        if (!overlap) {
            return op.in;
        }
        auto room = m_memory->allocate(op.in.byteCount());
        if (!room) {
            return room.error();
        }
        m_scratch = std::move(*room);
        m_memory->copy(m_scratch.get(), op.in.data, op.in.byteCount());
        ConstView copy = op.in;
        copy.data = m_scratch.get();
        return copy;
    }

    [[nodiscard]] Result<void> byMessages(const Operation& op)
    {
        const auto in = apart(op);
        if (!in) {
            return in.error();
        }
        ncclResult_t result = ncclGroupStart();
        const auto note = [&result](ncclResult_t one) {
            if (one != ncclSuccess && one != ncclInProgress && result == ncclSuccess) {
                result = one;
            }
        };
        const auto send = [&](const std::byte* from, std::size_t bytes, int to) {
            note(ncclSend(from, bytes, ncclUint8, to, m_nccl, stream()));
        };
        const auto receive = [&](std::byte* to, std::size_t bytes, int from) {
            note(ncclRecv(to, bytes, ncclUint8, from, m_nccl, stream()));
        };
        const auto ranks = static_cast<std::size_t>(size());
        const bool isRoot = rank() == op.root;
        if (op.what == Collective::SendReceive) {
            if (op.to >= 0) {
                send(in->bytes(), in->byteCount(), op.to);
            }
            if (op.from >= 0) {
                receive(op.out.bytes(), op.out.byteCount(), op.from);
            }
        } else if (op.what == Collective::Gather) {
            send(in->bytes(), in->byteCount(), op.root);
            for (std::size_t r = 0; r < ranks && isRoot; ++r) {
                receive(op.out.bytes() + r * in->byteCount(), in->byteCount(), static_cast<int>(r));
            }
        } else {
            const std::size_t bytes = op.what == Collective::Scatter ? op.out.byteCount() : op.out.byteCount() / ranks;
            const bool sends = op.what == Collective::AllToAll || isRoot;
            for (std::size_t r = 0; r < ranks && sends; ++r) {
                send(in->bytes() + r * bytes, bytes, static_cast<int>(r));
            }
            if (op.what == Collective::Scatter) {
                receive(op.out.bytes(), bytes, op.root);
            } else {
                for (std::size_t r = 0; r < ranks; ++r) {
                    receive(op.out.bytes() + r * bytes, bytes, static_cast<int>(r));
                }
            }
        }
        const ncclResult_t ended = ncclGroupEnd();
        return done(result == ncclSuccess ? ended : result, op.what);
    }

    /// NCCL has none of these: all give everything to all, and each reduces what it is to have.
    [[nodiscard]] Result<void> reduceByBits(const Operation& op)
    {
        const std::size_t bytes = op.in.byteCount();
        const auto ranks = static_cast<std::size_t>(size());
        auto room = m_memory->allocate(bytes * ranks);
        if (!room) {
            return room.error();
        }
        const std::shared_ptr<std::byte> all = std::move(*room);
        auto gathered = done(ncclAllGather(op.in.data, all.get(), bytes, ncclUint8, m_nccl, stream()), op.what);
        if (!gathered || (op.what == Collective::Reduce && rank() != op.root)) {
            return gathered;
        }
        const bool isScatter = op.what == Collective::ReduceScatter;
        const std::size_t from = isScatter ? static_cast<std::size_t>(rank()) * op.out.byteCount() : 0;
        std::vector<const void*> inputs;
        for (std::size_t r = 0; r < ranks; ++r) {
            inputs.push_back(all.get() + r * bytes + from);
        }
        m_memory->reduce(op.reduction, op.in.type, op.out.data, inputs, op.out.count);
        return {};
    }

    std::unique_ptr<comm::Communicator> m_host;
    std::shared_ptr<comm::Device> m_device;
    std::shared_ptr<comm::Memory> m_memory;
    std::function<void*()> m_streamOfCaller;
    NcclOptions m_options;
    ncclComm_t m_nccl = nullptr;
    std::shared_ptr<std::byte> m_scratch; ///< of the last operation: it goes back in the order of the stream
    Collective m_last = Collective::Barrier; ///< on the device: what an error found later is put down to
    bool m_hasFailed = false;
};

} // namespace

Result<std::unique_ptr<comm::Communicator>> overNccl(std::unique_ptr<comm::Communicator> host,
    std::shared_ptr<comm::Device> device, std::function<void*()> stream, const NcclOptions& options)
{
    if (options.takesSharedGpu) {
        setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 0);
    }
    auto communicator
        = std::make_unique<NcclCommunicator>(std::move(host), std::move(device), std::move(stream), options);
    if (auto opened = communicator->open(); !opened) {
        return opened.error();
    }
    return std::unique_ptr<comm::Communicator>(std::move(communicator));
}

int ncclVersion()
{
    int version = 0;
    return ncclGetVersion(&version) == ncclSuccess ? version : 0;
}

} // namespace lockstep::cuda
