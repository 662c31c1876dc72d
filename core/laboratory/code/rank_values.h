// What every rank holds before and after an exercise: drawn by a seed, compared within the rounding of float32 sums.
#pragma once

#include "base/random.h"
#include "base/result.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

using Values = std::vector<double>;
using RankValues = std::vector<Values>; ///< by rank: as many elements each

/// Numbers of float32 in [-2, 2).
[[nodiscard]] Values drawnValues(Random& random, std::size_t count);
[[nodiscard]] RankValues drawnRankValues(Random& random, int world, std::size_t count);

/// The sum over the ranks, by element.
[[nodiscard]] Values sumOf(const RankValues& values);
/// The same of absolute values: what the rounding of a sum is measured by.
[[nodiscard]] Values magnitudeOf(const RankValues& values);
/// `edit` of each element.
[[nodiscard]] Values mapped(const Values& values, const std::function<double(double)>& edit);
/// These on every rank.
[[nodiscard]] RankValues onAll(const Values& values, std::size_t world);

/// What the magnitudes of float64 are multiplied by: their rounding against that of float32.
inline constexpr double DoubleError = 1e-7;
/// The first element that differs by more than sums in another order may: 1e-5 of `magnitude`. Another size differs
/// at its end.
[[nodiscard]] std::optional<std::size_t> differingElement(
    const Values& got, const Values& expected, const Values& magnitude);
[[nodiscard]] bool isNear(const RankValues& got, const RankValues& expected, const Values& magnitude);

/// `element 3 is 1.5 instead of 2`; a missing element has its own sentence.
[[nodiscard]] Error elementFault(const Values& got, const Values& expected, std::size_t element);

} // namespace lockstep::laboratory
