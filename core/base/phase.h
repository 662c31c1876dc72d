// The phases of a step, which together cover all of a rank's time. One phase has one colour everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class Phase : std::uint8_t { Data, Forward, Backward, Communicate, Wait, Optimize, Evaluate };

inline constexpr std::size_t PhaseCount = 7;
inline constexpr std::array<std::string_view, PhaseCount> PhaseNames{
    "data", "forward", "backward", "communicate", "wait", "optimize", "evaluate"};

[[nodiscard]] constexpr std::string_view nameOf(Phase phase)
{
    return PhaseNames[static_cast<std::size_t>(phase)];
}

} // namespace lockstep
