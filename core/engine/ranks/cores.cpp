#include "engine/ranks/cores.h"

#include <sched.h>
#include <vector>

namespace lockstep::engine {

std::int32_t coresAtStart()
{
    static const std::int32_t cores = [] {
        cpu_set_t allowed;
        return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    }();
    return cores;
}

void bindToCores(int rank, int ranks, int threads)
{
    static_cast<void>(coresAtStart());
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
        return;
    }
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed)) {
            cores.push_back(core);
        }
    }
    const int each = static_cast<int>(cores.size()) / ranks;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (each >= threads) {
        for (int i = rank * each; i < (rank + 1) * each; ++i) {
            CPU_SET(cores[static_cast<std::size_t>(i)], &mine);
        }
    } else if (threads == 1 && static_cast<std::size_t>(ranks) % cores.size() == 0) {
        CPU_SET(cores[static_cast<std::size_t>(rank) % cores.size()], &mine);
    } else {
        return;
    }
    // If this is not allowed, the kernel keeps choosing the cores.
    static_cast<void>(sched_setaffinity(0, sizeof(mine), &mine));
}

} // namespace lockstep::engine
