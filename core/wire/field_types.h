// How field types are stored in a FlatBuffer. Private to the room.
#pragma once

#include "base/memory_kind.h"
#include "wire/messages.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace lockstep::wire {

template <typename M>
concept HasRows = requires(const M& message)
{
    message.rows;
};

template <typename T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <typename T>
struct Raw {
    using Type = T;
};
template <>
struct Raw<bool> {
    using Type = std::uint8_t;
};
template <typename T>
requires std::is_enum_v<T>
struct Raw<T> {
    using Type = std::underlying_type_t<T>;
};
/// As FlatBuffers stores it: enums as their numbers.
template <Scalar T>
using RawOf = typename Raw<T>::Type;

/// A row's value of several columns: an array, which may be absent.
template <typename T>
struct Columns {
    static constexpr std::size_t Count = 0;
};
template <std::size_t N>
struct Columns<std::array<std::int64_t, N>> {
    static constexpr std::size_t Count = N;
};
template <std::size_t N>
struct Columns<std::optional<std::array<std::int64_t, N>>> : Columns<std::array<std::int64_t, N>> { };

/// True if every row has the default value.
template <typename Row, typename T>
[[nodiscard]] bool isAllDefault(const std::vector<Row>& rows, T Row::*member)
{
    for (const Row& row : rows) {
        if (!(row.*member == Row{}.*member)) {
            return false;
        }
    }
    return true;
}

} // namespace lockstep::wire
