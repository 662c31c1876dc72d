#include "engine/comm/shm/share_descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lockstep::comm {

namespace {

using Clock = std::chrono::steady_clock;

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

Error handoutFailure(const Text& what)
{
    return failure(LS_TR("Messages", "shared memory: %1: %2"), {what, systemError()});
}

/// Anyone on the machine can connect to an abstract socket.
bool isSameUser(int socket)
{
    ucred peer{};
    socklen_t length = sizeof(peer);
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == getuid();
}

/// What a rank says of itself before it is given anything.
struct Greeting {
    std::int32_t rank = 0;
    std::int32_t size = 0;
    std::array<char, 64> what{};

    explicit Greeting(const Rendezvous& own)
        : rank(own.rank)
        , size(own.size)
    {
        std::copy_n(own.what.begin(), std::min(own.what.size(), what.size()), what.begin());
    }
};

/// What rank 0 answers with.
enum class Answer : char {
    Welcome = 'W', ///< a descriptor comes with it
    OtherSize = 'S',
    OtherRun = 'R',
    Twice = 'T'
};

constexpr const char* TellJobsApart = LS_TR("Messages", "set LOCKSTEP_RUN to a different value for each job");

Error refusalOf(Answer answer, const Greeting& rank)
{
    const Text who = rankName(rank.rank);
    switch (answer) {
    case Answer::OtherSize:
        return failure(LS_TR("Messages",
                           "%1 of %2 joined, but rank 0 expects a different number of ranks: give all ranks of a job "
                           "the same WORLD_SIZE, and %3"),
            {who, rank.size, TellJobsApart});
    case Answer::OtherRun:
        return failure(
            LS_TR("Messages",
                "%1 was started with a different spec than rank 0: give all ranks of a job the same, and %2"),
            {who, TellJobsApart});
    case Answer::Twice:
        return failure(LS_TR("Messages", "%1 joined twice: two jobs use the same name; %2"), {who, TellJobsApart});
    case Answer::Welcome:
        break;
    }
    return failure(LS_TR("Messages", "%1 was refused by rank 0"), {who});
}

/// A message of one byte with room for a descriptor.
struct Parcel {
    Answer answer = Answer::Welcome;
    iovec data{&answer, 1};
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
    return uninterrupted([&] { return sendmsg(socket, &parcel.message, MSG_NOSIGNAL); }) == 1;
}

struct Taken {
    Answer answer = Answer::Welcome;
    Descriptor descriptor{}; ///< not open: none came
};

Taken takeDescriptor(int socket)
{
    Parcel parcel;
    if (uninterrupted([&] { return recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC); }) != 1) {
        return {};
    }
    const cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) {
        return {parcel.answer};
    }
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof(int));
    return {parcel.answer, Descriptor(number)};
}

int millisecondsUntil(Clock::time_point end)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(0, left));
}

/// No other rank waits while this rank is asked who it is, so that takes a second at most.
bool readGreeting(int socket, Greeting& greeting)
{
    const timeval second{1, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
    return readAll(socket, reinterpret_cast<char*>(&greeting), sizeof(greeting)) // NOLINT: bytes of a message
        == static_cast<std::ptrdiff_t>(sizeof(greeting));
}

Answer answerTo(const Greeting& rank, const Greeting& own, const std::vector<bool>& hasCome)
{
    if (rank.size != own.size || rank.rank < 1 || rank.rank >= own.size) {
        return Answer::OtherSize;
    }
    if (rank.what != own.what) {
        return Answer::OtherRun;
    }
    return hasCome[static_cast<std::size_t>(rank.rank)] ? Answer::Twice : Answer::Welcome;
}

Result<void> passDescriptors(const Descriptor& listener, int descriptor, const Rendezvous& own, Clock::time_point end)
{
    const Greeting mine(own);
    std::vector<bool> hasCome(static_cast<std::size_t>(own.size));
    for (int handed = 1; handed < own.size;) {
        if (!waitFor(listener.number(), POLLIN, end)) {
            return failure(LS_TR("Messages", "shared memory: only %1 of %2 ranks have arrived within %3 s"),
                {handed, own.size, own.timeout.count() / 1000});
        }
        const Descriptor peer(
            uninterrupted([&] { return accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC); }));
        Greeting rank(own);
        if (!peer.isOpen() || !isSameUser(peer.number()) || !readGreeting(peer.number(), rank)) {
            continue;
        }
        const Answer answer = answerTo(rank, mine, hasCome);
        if (answer != Answer::Welcome) {
            send(peer.number(), &answer, sizeof(answer), MSG_NOSIGNAL);
            return refusalOf(answer, rank);
        }
        if (passDescriptor(peer.number(), descriptor)) {
            hasCome[static_cast<std::size_t>(rank.rank)] = true;
            ++handed;
        }
    }
    return {};
}

Result<Descriptor> fetch(const Address& address, const Rendezvous& own, Clock::time_point end)
{
    const Greeting greeting(own);
    while (Clock::now() < end) {
        const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (!socket.isOpen()) {
            return handoutFailure(verbatim("socket"));
        }
        const bool isConnected
            = uninterrupted([&] { return connect(socket.number(), address.get(), address.length); }) == 0
            && isSameUser(socket.number());
        const auto greet = [&] { return send(socket.number(), &greeting, sizeof(greeting), MSG_NOSIGNAL); };
        if (isConnected && uninterrupted(greet) == sizeof(greeting)) {
            const auto left = millisecondsUntil(end);
            const timeval limit{left / 1000, left % 1000 * 1000 + 1}; // 0 would be none
            setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
            Taken taken = takeDescriptor(socket.number());
            if (taken.answer != Answer::Welcome) {
                return refusalOf(taken.answer, greeting);
            }
            if (taken.descriptor.isOpen()) {
                return std::move(taken.descriptor);
            }
        }
        usleep(1000); // rank 0 is not there yet
    }
    return failure(
        LS_TR("Messages", "shared memory: rank 0 has not arrived within %1 s"), {own.timeout.count() / 1000});
}

} // namespace

Result<Descriptor> shareDescriptor(const Rendezvous& rendezvous, const std::function<Result<Descriptor>()>& make)
{
    const Address address = addressOf(rendezvous.name);
    const auto end = Clock::now() + rendezvous.timeout;
    if (rendezvous.rank != 0) {
        return fetch(address, rendezvous, end);
    }
    const Text where(LS_TR("Messages", "the rendezvous %1"), {verbatim(rendezvous.name)});
    const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!listener.isOpen()) {
        return handoutFailure(verbatim("socket"));
    }
    if (bind(listener.number(), address.get(), address.length) != 0) {
        return errno == EADDRINUSE ? failure(LS_TR("Messages", "another job of this user is using the name %1: %2"),
                   {verbatim(rendezvous.name), TellJobsApart})
                                   : handoutFailure(where);
    }
    if (listen(listener.number(), rendezvous.size) != 0) {
        return handoutFailure(where);
    }
    LOCKSTEP_TRY_ASSIGN(Descriptor made, make());
    LOCKSTEP_TRY(passDescriptors(listener, made.number(), rendezvous, end));
    return made;
}

} // namespace lockstep::comm
