// The collectives of the fake NCCL; see fake_nccl.h.
#include "fakes/cuda/fake_nccl.h"

#include "engine/comm/reduce.h"

#include <algorithm>
#include <cstring>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::tests::nccl;

namespace {

comm::DataType typeOf(ncclDataType_t type)
{
    switch (type) {
    case ncclFloat64:
        return comm::DataType::Float64;
    case ncclFloat32:
        return comm::DataType::Float32;
    case ncclFloat16:
        return comm::DataType::Float16;
    case ncclBfloat16:
        return comm::DataType::BFloat16;
    case ncclInt64:
        return comm::DataType::Int64;
    case ncclInt32:
        return comm::DataType::Int32;
    default:
        return comm::DataType::UInt8;
    }
}

comm::Reduction reductionOf(ncclRedOp_t operation)
{
    return operation == ncclProd ? comm::Reduction::Product
        : operation == ncclMin   ? comm::Reduction::Min
        : operation == ncclMax   ? comm::Reduction::Max
                                 : comm::Reduction::Sum;
}

/// The work on arrays of that size, run when the stream reaches it.
struct Arrays {
    const void* from;
    std::size_t fromBytes;
    void* to;
    std::size_t toBytes;
};

ncclResult_t collective(ncclComm_t comm, cudaStream_t stream, const nccl::Signature& signature, const Arrays& arrays,
    const std::function<void(const std::byte* from, std::byte* to)>& body)
{
    if (const ncclResult_t state = ensureReady(comm); state != ncclSuccess) {
        return state;
    }
    if (signature.root < 0 || signature.root >= comm->size) {
        return warn(ncclInvalidArgument, "a root that is not there");
    }
    if (isGrouping()) {
        return warn(ncclInvalidUsage, "the fake groups messages alone");
    }
    if (signature.count == 0) {
        return ncclSuccess;
    }
    return launch(comm, stream, [comm, signature, arrays, body] {
        const auto* from = arrays.fromBytes > 0 ? gpu::touch(arrays.from, arrays.fromBytes) : nullptr;
        auto* to = arrays.toBytes > 0 ? gpu::touch(arrays.to, arrays.toBytes) : nullptr;
        if ((arrays.fromBytes > 0 && from == nullptr) || (arrays.toBytes > 0 && to == nullptr)) {
            return;
        }
        comm->exchange.begin(signature);
        body(from, to);
    });
}

/// Whether `in` lies at that place of `out`, or apart from it.
bool isInOrder(const void* in, std::size_t inBytes, const void* out, std::size_t outBytes, const void* place)
{
    const auto* first = static_cast<const std::byte*>(in);
    const auto* second = static_cast<const std::byte*>(out);
    return in == place || !(first < second + outBytes && second < first + inBytes);
}

/// Of each rank's elements, beginning with those of another rank at each place.
void reduceSlots(ncclDataType_t type, ncclRedOp_t operation, std::byte* to, std::size_t size, int ranks,
    const std::array<const void*, nccl::MostRanks>& slots)
{
    std::array<const void*, nccl::MostRanks> turned = slots;
    std::rotate(turned.begin(), turned.begin() + 1, turned.begin() + ranks);
    comm::reduceArrays(reductionOf(operation), typeOf(type), to, {turned.data(), static_cast<std::size_t>(ranks)},
        static_cast<std::int64_t>(size / sizeOf(type)));
}

} // namespace

extern "C" {

ncclResult_t ncclBroadcast(
    const void* from, void* to, std::size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
    const std::size_t bytes = count * sizeOf(type);
    if (isThere(comm) && comm->rank == root && !isInOrder(from, bytes, to, bytes, to)) {
        return warn(ncclInvalidArgument, "in and out overlap");
    }
    const bool isRoot = isThere(comm) && comm->rank == root;
    return collective(comm, stream, {1, type, 0, root, count}, {from, isRoot ? bytes : 0, to, bytes},
        [=](const std::byte* in, std::byte* out) {
            comm->exchange.gather(bytes, in, [=](std::size_t begin, std::size_t size, const auto& slots) {
                std::memcpy(out + begin, slots[static_cast<std::size_t>(root)], size);
            });
        });
}

ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t operation,
    int root, ncclComm_t comm, cudaStream_t stream)
{
    const std::size_t bytes = count * sizeOf(type);
    const bool isRoot = isThere(comm) && comm->rank == root;
    if (isRoot && !isInOrder(from, bytes, to, bytes, to)) {
        return warn(ncclInvalidArgument, "in and out overlap");
    }
    return collective(comm, stream, {2, type, operation, root, count}, {from, bytes, to, isRoot ? bytes : 0},
        [=](const std::byte* in, std::byte* out) {
            comm->exchange.gather(bytes, in, [=](std::size_t begin, std::size_t size, const auto& slots) {
                if (isRoot) {
                    reduceSlots(type, operation, out + begin, size, comm->size, slots);
                }
            });
        });
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t operation,
    ncclComm_t comm, cudaStream_t stream)
{
    const std::size_t bytes = count * sizeOf(type);
    if (!isInOrder(from, bytes, to, bytes, to)) {
        return warn(ncclInvalidArgument, "in and out overlap");
    }
    return collective(comm, stream, {3, type, operation, 0, count}, {from, bytes, to, bytes},
        [=](const std::byte* in, std::byte* out) {
            comm->exchange.gather(bytes, in, [=](std::size_t begin, std::size_t size, const auto& slots) {
                reduceSlots(type, operation, out + begin, size, comm->size, slots);
            });
        });
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
    ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream)
{
    const std::size_t bytes = count * sizeOf(type);
    const auto ranks = static_cast<std::size_t>(isThere(comm) ? comm->size : 1);
    const auto own = static_cast<std::size_t>(isThere(comm) ? comm->rank : 0);
    if (!isInOrder(from, ranks * bytes, to, bytes, static_cast<std::byte*>(to) - own * bytes)) {
        return warn(ncclInvalidArgument, "in and out overlap");
    }
    return collective(comm, stream, {4, type, operation, 0, count}, {from, ranks * bytes, to, bytes},
        [=](const std::byte* in, std::byte* out) {
            for (std::size_t part = 0; part < ranks; ++part) {
                comm->exchange.gather(
                    bytes, in + part * bytes, [=](std::size_t begin, std::size_t size, const auto& slots) {
                        if (part == own) {
                            reduceSlots(type, operation, out + begin, size, comm->size, slots);
                        }
                    });
            }
        });
}

ncclResult_t ncclAllGather(
    const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
    const std::size_t bytes = count * sizeOf(type);
    const auto ranks = static_cast<std::size_t>(isThere(comm) ? comm->size : 1);
    const auto own = static_cast<std::size_t>(isThere(comm) ? comm->rank : 0);
    if (!isInOrder(from, bytes, to, ranks * bytes, static_cast<std::byte*>(to) + own * bytes)) {
        return warn(ncclInvalidArgument, "in and out overlap");
    }
    return collective(comm, stream, {5, type, 0, 0, count}, {from, bytes, to, ranks * bytes},
        [=](const std::byte* in, std::byte* out) {
            comm->exchange.gather(bytes, in, [=](std::size_t begin, std::size_t size, const auto& slots) {
                for (std::size_t r = 0; r < ranks; ++r) {
                    std::memcpy(out + r * bytes + begin, slots[r], size);
                }
            });
        });
}

} // extern "C"
