#include "engine/telemetry/recorder.h"
#include "wire/handshake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <variant>

#include <linux/sockios.h>

namespace lockstep::engine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t ReadBytes = 64u << 10;

std::string systemError(int code)
{
    return std::strerror(code);
}

/// An open descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number)
        : m_number(number)
    { }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    { }
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0) {
            close(m_number);
        }
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

/// True if `events` came before the deadline.
bool waitFor(int socket, short events, Clock::time_point deadline)
{
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            return false;
        }
        pollfd entry{socket, events, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
}

class SocketSink final : public Sink {
public:
    SocketSink(Descriptor socket, wire::FrameDecoder decoder)
        : m_socket(std::move(socket))
        , m_decoder(std::move(decoder))
    { }
    ~SocketSink() override
    {
        // Unread control messages would turn the close into a reset, which may cost the peer our last frames.
        shutdown(m_socket.number(), SHUT_WR);
        std::array<std::byte, 4096> unread{};
        while (recv(m_socket.number(), unread.data(), unread.size(), MSG_DONTWAIT) > 0) { }
    }
    SocketSink(const SocketSink&) = delete;
    SocketSink& operator=(const SocketSink&) = delete;

    [[nodiscard]] Result<void> write(std::span<const std::byte> frames) override
    {
        while (!frames.empty()) {
            const Result<std::size_t> sent = writeSome(frames);
            if (!sent) {
                return sent.error();
            }
            frames = frames.subspan(*sent);
            if (!frames.empty()) {
                waitFor(m_socket.number(), POLLOUT, Clock::now() + std::chrono::seconds(1));
            }
        }
        return {};
    }

    [[nodiscard]] Result<std::size_t> writeSome(std::span<const std::byte> frames) override
    {
        // MSG_NOSIGNAL: a closed peer is an error to report, not a fatal SIGPIPE.
        const ssize_t n = send(m_socket.number(), frames.data(), frames.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            return static_cast<std::size_t>(n);
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
            return std::size_t{0};
        }
        m_isLost = true;
        return Error{"the workbench is gone: " + systemError(errno)};
    }

    [[nodiscard]] std::optional<wire::Control> poll() override
    {
        readAll();
        while (true) {
            const auto frame = m_decoder.next();
            if (!frame) {
                m_isLost = true;
                return std::nullopt;
            }
            if (!*frame) {
                m_isLost = m_isLost || m_hasEnded; // only now: what came before the end has been handed out
                return std::nullopt;
            }
            const auto message = wire::decode(**frame);
            if (!message) {
                m_isLost = true;
                return std::nullopt;
            }
            if (const auto* control = std::get_if<wire::Control>(&*message)) {
                return *control;
            }
        }
    }

    [[nodiscard]] bool isLost() const override { return m_isLost; }
    [[nodiscard]] int descriptor() const override { return m_socket.number(); }
    [[nodiscard]] bool isDelivered() const override
    {
        int unacknowledged = 0;
        return m_isLost || ioctl(m_socket.number(), SIOCOUTQ, &unacknowledged) != 0 || unacknowledged == 0;
    }

private:
    void readAll()
    {
        std::array<std::byte, 4096> bytes{};
        while (!m_hasEnded) {
            const ssize_t n = recv(m_socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (n > 0) {
                m_decoder.feed(std::span(bytes).first(static_cast<std::size_t>(n)));
                continue;
            }
            if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
                return;
            }
            if (n < 0 && errno == EINTR) {
                continue;
            }
            m_hasEnded = true;
        }
    }

    Descriptor m_socket;
    wire::FrameDecoder m_decoder;
    bool m_hasEnded = false;
    bool m_isLost = false;
};

struct Endpoint {
    std::string host;
    std::string port;
};

Result<Endpoint> parseAddress(const std::string& address)
{
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) {
        return Error{"LOCKSTEP_TELEMETRY: \"" + address + "\" is not host:port"};
    }
    std::string host = address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    return Endpoint{host, address.substr(colon + 1)};
}

