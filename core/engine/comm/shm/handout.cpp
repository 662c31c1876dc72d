#include "engine/comm/shm/handout.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockstep::comm {

namespace {

using Clock = std::chrono::steady_clock;

class Socket {
public:
    explicit Socket(int descriptor)
        : m_descriptor(descriptor)
    { }
    ~Socket()
    {
        if (m_descriptor >= 0) {
            close(m_descriptor);
        }
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    [[nodiscard]] int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

struct Address {
    sockaddr_un address{};
    socklen_t length = 0;
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

Address addressOf(const std::string& name)
{
    Address result;
    result.address.sun_family = AF_UNIX;
    // A leading zero byte: the abstract namespace.
    const std::string text = "lockstep-" + std::to_string(getuid()) + "-" + name;
    const std::size_t size = std::min(text.size(), sizeof(result.address.sun_path) - 1);
    std::memcpy(result.address.sun_path + 1, text.data(), size);
    result.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
    return result;
}

Error failure(const std::string& what)
{
    return Error{"shared memory: " + what + ": " + std::strerror(errno)};
}

/// Anyone on the machine can connect to an abstract socket.
bool isSameUser(int socket)
{
    ucred peer{};
    socklen_t length = sizeof(peer);
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == getuid();
}

/// A message of one byte with room for a descriptor.
struct Parcel {
    char byte = 'L';
    iovec data{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};

    Parcel()
    {
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
    }
    Parcel(const Parcel&) = delete;
    Parcel& operator=(const Parcel&) = delete;
};

bool passDescriptor(int socket, int descriptor)
{
    Parcel parcel;
    cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    return sendmsg(socket, &parcel.message, MSG_NOSIGNAL) == 1;
}

/// -1 if none came.
int takeDescriptor(int socket)
{
    Parcel parcel;
    if (recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC) != 1) {
        return -1;
    }
    const cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) {
        return -1;
    }
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
    return descriptor;
}

int millisecondsUntil(Clock::time_point end)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(0, left));
}

Result<void> handOut(
    const Socket& listener, int descriptor, int size, Clock::time_point end, std::chrono::milliseconds timeout)
{
    for (int handed = 1; handed < size;) {
        pollfd entry{listener.get(), POLLIN, 0};
        if (poll(&entry, 1, millisecondsUntil(end)) <= 0 && Clock::now() >= end) {
            return Error{"shared memory: only " + std::to_string(handed) + " of " + std::to_string(size)
                + " ranks have come within " + std::to_string(timeout.count() / 1000) + " s"};
        }
        const Socket peer(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (peer.get() >= 0 && isSameUser(peer.get()) && passDescriptor(peer.get(), descriptor)) {
            ++handed;
        }
    }
    return {};
}

Result<int> fetch(const Address& address, Clock::time_point end, std::chrono::milliseconds timeout)
{
    while (Clock::now() < end) {
        const Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (socket.get() < 0) {
            return failure("socket");
        }
        if (connect(socket.get(), address.get(), address.length) == 0 && isSameUser(socket.get())) {
            if (const int descriptor = takeDescriptor(socket.get()); descriptor >= 0) {
                return descriptor;
            }
        }
        usleep(1000); // rank 0 is not there yet
    }
    return Error{"shared memory: rank 0 has not come within " + std::to_string(timeout.count() / 1000) + " s"};
}

} // namespace

Result<int> shareDescriptor(const std::string& name, int rank, int size, std::chrono::milliseconds timeout,
    const std::function<Result<int>()>& make)
{
    const Address address = addressOf(name);
    const auto end = Clock::now() + timeout;
    if (rank != 0) {
        return fetch(address, end, timeout);
    }
    const Socket listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (listener.get() < 0 || bind(listener.get(), address.get(), address.length) != 0
        || listen(listener.get(), size) != 0) {
        return failure("the rendezvous " + name);
    }
    const auto descriptor = make();
    if (!descriptor) {
        return descriptor;
    }
    if (auto handed = handOut(listener, *descriptor, size, end, timeout); !handed) {
        close(*descriptor);
        return handed.error();
    }
    return descriptor;
}

} // namespace lockstep::comm
