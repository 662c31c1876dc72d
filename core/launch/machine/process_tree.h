// The processes below one, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace lockstep::launch {

struct ProcessTree {
    std::vector<pid_t> processes; ///< parents before their children; the first is the root, if it is there
    std::int64_t threads = 0; ///< of all of them
    std::int64_t residentBytes = 0; ///< shared pages count in each process
};
[[nodiscard]] ProcessTree processTree(pid_t root);
/// What they use together: a page that n processes share counts 1/n in each. Reads much more than processTree().
[[nodiscard]] std::int64_t proportionalBytes(const ProcessTree& tree);
/// SIGKILL to all of them.
void killTree(pid_t root);

} // namespace lockstep::launch
