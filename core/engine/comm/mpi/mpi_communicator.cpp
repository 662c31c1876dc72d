#include "engine/comm/mpi/mpi_communicator.h"

#include "engine/comm/guard/guarded_communicator.h"
#include "engine/comm/members.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <mpi.h>
#include <sched.h>
#include <stdexcept>
#include <unistd.h>

namespace lockstep::comm {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int HeaderTag = 1;
constexpr int DataTag = 2;
/// A wait first yields the processor, which is fastest, and then sleeps between tests, which leaves it to other ranks.
constexpr auto MpiYieldFor = 500us;
constexpr unsigned NapMicroseconds = 50;
constexpr auto MpiCheckPeersEvery = 50ms;
/// After a difference between the ranks' calls: how long a rank waits until the others have found it as well.
constexpr auto TimeToFindDifference = 5000ms;

bool isHalf(DataType type)
{
    return type == DataType::Float16 || type == DataType::BFloat16;
}

MPI_Datatype typeOf(DataType type)
{
    const MPI_Datatype types[] = {MPI_FLOAT, MPI_DOUBLE, MPI_BYTE, MPI_BYTE, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T};
    return rowOf(types, type);
}

MPI_Op opOf(Reduction reduction)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR};
    return rowOf(ops, reduction);
}

/// MPI counts in int.
int countOf(std::int64_t count, DataType type)
{
    const std::int64_t units = isHalf(type) ? count * static_cast<std::int64_t>(sizeOf(type)) : count;
    if (units > INT_MAX) {
        throw failure(LS_TR("Messages", "mpi: %1 elements are more than one call can carry; allowed: up to %2"),
            {count, INT_MAX});
    }
    return static_cast<int>(units);
}

void require(int code)
{
    if (code != MPI_SUCCESS) {
        std::array<char, MPI_MAX_ERROR_STRING> text{};
        int length = 0;
        MPI_Error_string(code, text.data(), &length);
        throw std::runtime_error("mpi: " + std::string(text.data(), static_cast<std::size_t>(length)));
    }
}

bool overlaps(const ConstView& a, const View& b)
{
    return a.bytes() < b.bytes() + b.byteCount() && b.bytes() < a.bytes() + a.byteCount();
}

class MpiCommunicator final : public GuardedCommunicator {
public:
    /// Takes the communicator over. The one of all ranks ends MPI with itself.
    MpiCommunicator(MPI_Comm group, int rank, int size, std::shared_ptr<PeerRegistry> registry, GuardOptions guard)
        : GuardedCommunicator(rank, size, std::move(registry), guard)
        , m_group(group)
    { }

    ~MpiCommunicator() override
    {
        finishStarted();
        if (hasFailed() && !haveAllFoundDifference()) {
            return; // both calls below would wait for ranks that are not coming
        }
        if (m_group == MPI_COMM_WORLD) {
            MPI_Finalize();
        } else {
            MPI_Comm_free(&m_group);
        }
    }

