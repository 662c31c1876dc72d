// `lockstep-rank` as a function.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::engine {

/// Takes the arguments without the program's name, and for --version the sources it is built from; returns the exit
/// code: 0 finished or stopped, 2 refused, 3 failed.
[[nodiscard]] int runRankProgram(std::span<const std::string_view> arguments, const char* builtFrom);

} // namespace lockstep::engine
