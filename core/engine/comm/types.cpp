#include "engine/comm/types.h"

namespace lockstep::comm {

std::size_t sizeOf(DataType type)
{
    switch (type) {
    case DataType::Float64:
    case DataType::Int64:
        return 8;
    case DataType::Float32:
    case DataType::Int32:
        return 4;
    case DataType::Float16:
    case DataType::BFloat16:
        return 2;
    case DataType::UInt8:
        return 1;
    }
    return 1;
}

std::string_view nameOf(DataType type)
{
    constexpr std::string_view Names[] = {"float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8"};
    return Names[static_cast<std::size_t>(type)];
}

std::string_view nameOf(Reduction reduction)
{
    constexpr std::string_view Names[] = {"sum", "product", "min", "max", "band", "bor", "bxor"};
    return Names[static_cast<std::size_t>(reduction)];
}

Call callOf(Collective collective)
{
    static_assert(static_cast<int>(Call::Barrier) == static_cast<int>(Collective::Barrier));
    return static_cast<Call>(collective);
}

std::string_view nameOf(Collective collective)
{
    return collective == Collective::SendReceive ? "send_recv" : nameOf(callOf(collective));
}

bool isReducing(Collective collective)
{
    return collective == Collective::Reduce || collective == Collective::AllReduce
        || collective == Collective::ReduceScatter;
}

bool isInteger(DataType type)
{
    return type == DataType::Int32 || type == DataType::Int64 || type == DataType::UInt8;
}

bool isDefined(Reduction reduction, DataType type)
{
    return isInteger(type) || reduction < Reduction::BitAnd;
}

} // namespace lockstep::comm
