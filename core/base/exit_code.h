// The exit codes of `lockstep`.
#pragma once

namespace lockstep {

inline constexpr int ExitDone = 0;
inline constexpr int ExitPartlyDone = 1; ///< of `grade`: some files could not be read, the others are marked
inline constexpr int ExitBadInput = 2; ///< one line on stderr
inline constexpr int ExitRunFailed = 3;

} // namespace lockstep