    [[nodiscard]] std::string_view backend() const override { return "mpi"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;

protected:
    [[nodiscard]] std::vector<CallSignature> exchangeSignatures(const CallSignature& mine) override;
    void carryOut(const Operation& op) override;
    void exchange(const Operation& op) override;

private:
    void finish(MPI_Request request) { finish(request, options().timeout); }
    void finish(MPI_Request request, std::chrono::milliseconds timeout);
    /// mpirun kills the other ranks as soon as one exits without MPI_Finalize, also those that have yet to report.
    [[nodiscard]] bool haveAllFoundDifference();
    void reduce(const Operation& op);
    void move(const Operation& op);
    /// `in`, or a copy of it where MPI would have it share memory with `out`.
    [[nodiscard]] const void* apart(const ConstView& in, const View& out);

    MPI_Comm m_group;
};

void MpiCommunicator::finish(MPI_Request request, std::chrono::milliseconds timeout)
{
    const auto start = Clock::now();
    auto looked = start;
    for (int isDone = 0;;) {
        require(MPI_Test(&request, &isDone, MPI_STATUS_IGNORE));
        if (isDone != 0) {
            return;
        }
        const auto now = Clock::now();
        if (now - start < MpiYieldFor) {
            sched_yield();
            continue;
        }
        usleep(NapMicroseconds);
        if (now - looked > MpiCheckPeersEvery) {
            looked = now;
            if (const Text gone = registry()->deadPeers(); !gone.empty()) {
                throw Happened{gone};
            }
        }
        if (now - start > timeout) {
            throw TimedOut{};
        }
    }
}

bool MpiCommunicator::haveAllFoundDifference()
{
    if (!hasFoundDifference()) {
        return false;
    }
    try {
        MPI_Request request{};
        require(MPI_Ibarrier(m_group, &request));
        finish(request, TimeToFindDifference);
        return true;
    } catch (...) { // a rank has died or is in another call
        return false;
    }
}

std::vector<CallSignature> MpiCommunicator::exchangeSignatures(const CallSignature& mine)
{
    std::vector<CallSignature> all(static_cast<std::size_t>(size()));
    MPI_Request request{};
    require(MPI_Iallgather(
        &mine, sizeof(CallSignature), MPI_BYTE, all.data(), sizeof(CallSignature), MPI_BYTE, m_group, &request));
    finish(request);
    return all;
}

void MpiCommunicator::carryOut(const Operation& op)
{
    if (op.what == Collective::Barrier) {
        MPI_Request request{};
        require(MPI_Ibarrier(m_group, &request));
        finish(request);
    } else if (howMpiDoes(op.what, isReducing(op.what) ? op.in.type : DataType::UInt8) == "composed") {
        runComposed(op);
    } else if (isReducing(op.what)) {
        reduce(op);
    } else {
        move(op);
    }
}

const void* MpiCommunicator::apart(const ConstView& in, const View& out)
{
    if (!overlaps(in, out)) {
        return in.data;
    }
    std::byte* copy = scratch().reserve(in.byteCount());
    std::memcpy(copy, in.data, in.byteCount());
    return copy;
}

void MpiCommunicator::reduce(const Operation& op)
{
    const MPI_Datatype type = typeOf(op.in.type);
    const MPI_Op reduction = opOf(op.reduction);
    const bool hasResult = op.what != Collective::Reduce || rank() == op.root;
    const bool isInPlace = hasResult && op.what != Collective::ReduceScatter && op.in.data == op.out.data;
    const void* in = isInPlace ? MPI_IN_PLACE : hasResult ? apart(op.in, op.out) : op.in.data;
    void* out = hasResult ? op.out.data : nullptr;
    MPI_Request request{};
    if (op.what == Collective::AllReduce) {
        require(MPI_Iallreduce(in, out, countOf(op.in.count, op.in.type), type, reduction, m_group, &request));
    } else if (op.what == Collective::Reduce) {
        require(MPI_Ireduce(in, out, countOf(op.in.count, op.in.type), type, reduction, op.root, m_group, &request));
    } else {
        static_cast<void>(countOf(op.in.count, op.in.type));
        require(
            MPI_Ireduce_scatter_block(in, out, countOf(op.out.count, op.out.type), type, reduction, m_group, &request));
    }
    finish(request);
}

void MpiCommunicator::move(const Operation& op)
{
    const bool isRoot = rank() == op.root;
    const auto part = [this](const View& whole) {
        return whole.bytes() + whole.byteCount() / static_cast<std::size_t>(size()) * static_cast<std::size_t>(rank());
    };
    MPI_Request request{};
    if (op.what == Collective::Broadcast) {
        if (isRoot && op.in.data != op.out.data) {
            std::memmove(op.out.data, op.in.data, op.in.byteCount());
        }
        require(MPI_Ibcast(
            op.out.data, countOf(op.out.count, op.out.type), typeOf(op.out.type), op.root, m_group, &request));
    } else if (op.what == Collective::Scatter) {
        const int count = countOf(op.out.count, op.out.type);
        const MPI_Datatype type = typeOf(op.out.type);
        const bool isInPlace
            = isRoot && op.out.data == op.in.bytes() + op.out.byteCount() * static_cast<std::size_t>(rank());
        const void* in = !isRoot ? nullptr : isInPlace ? op.in.data : apart(op.in, op.out);
        require(MPI_Iscatter(
            in, count, type, isInPlace ? MPI_IN_PLACE : op.out.data, count, type, op.root, m_group, &request));
    } else {
        const bool hasResult = op.what != Collective::Gather || isRoot;
        const bool isToAll = op.what == Collective::AllToAll;
        const bool isInPlace = hasResult && !isToAll && op.in.data == part(op.out);
        const int count = countOf(isToAll ? op.in.count / size() : op.in.count, op.in.type);
        const MPI_Datatype type = typeOf(op.in.type);
        const void* in = isInPlace ? MPI_IN_PLACE : hasResult ? apart(op.in, op.out) : op.in.data;
        void* out = hasResult ? op.out.data : nullptr;
        if (op.what == Collective::Gather) {
            require(MPI_Igather(in, count, type, out, count, type, op.root, m_group, &request));
        } else if (op.what == Collective::AllGather) {
            require(MPI_Iallgather(in, count, type, out, count, type, m_group, &request));
        } else {
            require(MPI_Ialltoall(in, count, type, out, count, type, m_group, &request));
        }
    }
    finish(request);
}

void MpiCommunicator::exchange(const Operation& op)
{
    const MessageHeader sent = headerOf(op.in);
    MessageHeader received;
    MPI_Request header{};
    MPI_Request data{};
    const bool sends = op.to >= 0;
    const bool sendsData = sends && op.in.byteCount() > 0;
    if (sends) {
        require(MPI_Isend(&sent, sizeof(sent), MPI_BYTE, op.to, HeaderTag, m_group, &header));
    }
    if (sendsData) {
        require(MPI_Isend(
            op.in.data, countOf(op.in.count, op.in.type), typeOf(op.in.type), op.to, DataTag, m_group, &data));
    }
    if (op.from >= 0) {
        MPI_Request arrival{};
        require(MPI_Irecv(&received, sizeof(received), MPI_BYTE, op.from, HeaderTag, m_group, &arrival));
        finish(arrival);
        throwUnlessFits(received, op.out, op.from, rank());
        if (op.out.byteCount() > 0) {
            require(MPI_Irecv(op.out.data, countOf(op.out.count, op.out.type), typeOf(op.out.type), op.from, DataTag,
                m_group, &arrival));
            finish(arrival);
        }
    }
    if (sends) {
        finish(header);
    }
    if (sendsData) {
        finish(data);
    }
}

Result<std::unique_ptr<Communicator>> MpiCommunicator::split(int color, int key)
{
    LOCKSTEP_TRY_ASSIGN(const auto members, membersOf(*this, color, key));
    try {
        MPI_Comm part = MPI_COMM_NULL;
        require(MPI_Comm_split(m_group, color < 0 ? MPI_UNDEFINED : color, members.place, &part));
        if (part == MPI_COMM_NULL) {
            return std::unique_ptr<Communicator>();
        }
        MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
        return std::unique_ptr<Communicator>(std::make_unique<MpiCommunicator>(
            part, members.place, static_cast<int>(members.ranks.size()), registry(), options()));
    } catch (const std::exception&) {
        return explainCaught(Collective::Barrier);
    }
}

} // namespace

