// Converts bytes to the nets' input: (x / 255 - mean) / deviation, with the usual mean and deviation of each channel of
// the data set. No LibTorch.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace lockstep::engine {

/// Of the pixels of one channel, from 0 to 1.
struct ChannelScale {
    double mean = 0.0;
    double deviation = 1.0;
};

inline constexpr std::array MnistScale{ChannelScale{0.1307, 0.3081}};
inline constexpr std::array Cifar10Scale{
    ChannelScale{0.4914, 0.2470}, ChannelScale{0.4822, 0.2435}, ChannelScale{0.4465, 0.2616}};

/// `bytes`: planes of `planePixels` each, of the channels in turn. `to` has room for all of them.
void normalise(
    std::span<const std::uint8_t> bytes, std::span<const ChannelScale> channels, std::size_t planePixels, float* to);
void normalise(
    std::span<const std::uint8_t> bytes, std::span<const ChannelScale> channels, std::size_t planePixels, double* to);

} // namespace lockstep::engine
