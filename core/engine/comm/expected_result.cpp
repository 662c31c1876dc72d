#include "engine/comm/expected_result.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lockstep::comm {

namespace {

void store(DataType type, std::byte* at, std::int64_t number)
{
    const auto put = [at](auto value) { std::memcpy(at, &value, sizeof(value)); };
    switch (type) {
    case DataType::Float32:
        return put(static_cast<float>(number));
    case DataType::Float64:
        return put(static_cast<double>(number));
    case DataType::Float16:
        return put(static_cast<_Float16>(number));
    case DataType::BFloat16: // the upper half of a float32: exact up to 256
        return put(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16));
    case DataType::Int32:
        return put(static_cast<std::int32_t>(number));
    case DataType::Int64:
        return put(number);
    case DataType::UInt8:
        return put(static_cast<std::uint8_t>(number));
    }
}

std::int64_t reduced(Reduction reduction, std::int64_t a, std::int64_t b)
{
    switch (reduction) {
    case Reduction::Sum:
        return a + b;
    case Reduction::Product:
        return a * b;
    case Reduction::Min:
        return std::min(a, b);
    case Reduction::Max:
        return std::max(a, b);
    case Reduction::BitAnd:
        return a & b;
    case Reduction::BitOr:
        return a | b;
    case Reduction::BitXor:
        return a ^ b;
    }
    return 0;
}

} // namespace

ExpectedResult::ExpectedResult(DataType type, Reduction reduction, int ranks)
    : m_type(type)
    , m_reduction(reduction)
    , m_ranks(ranks)
{ }

std::int64_t ExpectedResult::numberAt(int rank, std::int64_t place) const
{
    const std::int64_t mixed = rank * 37 + place * 11 + place / 97;
    switch (m_reduction) {
    case Reduction::Sum: // bfloat16 holds sums up to 256 exactly
        return mixed % std::max(2, 256 / m_ranks);
    case Reduction::Product: // and float16 products up to 2^8 of any number of ranks
        return rank < 8 ? 1 + mixed % 2 : 1;
    case Reduction::Min:
    case Reduction::Max:
    case Reduction::BitAnd:
    case Reduction::BitOr:
    case Reduction::BitXor:
        return mixed % 128;
    }
    return 0;
}

std::int64_t ExpectedResult::reducedAt(std::int64_t place) const
{
    std::int64_t result = numberAt(0, place);
    for (int rank = 1; rank < m_ranks; ++rank) {
        result = reduced(m_reduction, result, numberAt(rank, place));
    }
    return result;
}

void ExpectedResult::fill(const View& view, int rank) const
{
    for (std::int64_t i = 0; i < view.count; ++i) {
        store(m_type, view.bytes() + static_cast<std::size_t>(i) * sizeOf(m_type), numberAt(rank, i));
    }
}

std::int64_t ExpectedResult::expectedAt(const Operation& op, int rank, std::int64_t place) const
{
    switch (op.what) {
    case Collective::Reduce:
    case Collective::AllReduce:
        return reducedAt(place);
    case Collective::ReduceScatter:
        return reducedAt(rank * op.out.count + place);
    case Collective::Broadcast:
        return numberAt(op.root, place);
    case Collective::Scatter:
        return numberAt(op.root, rank * op.out.count + place);
    case Collective::Gather:
    case Collective::AllGather:
        return numberAt(static_cast<int>(place / op.in.count), place % op.in.count);
    case Collective::AllToAll: {
        const std::int64_t each = op.out.count / m_ranks;
        return numberAt(static_cast<int>(place / each), rank * each + place % each);
    }
    case Collective::SendReceive:
        return numberAt(op.from, place);
    case Collective::Barrier:
        break;
    }
    return 0;
}

std::int64_t ExpectedResult::countWrong(const Operation& op, int rank) const
{
    const bool isForRootAlone = op.what == Collective::Reduce || op.what == Collective::Gather;
    if (op.what == Collective::Barrier || (isForRootAlone && rank != op.root)) {
        return 0;
    }
    const std::size_t size = sizeOf(m_type);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < op.out.count; ++i) {
        std::array<std::byte, 8> expected{};
        store(m_type, expected.data(), expectedAt(op, rank, i));
        if (std::memcmp(expected.data(), op.out.bytes() + static_cast<std::size_t>(i) * size, size) != 0) {
            ++wrong;
        }
    }
    return wrong;
}

} // namespace lockstep::comm
