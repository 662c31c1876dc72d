// The built-in data set: pictures of digits as a hand might write them, drawn from strokes. No LibTorch.
#pragma once

#include "base/random.h"
#include "datasets/images.h"

namespace lockstep::datasets {

enum class DigitsPart : std::uint64_t { Train = 1, Test = 2 };

inline constexpr int DigitsSide = 28;

/// `count` pictures of 28 x 28. Picture i depends on (seed, part, i) only, so a smaller set is the beginning of a
/// larger one. The sizes of classes differ by at most one.
[[nodiscard]] LabelledBytes makeDigits(Seed seed, DigitsPart part, std::int64_t count);

} // namespace lockstep::datasets
