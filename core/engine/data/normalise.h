// Converts bytes to the nets' input: (x / 255 - mean) / deviation with MNIST's usual mean and deviation. No LibTorch.
#pragma once

#include <cstdint>
#include <span>

namespace lockstep::engine {

inline constexpr double PixelMean = 0.1307;
inline constexpr double PixelDeviation = 0.3081;

/// `to` has room for all of `bytes`.
void normalise(std::span<const std::uint8_t> bytes, float* to);
void normalise(std::span<const std::uint8_t> bytes, double* to);

} // namespace lockstep::engine
