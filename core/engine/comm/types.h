// What is communicated: element types, reductions and views of memory. No LibTorch here.
#pragma once

#include "base/call.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep::comm {

/// The most ranks of one group on one machine.
inline constexpr int MaxRanks = 64;

enum class DataType : std::uint8_t { Float32, Float64, Float16, BFloat16, Int32, Int64, UInt8 };
inline constexpr DataType DataTypes[] = {DataType::Float32, DataType::Float64, DataType::Float16, DataType::BFloat16,
    DataType::Int32, DataType::Int64, DataType::UInt8};

/// Bit operations are for integers only.
enum class Reduction : std::uint8_t { Sum, Product, Min, Max, BitAnd, BitOr, BitXor };
inline constexpr Reduction Reductions[] = {Reduction::Sum, Reduction::Product, Reduction::Min, Reduction::Max,
    Reduction::BitAnd, Reduction::BitOr, Reduction::BitXor};

/// Of a table with a row for each.
template <typename Row>
[[nodiscard]] constexpr Row rowOf(const Row (&table)[std::size(DataTypes)], DataType type)
{
    return table[static_cast<std::size_t>(type)];
}
template <typename Row>
[[nodiscard]] constexpr Row rowOf(const Row (&table)[std::size(Reductions)], Reduction reduction)
{
    return table[static_cast<std::size_t>(reduction)];
}

enum class Collective : std::uint8_t {
    Broadcast,
    Reduce,
    AllReduce,
    Gather,
    AllGather,
    Scatter,
    ReduceScatter,
    AllToAll,
    Barrier,
    SendReceive
};
inline constexpr Collective AllCollectives[] = {Collective::Broadcast, Collective::Reduce, Collective::AllReduce,
    Collective::Gather, Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll,
    Collective::Barrier, Collective::SendReceive};
inline constexpr std::size_t CollectiveCount = std::size(AllCollectives);

[[nodiscard]] std::size_t sizeOf(DataType type);
/// As in LibTorch: `float32`, `bfloat16`, ...
[[nodiscard]] std::string_view nameOf(DataType type);
/// `sum`, `band`, ...
[[nodiscard]] std::string_view nameOf(Reduction reduction);
/// As in torch.distributed: `all_reduce`, ...
[[nodiscard]] std::string_view nameOf(Collective collective);
/// Collectives come first among the calls, in the same order. Not for SendReceive, which is two.
[[nodiscard]] Call callOf(Collective collective);
[[nodiscard]] bool isInteger(DataType type);
[[nodiscard]] bool isReducing(Collective collective);
[[nodiscard]] bool hasRoot(Collective collective);
/// Whether the reduction is defined for the type.
[[nodiscard]] bool isDefined(Reduction reduction, DataType type);

/// Where memory is: what the processor reads, or what only a device (a GPU) does.
enum class Space : std::uint8_t { Host, Device };

/// `count` elements in the caller's memory.
struct View {
    void* data = nullptr;
    std::int64_t count = 0;
    DataType type = DataType::Float32;
    Space space = Space::Host;

    [[nodiscard]] std::byte* bytes() const { return static_cast<std::byte*>(data); }
    [[nodiscard]] std::size_t byteCount() const { return static_cast<std::size_t>(count) * sizeOf(type); }
};

struct ConstView {
    const void* data = nullptr;
    std::int64_t count = 0;
    DataType type = DataType::Float32;
    Space space = Space::Host;

    ConstView() = default;
    ConstView(const void* memory, std::int64_t elements, DataType elementType, Space where = Space::Host)
        : data(memory)
        , count(elements)
        , type(elementType)
        , space(where)
    { }
    ConstView(const View& view) // NOLINT: reading is always allowed
        : data(view.data)
        , count(view.count)
        , type(view.type)
        , space(view.space)
    { }

    [[nodiscard]] const std::byte* bytes() const { return static_cast<const std::byte*>(data); }
    [[nodiscard]] std::size_t byteCount() const { return static_cast<std::size_t>(count) * sizeOf(type); }
};

} // namespace lockstep::comm
