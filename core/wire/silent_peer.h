// TCP connections between machines: a peer whose machine or network is gone is to be noticed within seconds.
#pragma once

#include <chrono>

namespace lockstep::wire {

/// A connection whose other side acknowledges nothing for so long is lost.
inline constexpr std::chrono::milliseconds SilenceLimit{3'000};

/// The system probes the other side of an idle connection each second, and closes it when nothing answers for
/// SilenceLimit.
void probeWhenIdle(int socket);
/// The same also while something that was sent waits. For a side that sends little: the system closes the connection of
/// a peer that answers, but does not read, as well.
void closeWhenSilent(int socket);
/// Whether nothing has come for SilenceLimit in answer to what was sent. A peer that does not read answers.
[[nodiscard]] bool isSilent(int socket);

} // namespace lockstep::wire