std::string_view howMpiDoes(Collective what, DataType type)
{
    if (!isHalf(type) || what == Collective::Barrier) {
        return "native";
    }
    return isReducing(what) ? "composed" : "bytes";
}

Result<std::unique_ptr<Communicator>> joinMpi(const JoinOptions& options)
{
    int hasBegun = 0;
    MPI_Initialized(&hasBegun);
    if (hasBegun == 0) {
        int given = MPI_THREAD_SINGLE;
        // Communicator::start() runs operations on another thread.
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &given);
        if (given < MPI_THREAD_MULTIPLE) {
            return failure(
                LS_TR("Messages", "mpi: this MPI does not let several threads call it at once (MPI_THREAD_MULTIPLE)"));
        }
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != options.size || rank != options.rank) {
        return failure(
            LS_TR("Messages",
                "mpi: this is rank %1 of %2 to MPI, and rank %3 of %4 to the run: start the ranks with mpirun -n %5"),
            {rank, size, options.rank, options.size, options.size});
    }
    LOCKSTEP_TRY_ASSIGN(auto registry, PeerRegistry::meet(options.name + "-mpi", rank, size, options.joinTimeout));
    return std::unique_ptr<Communicator>(std::make_unique<MpiCommunicator>(
        MPI_COMM_WORLD, rank, size, std::move(registry), GuardOptions{options.timeout, options.checksEveryCall}));
}

} // namespace lockstep::comm
