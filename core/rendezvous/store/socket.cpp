#include "rendezvous/store/socket.h"

#include "wire/silent_peer.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <vector>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace lockstep::rendezvous {

namespace {

constexpr std::string_view CannotBeReached = LS_TR("Messages", "%1 port %2 cannot be reached: %3");

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Result<Addresses> resolve(const std::string& host, std::uint16_t port, int flags)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags;
    addrinfo* found = nullptr;
    if (const int code = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); code != 0) {
        return failure(LS_TR("Messages", "%1 cannot be found: %2"), {verbatim(host), verbatim(gai_strerror(code))});
    }
    return Addresses(found, freeaddrinfo);
}

std::string numericHost(const sockaddr* address, socklen_t length)
{
    std::array<char, NI_MAXHOST> text{};
    const int code
        = getnameinfo(address, length, text.data(), static_cast<socklen_t>(text.size()), nullptr, 0, NI_NUMERICHOST);
    return code == 0 ? std::string(text.data()) : std::string();
}

} // namespace

Result<Socket> listenOn(const std::string& address, std::uint16_t port)
{
    LOCKSTEP_TRY_ASSIGN(const auto found, resolve(address, port, AI_NUMERICHOST | AI_PASSIVE));
    Socket socket(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1;
    if (!socket.isOpen() || setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0
        || bind(socket.number(), found->ai_addr, found->ai_addrlen) != 0 || listen(socket.number(), SOMAXCONN) != 0) {
        return failure(LS_TR("Messages", "cannot listen on %1 port %2: %3"), {verbatim(address), port, systemError()});
    }
    return socket;
}

Result<Socket> connectTo(const std::string& host, std::uint16_t port, SocketClock::time_point deadline)
{
    LOCKSTEP_TRY_ASSIGN(const auto found, resolve(host, port, 0));
    int code = EHOSTUNREACH;
    for (const addrinfo* target = found.get(); target != nullptr; target = target->ai_next) {
        Socket socket(::socket(target->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        code = socket.isOpen() ? connectBy(socket.number(), target->ai_addr, target->ai_addrlen, deadline) : errno;
        if (code == 0) {
            return socket;
        }
    }
    return failure(CannotBeReached, {verbatim(host), port, systemError(code)});
}

bool isUnreachable(const Error& error)
{
    return error.pattern == CannotBeReached;
}

std::vector<std::string> addressesOf(const std::string& host)
{
    std::vector<std::string> addresses;
    const auto found = resolve(host, 0, 0);
    for (const addrinfo* each = found ? found->get() : nullptr; each != nullptr; each = each->ai_next) {
        addresses.push_back(numericHost(each->ai_addr, each->ai_addrlen));
    }
    return addresses;
}

std::string ownAddress(const Socket& socket)
{
    sockaddr_storage address{};
    socklen_t length = sizeof(address);
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    return getsockname(socket.number(), plain, &length) == 0 ? numericHost(plain, length) : std::string();
}

std::uint16_t ownPort(const Socket& socket)
{
    sockaddr_storage address{};
    socklen_t length = sizeof(address);
    if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        return 0;
    }
    return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                                               : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

void useForMessages(const Socket& socket)
{
    const int on = 1;
    const auto limitMs = static_cast<unsigned>(wire::SilenceLimit.count());
    setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(socket.number(), IPPROTO_TCP, TCP_USER_TIMEOUT, &limitMs, sizeof(limitMs));
}

Result<void> sendAll(const Socket& socket, std::span<const std::byte> bytes, SocketClock::time_point deadline)
{
    while (!bytes.empty()) {
        const ssize_t n = send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        } else if (!isTemporary(errno)) {
            return failureOf(systemError());
        } else if (!waitFor(socket.number(), POLLOUT, deadline)) {
            return failure(LS_TR("Messages", "it does not accept our messages"));
        }
    }
    return {};
}

Result<void> receiveAll(const Socket& socket, std::span<std::byte> bytes, SocketClock::time_point deadline)
{
    while (!bytes.empty()) {
        if (!waitFor(socket.number(), POLLIN, deadline)) {
            return failure(LS_TR("Messages", "it does not answer"));
        }
        const ssize_t n = recv(socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        } else if (n == 0 || !isTemporary(errno)) {
            return failure(LS_TR("Messages", "it closed the connection"));
        }
    }
    return {};
}

} // namespace lockstep::rendezvous
