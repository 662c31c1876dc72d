// The exit codes of `lockstep`.
#pragma once

namespace lockstep {

inline constexpr int ExitDone = 0;
inline constexpr int ExitBadInput = 2; ///< one line on stderr
inline constexpr int ExitRunFailed = 3;

} // namespace lockstep
