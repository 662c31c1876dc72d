#include "base/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockstep {

Descriptor::~Descriptor()
{
    close();
}

void Descriptor::close()
{
    if (m_number >= 0) {
        ::close(std::exchange(m_number, -1));
    }
}

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
        if (n <= 0) {
            errno = n == 0 ? EIO : errno;
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::ptrdiff_t readAll(int descriptor, char* to, std::size_t size)
{
    std::size_t got = 0;
    while (got < size) {
        const ssize_t n = uninterrupted([&] { return ::read(descriptor, to + got, size - got); });
        if (n < 0) {
            return -1;
        }
        if (n == 0) {
            break;
        }
        got += static_cast<std::size_t>(n);
    }
    return static_cast<std::ptrdiff_t>(got);
}

std::string readUpTo(int descriptor, std::size_t most)
{
    std::string text(most, '\0');
    const std::ptrdiff_t got = readAll(descriptor, text.data(), most);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

bool waitFor(int descriptor, short events, std::chrono::steady_clock::time_point deadline)
{
    while (true) {
        const auto left
            = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
        if (left <= 0) {
            return false;
        }
        pollfd entry{descriptor, events, 0};
        const int ready = poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
}

int connectBy(int socket, const sockaddr* address, unsigned length, std::chrono::steady_clock::time_point deadline)
{
    if (connect(socket, address, length) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS && errno != EINTR) { // after either the kernel still connects
        return errno;
    }
    if (!waitFor(socket, POLLOUT, deadline)) {
        return ETIMEDOUT;
    }
    int code = 0;
    socklen_t size = sizeof(code);
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
}

bool isTemporary(int code)
{
    return code == EAGAIN || code == EWOULDBLOCK || code == EINTR;
}

} // namespace lockstep
