// Labelled images as bytes, the result of every reader. No LibTorch.
#pragma once

#include "experiment/spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::datasets {

/// Pixels image by image, channel by channel, row by row; one label for each image.
struct LabelledBytes {
    std::int64_t count = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::uint8_t> pixels{};
    std::vector<std::uint8_t> labels{};
    std::int64_t channels = 1;

    [[nodiscard]] std::int64_t imageBytes() const { return channels * rows * columns; }
};

struct ImageSet {
    LabelledBytes train;
    LabelledBytes test;
};

/// Of the pixels of one channel, from 0 to 1.
struct ChannelScale {
    double mean = 0.0;
    double deviation = 1.0;
};

inline constexpr std::int64_t MostDataBytes = std::int64_t{16} << 30; ///< that a reader accepts, uncompressed

} // namespace lockstep::datasets
