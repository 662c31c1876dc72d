#include "base/allowed_cores.h"

#include <sched.h>

namespace lockstep {

std::vector<int> coresOfThisThread()
{
    cpu_set_t allowed;
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
        return cores;
    }
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed)) {
            cores.push_back(core);
        }
    }
    return cores;
}

} // namespace lockstep
