#include "wire/silent_peer.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace lockstep::wire {

namespace {

constexpr int Probes = static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(SilenceLimit).count());

} // namespace

void probeWhenIdle(int socket)
{
    const int on = 1;
    const int seconds = 1;
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof(seconds));
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof(seconds));
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &Probes, sizeof(Probes));
}

void closeWhenSilent(int socket)
{
    probeWhenIdle(socket);
    const auto limitMs = static_cast<unsigned>(SilenceLimit.count());
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &limitMs, sizeof(limitMs));
}

bool isSilent(int socket)
{
    tcp_info facts{};
    socklen_t size = sizeof(facts);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &facts, &size) != 0) {
        return false;
    }
    const bool isOwed = facts.tcpi_unacked > 0 || facts.tcpi_probes >= Probes;
    return isOwed && std::chrono::milliseconds(facts.tcpi_last_ack_recv) > SilenceLimit;
}

} // namespace lockstep::wire
