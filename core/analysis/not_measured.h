// The value of a number that was not measured.
#pragma once

#include <limits>

namespace lockstep::analysis {

inline constexpr double NotMeasured = std::numeric_limits<double>::quiet_NaN();

} // namespace lockstep::analysis
