#include "engine/cuda/nccl_operations.h"

#include <utility>
#include <vector>

namespace lockstep::cuda {

namespace {

using comm::Collective;
using comm::ConstView;
using comm::DataType;
using comm::Operation;
using comm::Reduction;

ncclDataType_t typeOf(DataType type)
{
    constexpr ncclDataType_t Types[]
        = {ncclFloat32, ncclFloat64, ncclFloat16, ncclBfloat16, ncclInt32, ncclInt64, ncclUint8};
    return rowOf(Types, type);
}

/// NCCL has no such reductions.
bool isByBits(Reduction reduction)
{
    return reduction == Reduction::BitAnd || reduction == Reduction::BitOr || reduction == Reduction::BitXor;
}

/// Of the reductions that NCCL has.
ncclRedOp_t operationOf(Reduction reduction)
{
    return reduction == Reduction::Product ? ncclProd
        : reduction == Reduction::Min      ? ncclMin
        : reduction == Reduction::Max      ? ncclMax
                                           : ncclSum;
}

} // namespace

NcclOperations::NcclOperations(int rank, int ranks, std::shared_ptr<comm::Memory> memory, Issue issue)
    : m_rank(rank)
    , m_ranks(static_cast<std::size_t>(ranks))
    , m_memory(std::move(memory))
    , m_issue(std::move(issue))
{ }

Result<void> NcclOperations::queue(const Operation& op, cudaStream_t stream)
{
    if (isReducing(op.what) && isByBits(op.reduction)) {
        return reduceByBits(op, stream);
    }
    // NCCL takes overlapping arrays for these two only in one arrangement.
    const bool mayOverlap = op.what == Collective::ReduceScatter || op.what == Collective::AllGather;
    LOCKSTEP_TRY_ASSIGN(const ConstView in, mayOverlap ? apart(op) : Result<ConstView>(op.in));
    const auto type = typeOf(op.what == Collective::Broadcast ? op.out.type : op.in.type);
    const auto reduction = operationOf(op.reduction);
    const auto count = static_cast<std::size_t>(op.in.count);
    const auto outCount = static_cast<std::size_t>(op.out.count);
    switch (op.what) {
    case Collective::Broadcast:
        return m_issue(op.what, [&](ncclComm_t nccl) {
            return ncclBroadcast(
                m_rank == op.root ? in.data : op.out.data, op.out.data, outCount, type, op.root, nccl, stream);
        });
    case Collective::Reduce:
        return m_issue(op.what, [&](ncclComm_t nccl) {
            return ncclReduce(in.data, op.out.data, count, type, reduction, op.root, nccl, stream);
        });
    case Collective::AllReduce:
        return m_issue(op.what,
            [&](ncclComm_t nccl) { return ncclAllReduce(in.data, op.out.data, count, type, reduction, nccl, stream); });
    case Collective::ReduceScatter:
        return m_issue(op.what, [&](ncclComm_t nccl) {
            return ncclReduceScatter(in.data, op.out.data, outCount, type, reduction, nccl, stream);
        });
    case Collective::AllGather:
        return m_issue(
            op.what, [&](ncclComm_t nccl) { return ncclAllGather(in.data, op.out.data, count, type, nccl, stream); });
    case Collective::Gather:
    case Collective::Scatter:
    case Collective::AllToAll:
    case Collective::SendReceive:
        return byMessages(op, stream);
    case Collective::Barrier:
        break;
    }
    return {};
}

Result<ConstView> NcclOperations::apart(const Operation& op)
{
    const bool isGiven = op.what != Collective::Scatter || m_rank == op.root;
    const bool overlap = isGiven && op.in.data != nullptr && op.out.data != nullptr
        && op.in.bytes() < op.out.bytes() + op.out.byteCount() && op.out.bytes() < op.in.bytes() + op.in.byteCount();
    if (!overlap) {
        return op.in;
    }
    LOCKSTEP_TRY_ASSIGN(m_scratch, m_memory->allocate(op.in.byteCount()));
    m_memory->copy(m_scratch.get(), op.in.data, op.in.byteCount());
    ConstView copy = op.in;
    copy.data = m_scratch.get();
    return copy;
}

Result<void> NcclOperations::byMessages(const Operation& op, cudaStream_t stream)
{
    LOCKSTEP_TRY_ASSIGN(const ConstView in, apart(op));
    return m_issue(op.what, [&](ncclComm_t nccl) {
        const ncclResult_t begun = ncclGroupStart();
        ncclResult_t result = begun;
        const auto note = [&result](ncclResult_t one) {
            if (one != ncclSuccess && one != ncclInProgress && result == ncclSuccess) {
                result = one;
            }
        };
        sendAndReceive(
            op, in,
            [&](const std::byte* from, std::size_t bytes, int to) {
                note(ncclSend(from, bytes, ncclUint8, to, nccl, stream));
            },
            [&](std::byte* to, std::size_t bytes, int from) {
                note(ncclRecv(to, bytes, ncclUint8, from, nccl, stream));
            });
        const ncclResult_t ended = ncclGroupEnd();
        return result == ncclSuccess ? ended : result;
    });
}

void NcclOperations::sendAndReceive(
    const Operation& op, const ConstView& in, const Send& send, const Receive& receive) const
{
    const bool isRoot = m_rank == op.root;
    if (op.what == Collective::SendReceive) {
        if (op.to >= 0) {
            send(in.bytes(), in.byteCount(), op.to);
        }
        if (op.from >= 0) {
            receive(op.out.bytes(), op.out.byteCount(), op.from);
        }
        return;
    }
    if (op.what == Collective::Gather) {
        send(in.bytes(), in.byteCount(), op.root);
        for (std::size_t r = 0; r < m_ranks && isRoot; ++r) {
            receive(op.out.bytes() + r * in.byteCount(), in.byteCount(), static_cast<int>(r));
        }
        return;
    }
    const std::size_t bytes = op.what == Collective::Scatter ? op.out.byteCount() : op.out.byteCount() / m_ranks;
    const bool sends = op.what == Collective::AllToAll || isRoot;
    for (std::size_t r = 0; r < m_ranks && sends; ++r) {
        send(in.bytes() + r * bytes, bytes, static_cast<int>(r));
    }
    if (op.what == Collective::Scatter) {
        receive(op.out.bytes(), bytes, op.root);
        return;
    }
    for (std::size_t r = 0; r < m_ranks; ++r) {
        receive(op.out.bytes() + r * bytes, bytes, static_cast<int>(r));
    }
}

/// Every rank gathers all arrays and reduces its own part of the result.
Result<void> NcclOperations::reduceByBits(const Operation& op, cudaStream_t stream)
{
    const std::size_t bytes = op.in.byteCount();
    LOCKSTEP_TRY_ASSIGN(const std::shared_ptr<std::byte> all, m_memory->allocate(bytes * m_ranks));
    auto gathered = m_issue(
        op.what, [&](ncclComm_t nccl) { return ncclAllGather(op.in.data, all.get(), bytes, ncclUint8, nccl, stream); });
    if (!gathered || (op.what == Collective::Reduce && m_rank != op.root)) {
        return gathered;
    }
    const bool isScatter = op.what == Collective::ReduceScatter;
    const std::size_t from = isScatter ? static_cast<std::size_t>(m_rank) * op.out.byteCount() : 0;
    std::vector<const void*> inputs;
    for (std::size_t r = 0; r < m_ranks; ++r) {
        inputs.push_back(all.get() + r * bytes + from);
    }
    m_memory->reduce(op.reduction, op.in.type, op.out.data, inputs, op.out.count);
    return {};
}

} // namespace lockstep::cuda
