#include "engine/comm/types.h"

namespace lockstep::comm {

std::size_t sizeOf(DataType type)
{
    constexpr std::size_t Sizes[] = {4, 8, 2, 2, 4, 8, 1};
    return rowOf(Sizes, type);
}

std::string_view nameOf(DataType type)
{
    constexpr std::string_view Names[] = {"float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8"};
    return rowOf(Names, type);
}

std::string_view nameOf(Reduction reduction)
{
    constexpr std::string_view Names[] = {"sum", "product", "min", "max", "band", "bor", "bxor"};
    return rowOf(Names, reduction);
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

bool hasRoot(Collective collective)
{
    return collective == Collective::Broadcast || collective == Collective::Reduce || collective == Collective::Gather
        || collective == Collective::Scatter;
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
