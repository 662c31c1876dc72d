#include "engine/data/normalise.h"

#include <array>
#include <cstddef>

namespace lockstep::engine {

namespace {

// There are only 256 results: a table in the L1 cache takes one pass and rounds each of them once.
template <typename T>
void lookUp(std::span<const std::uint8_t> bytes, T* to)
{
    std::array<T, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<T>((static_cast<double>(i) / 255.0 - PixelMean) / PixelDeviation);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        to[i] = table[bytes[i]];
    }
}

} // namespace

void normalise(std::span<const std::uint8_t> bytes, float* to)
{
    lookUp(bytes, to);
}

void normalise(std::span<const std::uint8_t> bytes, double* to)
{
    lookUp(bytes, to);
}

} // namespace lockstep::engine
