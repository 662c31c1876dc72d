#include "engine/data/normalise.h"

#include <cstddef>
#include <vector>

namespace lockstep::engine {

namespace {

// There are only 256 results a channel: tables in the L1 cache take one pass and round each of them once.
template <typename T>
void lookUp(std::span<const std::uint8_t> bytes, std::span<const ChannelScale> channels, std::size_t planePixels, T* to)
{
    std::vector<std::array<T, 256>> tables(channels.size());
    for (std::size_t channel = 0; channel < channels.size(); ++channel) {
        const auto& [mean, deviation] = channels[channel];
        for (std::size_t i = 0; i < tables[channel].size(); ++i) {
            tables[channel][i] = static_cast<T>((static_cast<double>(i) / 255.0 - mean) / deviation);
        }
    }
    for (std::size_t first = 0, plane = 0; first < bytes.size(); first += planePixels, ++plane) {
        const std::array<T, 256>& table = tables[plane % tables.size()];
        for (std::size_t i = first; i < first + planePixels; ++i) {
            to[i] = table[bytes[i]];
        }
    }
}

} // namespace

void normalise(
    std::span<const std::uint8_t> bytes, std::span<const ChannelScale> channels, std::size_t planePixels, float* to)
{
    lookUp(bytes, channels, planePixels, to);
}

void normalise(
    std::span<const std::uint8_t> bytes, std::span<const ChannelScale> channels, std::size_t planePixels, double* to)
{
    lookUp(bytes, channels, planePixels, to);
}

} // namespace lockstep::engine
