// Why ranks send data to each other in training.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class TrafficKind : std::uint8_t {
    Activations, ///< between stages of a pipeline, and their gradients back
    LayerSums, ///< within layers that ranks share
    Gradients, ///< of weights that ranks have copies of
    Weights,
};

inline constexpr std::size_t TrafficKindCount = 4;
inline constexpr std::array<std::string_view, TrafficKindCount> TrafficKindNames{
    "activations", "layer_sums", "gradients", "weights"};

/// Bytes by kind.
using Traffic = std::array<std::int64_t, TrafficKindCount>;

} // namespace lockstep
