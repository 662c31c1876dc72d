// Rules that combine the ranks' arrays element by element and need them all at once: robust means (Yin, Chen,
// Ramchandran and Bartlett, "Byzantine-robust distributed learning: towards optimal statistical rates", 2018, section
// 3).
#pragma once

#include "engine/comm/types.h"

#include <span>

namespace lockstep::comm {

/// The middle value of each place, NaN where one of them is; of an even number of ranks the mean of the two middle
/// ones. Floating-point types of 4 and 8 bytes. `to` may be one of the arrays.
void medianOf(const View& to, std::span<const void* const> arrays);

/// The mean of each place without the `cut` largest and `cut` smallest values, NaN where one of them is; 2 `cut` must
/// be less than the arrays.
void trimmedMeanOf(const View& to, std::span<const void* const> arrays, int cut);

} // namespace lockstep::comm