/// An error code, 0 when connected.
int connectOne(int socket, const addrinfo& target, Clock::time_point deadline)
{
    if (connect(socket, target.ai_addr, target.ai_addrlen) == 0) {
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

void setOptions(int socket)
{
    // A workbench on another machine that lost its power sends nothing; keep-alive notices after about 25 s.
    const int on = 1;
    const int idleSeconds = 10;
    const int intervalSeconds = 5;
    const int probes = 3;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idleSeconds, sizeof(idleSeconds));
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &intervalSeconds, sizeof(intervalSeconds));
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

/// `fd:7`: a socket that this process was started with.
Result<Descriptor> takeInherited(const std::string& address)
{
    constexpr std::string_view Prefix = "fd:";
    int number = -1;
    const char* const end = address.data() + address.size();
    const auto [rest, error] = std::from_chars(address.data() + Prefix.size(), end, number);
    if (error != std::errc() || rest != end || number < 0 || fcntl(number, F_SETFD, FD_CLOEXEC) != 0
        || fcntl(number, F_SETFL, O_NONBLOCK) != 0) {
        return Error{"LOCKSTEP_TELEMETRY: \"" + address + "\" is no open descriptor"};
    }
    return Descriptor(number);
}

Result<Descriptor> connectSocket(const std::string& address, Clock::time_point deadline)
{
    if (address.starts_with("fd:")) {
        return takeInherited(address);
    }
    const Result<Endpoint> endpoint = parseAddress(address);
    if (!endpoint) {
        return endpoint.error();
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int code = getaddrinfo(endpoint->host.c_str(), endpoint->port.c_str(), &hints, &found); code != 0) {
        return Error{"the workbench at " + address + " cannot be found: " + gai_strerror(code)};
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> targets(found, freeaddrinfo);
    int code = EHOSTUNREACH;
    for (const addrinfo* target = targets.get(); target != nullptr; target = target->ai_next) {
        Descriptor socket(::socket(target->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        code = socket.number() < 0 ? errno : connectOne(socket.number(), *target, deadline);
        if (code == 0) {
            setOptions(socket.number());
            return socket;
        }
    }
    return Error{"the workbench at " + address + " cannot be reached: " + systemError(code)};
}

Result<void> sendAll(int socket, std::span<const std::byte> bytes, Clock::time_point deadline)
{
    while (!bytes.empty()) {
        const ssize_t n = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            return Error{"the workbench closed the connection: " + systemError(errno)};
        } else if (!waitFor(socket, POLLOUT, deadline)) {
            return Error{"the workbench did not accept the hello"};
        }
    }
    return {};
}

/// Fills `bytes`. An error if the peer closes before.
Result<void> receiveAll(int socket, std::span<std::byte> bytes, Clock::time_point deadline)
{
    while (!bytes.empty()) {
        if (!waitFor(socket, POLLIN, deadline)) {
            return Error{"the workbench did not answer in time"};
        }
        const ssize_t n = recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
        } else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            return Error{fmt::format("the workbench closed the connection before it proved that it has this run's "
                                     "secret: it is another run's, or older than this rank (protocol version {})",
                wire::ProtocolVersion)};
        }
    }
    return {};
}

Error otherVersion(std::uint32_t workbench)
{
    return Error{fmt::format("the workbench speaks protocol version {}, this rank {}: build both from the same sources",
        workbench, wire::ProtocolVersion)};
}

/// The workbench's nonce, once it has proved that it has the secret.
Result<wire::Nonce> awaitProof(
    int socket, const wire::Secret& secret, const wire::Nonce& nonce, Clock::time_point deadline)
{
    std::array<std::byte, wire::ChallengeBytes> bytes{};
    const auto head = std::span(bytes).first<wire::HeadBytes>();
    LOCKSTEP_TRY(receiveAll(socket, head, deadline));
    const std::optional<std::uint32_t> version = wire::versionOf(head);
    if (!version) {
        return Error{"what answers at LOCKSTEP_TELEMETRY is not a workbench"};
    }
    if (*version != wire::ProtocolVersion) {
        return otherVersion(*version);
    }
    LOCKSTEP_TRY(receiveAll(socket, std::span(bytes).subspan<wire::HeadBytes>(), deadline));
    const std::optional<wire::Challenge> challenge = wire::readChallenge(bytes);
    if (!wire::isProofOf(wire::Side::Workbench, challenge->proof, secret, {nonce, challenge->nonce})) {
        return Error{"what answers at LOCKSTEP_TELEMETRY does not have this run's secret (LOCKSTEP_SECRET)"};
    }
    return challenge->nonce;
}

/// Both sides prove that they have the secret; then says hello.
Result<void> introduce(
    int socket, const wire::Secret& secret, std::span<const std::byte> hello, Clock::time_point deadline)
{
    wire::Nonces nonces;
    LOCKSTEP_TRY_ASSIGN(nonces.rank, wire::makeNonce());
    LOCKSTEP_TRY(sendAll(socket, wire::toBytes(wire::Opening{wire::ProtocolVersion, nonces.rank}), deadline));
    LOCKSTEP_TRY_ASSIGN(nonces.workbench, awaitProof(socket, secret, nonces.rank, deadline));
    LOCKSTEP_TRY_ASSIGN(const wire::Proof proof, wire::proofOf(wire::Side::Rank, secret, nonces));
    LOCKSTEP_TRY(sendAll(socket, proof, deadline));
    return sendAll(socket, hello, deadline);
}

Result<wire::Welcome> awaitWelcome(int socket, wire::FrameDecoder& decoder, Clock::time_point deadline)
{
    std::vector<std::byte> bytes(ReadBytes);
    while (true) {
        const auto frame = decoder.next();
        if (!frame) {
            return during("the workbench's answer cannot be read", frame.error());
        }
        if (*frame) {
            Result<wire::Message> message = wire::decode(**frame);
            if (!message) {
                return during("the workbench's answer cannot be read", message.error());
            }
            auto* welcome = std::get_if<wire::Welcome>(&*message);
            if (welcome == nullptr) {
                return Error{"the workbench did not answer with a welcome"};
            }
            if (welcome->protocol != wire::ProtocolVersion) {
                return otherVersion(welcome->protocol);
            }
            return std::move(*welcome);
        }
        if (!waitFor(socket, POLLIN, deadline)) {
            return Error{"the workbench did not answer in time"};
        }
        const ssize_t n = recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n == 0) {
            return Error{"the workbench refused the connection"};
        }
        if (n > 0) {
            decoder.feed(std::span(bytes).first(static_cast<std::size_t>(n)));
        } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            return Error{"the workbench closed the connection: " + systemError(errno)};
        }
    }
}

} // namespace

Result<SocketSession> connectToWorkbench(
    const std::string& address, const wire::Secret& secret, const wire::Hello& hello, std::chrono::milliseconds timeout)
{
    const Clock::time_point deadline = Clock::now() + timeout;
    LOCKSTEP_TRY_ASSIGN(const auto greeting, wire::encode(hello));
    Result<Descriptor> socket = connectSocket(address, deadline);
    if (!socket) {
        return socket.error();
    }
    LOCKSTEP_TRY(introduce(socket->number(), secret, greeting, deadline));
    wire::FrameDecoder decoder;
    Result<wire::Welcome> welcome = awaitWelcome(socket->number(), decoder, deadline);
    if (!welcome) {
        return welcome.error();
    }
    return SocketSession{std::make_unique<SocketSink>(std::move(*socket), std::move(decoder)), std::move(*welcome)};
}

} // namespace lockstep::engine
