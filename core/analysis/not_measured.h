// What stands for a number that there is none of.
#pragma once

#include <limits>

namespace lockstep::analysis {

inline constexpr double NotMeasured = std::numeric_limits<double>::quiet_NaN();

} // namespace lockstep::analysis
