#include "engine/program/process.h"

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstdlib>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockstep::engine {

namespace {

std::uint16_t freePortOf(in_addr_t where)
{
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(where);
    socklen_t length = sizeof(address);
    // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): how the socket calls take addresses
    const bool isBound = bind(listener, reinterpret_cast<const sockaddr*>(&address), length) == 0
        && getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
    close(listener);
    return isBound ? ntohs(address.sin_port) : std::uint16_t{0};
}

} // namespace

void keepFreedMemory()
{
    constexpr int MapFrom = 1 << 30; // bytes; larger tensors than this are rare enough to be mapped
    mallopt(M_MMAP_THRESHOLD, MapFrom);
    mallopt(M_TRIM_THRESHOLD, MapFrom);
    mallopt(M_TOP_PAD, 16 << 20);
}

void ignoreBrokenPipes()
{
    std::signal(SIGPIPE, SIG_IGN);
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

std::uint16_t freePort()
{
    return freePortOf(INADDR_LOOPBACK);
}

std::uint16_t freePortOfHost()
{
    return freePortOf(INADDR_ANY);
}

} // namespace lockstep::engine
