// What a rank's memory is used for. One kind has one colour everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace lockstep {

/// Optimizer: moments. Activations: results of layers that backward reads, and what passes make on their way. Data: the
/// data set and the batch. Other: buffers of communication and scratch. Workspace: of cuBLAS, on a GPU. Stored by
/// place: a new kind is the last one.
enum class MemoryKind : std::uint8_t { Parameters, Gradients, Optimizer, Activations, Data, Other, Workspace };

inline constexpr std::size_t MemoryKindCount = 7;
inline constexpr std::array<std::string_view, MemoryKindCount> MemoryKindNames{
    "parameters", "gradients", "optimizer", "activations", "data", "other", "workspace"};

[[nodiscard]] constexpr std::string_view nameOf(MemoryKind kind)
{
    return MemoryKindNames[static_cast<std::size_t>(kind)];
}

/// By MemoryKind.
using MemoryBytes = std::array<std::int64_t, MemoryKindCount>;

[[nodiscard]] constexpr std::int64_t of(const MemoryBytes& bytes, MemoryKind kind)
{
    return bytes[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::int64_t& of(MemoryBytes& bytes, MemoryKind kind)
{
    return bytes[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::int64_t sumOf(const MemoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

/// Parameters, gradients and optimizer state: the "16 bytes per parameter".
[[nodiscard]] constexpr std::int64_t statesOf(const MemoryBytes& bytes)
{
    return of(bytes, MemoryKind::Parameters) + of(bytes, MemoryKind::Gradients) + of(bytes, MemoryKind::Optimizer);
}

} // namespace lockstep
