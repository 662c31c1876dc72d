// ReLU and the maxima of 2 x 2 windows in one pass over planes of float32 in row-major order, bit for bit what ATen's
// relu and max_pool2d(2) give one after the other: NaN is kept and is above every number, the first of equal numbers
// wins, an odd last row or column belongs to no window.
#pragma once

#include "engine/kernels/instruction_set.h"

#include <cstdint>

namespace lockstep::engine {

/// Of the input, with at least 4 columns; a plane of the output has rows / 2 x columns / 2 numbers, both rounded down.
struct PlaneShape {
    std::int64_t planes = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// `places`: as many bytes as there are outputs, for reluMaxPoolGradient().
void reluMaxPool(
    const float* input, const PlaneShape& shape, float* output, std::uint8_t* places, InstructionSet set = usedSet());

/// `gradient` is that of the output; writes all of that of the input.
void reluMaxPoolGradient(const float* gradient, const std::uint8_t* places, const PlaneShape& shape,
    float* inputGradient, InstructionSet set = usedSet());

} // namespace lockstep::engine
