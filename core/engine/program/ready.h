// The ready process (`lockstep-rank --ready FD`): it has loaded LibTorch, waits on a socket to the workbench, and forks
// the ranks of runs on the CPU, which then need not load it again. It has one thread, uses no GPU and no random number,
// and never reads the secret of a run: a rank reads it after the fork. Messages: wire/ready_messages.h.
#pragma once

#include <functional>

namespace lockstep::engine {

/// Forks ranks until the workbench closes its end of `socket`; then all of them are killed. Returns in the ready
/// process with its exit code, and in each rank with that of `train`, called with the rank's environment. Ranks are
/// killed with this process, as it is with the workbench.
[[nodiscard]] int forkRanks(int socket, const std::function<int()>& train);

} // namespace lockstep::engine
