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
    if (errno != EINPROGRESS) {
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
