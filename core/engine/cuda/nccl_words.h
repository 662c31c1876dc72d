// Types and reductions in NCCL's words.
#pragma once

#include "engine/comm/types.h"

#include <nccl.h>

namespace lockstep::cuda {

inline ncclDataType_t typeOf(comm::DataType type)
{
    switch (type) {
    case comm::DataType::Float32:
        return ncclFloat32;
    case comm::DataType::Float64:
        return ncclFloat64;
    case comm::DataType::Float16:
        return ncclFloat16;
    case comm::DataType::BFloat16:
        return ncclBfloat16;
    case comm::DataType::Int32:
        return ncclInt32;
    case comm::DataType::Int64:
        return ncclInt64;
    case comm::DataType::UInt8:
        return ncclUint8;
    }
    return ncclUint8;
}

/// NCCL has none of these.
inline bool isByBits(comm::Reduction reduction)
{
    return reduction == comm::Reduction::BitAnd || reduction == comm::Reduction::BitOr
        || reduction == comm::Reduction::BitXor;
}

/// Of those that NCCL has.
inline ncclRedOp_t operationOf(comm::Reduction reduction)
{
    return reduction == comm::Reduction::Product ? ncclProd
        : reduction == comm::Reduction::Min      ? ncclMin
        : reduction == comm::Reduction::Max      ? ncclMax
                                                 : ncclSum;
}

} // namespace lockstep::cuda
