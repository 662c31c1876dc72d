#include "engine/program/process.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockstep::engine {

void keepFreedMemory()
{
    constexpr int MapFrom = 1 << 30; // bytes; larger tensors than this are rare enough to be mapped
    mallopt(M_MMAP_THRESHOLD, MapFrom);
    mallopt(M_TRIM_THRESHOLD, MapFrom);
    mallopt(M_TOP_PAD, 16 << 20);
}

bool endWithParent()
{
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have gone between its fork and the line above.
    return getppid() == parent;
}

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

std::string environment(const char* variable)
{
    const char* text = std::getenv(variable);
    return text == nullptr ? std::string() : std::string(text);
}

} // namespace lockstep::engine
