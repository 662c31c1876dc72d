// How far a step of a student's optimizer may be from the rule's. Private to core/laboratory/code.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace lockstep::laboratory {

/// What rounding may change, in any order of operations.
struct Rounding {
    double ofChange = 0.0; ///< of the largest change of a parameter
    double ofWeight = 0.0; ///< of a weight as it is stored
};
inline constexpr Rounding Single{1e-4, 4.0 * 1.1920929e-7};
inline constexpr Rounding Double{1e-9, 4.0 * 2.220446e-16};

/// The first element after the step that is not the rule's; inf and nan must be the same.
[[nodiscard]] std::optional<std::size_t> differingElement(const Rounding& rounding, const std::vector<double>& before,
    const std::vector<double>& after, const std::vector<double>& got);

} // namespace lockstep::laboratory
