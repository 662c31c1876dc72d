#include "engine/telemetry/recorder.h"
#include "engine/telemetry/stream.h"
#include "wire/handshake.h"
#include "wire/silent_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
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

constexpr std::size_t ReadBytes = 64u << 10;
constexpr std::string_view CannotBeReached = LS_TR("Messages", "the workbench at %1 cannot be reached: %2");

class SocketSink final : public Sink {
public:
    /// `isAway`: the workbench may be on another machine.
    SocketSink(std::unique_ptr<Stream> stream, wire::FrameDecoder decoder, bool isAway)
        : m_stream(std::move(stream))
        , m_decoder(std::move(decoder))
        , m_isAway(isAway)
    { }
    ~SocketSink() override
    {
        // Unread control messages would turn the close into a reset, which may cost the peer our last frames.
        m_stream->endSending();
        std::array<std::byte, 4096> unread{};
        while (recv(m_stream->descriptor(), unread.data(), unread.size(), MSG_DONTWAIT) > 0) { }
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
                static_cast<void>(waitFor(m_stream->descriptor(), POLLOUT, Clock::now() + std::chrono::seconds(1)));
            }
        }
        return {};
    }

    [[nodiscard]] Result<std::size_t> writeSome(std::span<const std::byte> frames) override
    {
        if (m_isAway && wire::isSilent(m_stream->descriptor())) {
            m_isLost = true;
            return failure(LS_TR("Messages", "the workbench is gone: nothing has been received from it for %1 s"),
                {std::chrono::duration_cast<std::chrono::seconds>(wire::SilenceLimit).count()});
        }
        auto sent = m_stream->send(frames);
        m_isLost = m_isLost || !sent;
        return sent ? std::move(sent) : during(LS_TR("Messages", "the workbench is gone"), sent.error());
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
    [[nodiscard]] int descriptor() const override { return m_stream->descriptor(); }
    [[nodiscard]] bool isDelivered() const override
    {
        int unacknowledged = 0;
        return m_isLost || ioctl(m_stream->descriptor(), SIOCOUTQ, &unacknowledged) != 0 || unacknowledged == 0;
    }

private:
    void readAll()
    {
        std::array<std::byte, 4096> bytes{};
        while (!m_hasEnded) {
            const auto received = m_stream->receive(bytes);
            m_hasEnded = !received;
            if (m_hasEnded || *received == 0) {
                return;
            }
            m_decoder.feed(std::span(bytes).first(*received));
        }
    }

    std::unique_ptr<Stream> m_stream;
    wire::FrameDecoder m_decoder;
    bool m_isAway;
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
        return refusal("LOCKSTEP_TELEMETRY", LS_TR("Messages", "\"%1\" is not host:port"), {verbatim(address)});
    }
    std::string host = address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    return Endpoint{host, address.substr(colon + 1)};
}

void setOptions(int socket)
{
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
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
        return refusal(
            "LOCKSTEP_TELEMETRY", LS_TR("Messages", "\"%1\" is not an open descriptor"), {verbatim(address)});
    }
    return Descriptor(number);
}

/// Whether it is this machine's own.
bool isLoopback(const addrinfo& target)
{
    if (target.ai_family == AF_INET) {
        constexpr std::uint32_t Net = 127;
        return ntohl(reinterpret_cast<const sockaddr_in*>(target.ai_addr)->sin_addr.s_addr) >> 24 == Net;
    }
    return target.ai_family == AF_INET6
        && IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(target.ai_addr)->sin6_addr);
}

/// Where bytes would go unencrypted, only on this machine.
Result<Descriptor> connectSocket(const std::string& address, bool isPlain, Clock::time_point deadline)
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
        return failure(LS_TR("Messages", "the workbench at %1 cannot be found: %2"),
            {verbatim(address), verbatim(gai_strerror(code))});
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> targets(found, freeaddrinfo);
    int code = EHOSTUNREACH;
    for (const addrinfo* target = targets.get(); target != nullptr; target = target->ai_next) {
        if (isPlain && !isLoopback(*target)) {
            return refusal("LOCKSTEP_TELEMETRY",
                LS_TR("Messages",
                    "%1 is on another machine, and its certificate is unknown: give the file that its workbench has "
                    "written, as LOCKSTEP_WORKBENCH"),
                {verbatim(address)});
        }
        Descriptor socket(::socket(target->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        code = socket.isOpen() ? connectBy(socket.number(), target->ai_addr, target->ai_addrlen, deadline) : errno;
        if (code == 0) {
            setOptions(socket.number());
            return socket;
        }
    }
    return failure(CannotBeReached, {verbatim(address), systemError(code)});
}

Result<void> sendAll(Stream& stream, std::span<const std::byte> bytes, Clock::time_point deadline)
{
    while (!bytes.empty()) {
        const auto sent = stream.send(bytes);
        if (!sent) {
            return during(LS_TR("Messages", "the workbench closed the connection"), sent.error());
        }
        bytes = bytes.subspan(*sent);
        if (*sent == 0 && !waitFor(stream.descriptor(), POLLOUT, deadline)) {
            return failure(LS_TR("Messages", "the workbench did not accept the hello"));
        }
    }
    return {};
}

/// Fills `bytes`. An error if the peer closes before.
Result<void> receiveAll(Stream& stream, std::span<std::byte> bytes, Clock::time_point deadline)
{
    while (!bytes.empty()) {
        const auto received = stream.receive(bytes);
        if (!received) {
            return failure(LS_TR("Messages",
                               "the workbench closed the connection before it proved that it has this run's secret: it "
                               "is another run's, or older than this rank (protocol version %1)"),
                {wire::ProtocolVersion});
        }
        bytes = bytes.subspan(*received);
        if (*received == 0 && !waitFor(stream.descriptor(), POLLIN, deadline)) {
            return failure(LS_TR("Messages", "the workbench did not answer in time"));
        }
    }
    return {};
}

Error otherVersion(std::uint32_t workbench)
{
    return failure(
        LS_TR("Messages", "the workbench speaks protocol version %1, this rank %2: build both from the same sources"),
        {workbench, wire::ProtocolVersion});
}

/// The workbench's nonce, once it has proved that it has the secret.
Result<wire::Nonce> awaitProof(
    Stream& stream, const wire::Secret& secret, const wire::Nonce& nonce, Clock::time_point deadline)
{
    std::array<std::byte, wire::ChallengeBytes> bytes{};
    const auto head = std::span(bytes).first<wire::HeadBytes>();
    LOCKSTEP_TRY(receiveAll(stream, head, deadline));
    const std::optional<std::uint32_t> version = wire::versionOf(head);
    if (!version) {
        return failure(LS_TR("Messages", "what answers at LOCKSTEP_TELEMETRY is not a workbench"));
    }
    if (*version != wire::ProtocolVersion) {
        return otherVersion(*version);
    }
    LOCKSTEP_TRY(receiveAll(stream, std::span(bytes).subspan<wire::HeadBytes>(), deadline));
    const std::optional<wire::Challenge> challenge = wire::readChallenge(bytes);
    if (!wire::isProofOf(wire::Side::Workbench, challenge->proof, secret, {nonce, challenge->nonce})) {
        return failure(
            LS_TR("Messages", "what answers at LOCKSTEP_TELEMETRY does not have this run's secret (LOCKSTEP_SECRET)"));
    }
    return challenge->nonce;
}

/// Both sides prove that they have the secret; then says hello.
Result<void> introduce(
    Stream& stream, const wire::Secret& secret, std::span<const std::byte> hello, Clock::time_point deadline)
{
    wire::Nonces nonces;
    LOCKSTEP_TRY_ASSIGN(nonces.rank, wire::makeNonce());
    LOCKSTEP_TRY(sendAll(stream, wire::toBytes(wire::Opening{wire::ProtocolVersion, nonces.rank}), deadline));
    LOCKSTEP_TRY_ASSIGN(nonces.workbench, awaitProof(stream, secret, nonces.rank, deadline));
    LOCKSTEP_TRY_ASSIGN(const wire::Proof proof, wire::proofOf(wire::Side::Rank, secret, nonces));
    LOCKSTEP_TRY(sendAll(stream, proof, deadline));
    return sendAll(stream, hello, deadline);
}

Result<wire::Welcome> awaitWelcome(Stream& stream, wire::FrameDecoder& decoder, Clock::time_point deadline)
{
    std::vector<std::byte> bytes(ReadBytes);
    while (true) {
        const auto frame = decoder.next();
        if (!frame) {
            return during(LS_TR("Messages", "the workbench's answer cannot be read"), frame.error());
        }
        if (*frame) {
            Result<wire::Message> message = wire::decode(**frame);
            if (!message) {
                return during(LS_TR("Messages", "the workbench's answer cannot be read"), message.error());
            }
            auto* welcome = std::get_if<wire::Welcome>(&*message);
            if (welcome == nullptr) {
                return failure(LS_TR("Messages", "the workbench did not answer with a welcome"));
            }
            if (welcome->protocol != wire::ProtocolVersion) {
                return otherVersion(welcome->protocol);
            }
            return std::move(*welcome);
        }
        const auto received = stream.receive(bytes);
        if (!received) {
            return during(LS_TR("Messages", "the workbench refused the connection"), received.error());
        }
        decoder.feed(std::span(bytes).first(*received));
        if (*received == 0 && !waitFor(stream.descriptor(), POLLIN, deadline)) {
            return failure(LS_TR("Messages", "the workbench did not answer in time"));
        }
    }
}

Result<std::unique_ptr<Stream>> connectStream(const wire::WorkbenchAddress& address, Clock::time_point deadline)
{
    LOCKSTEP_TRY_ASSIGN(auto socket, connectSocket(address.hostAndPort, !address.certificate, deadline));
    if (!address.certificate) {
        return plainStream(std::move(socket));
    }
    wire::probeWhenIdle(socket.number());
    return beginTls(std::move(socket), *address.certificate, deadline);
}

} // namespace

bool isRefused(const Error& error)
{
    return error.pattern == CannotBeReached && error.arguments.back() == systemError(ECONNREFUSED);
}

Result<SocketSession> connectToWorkbench(const wire::WorkbenchAddress& address, const wire::Secret& secret,
    const wire::Hello& hello, std::chrono::milliseconds timeout)
{
    const Clock::time_point deadline = Clock::now() + timeout;
    LOCKSTEP_TRY_ASSIGN(const auto greeting, wire::encode(hello));
    LOCKSTEP_TRY_ASSIGN(auto stream, connectStream(address, deadline));
    LOCKSTEP_TRY(introduce(*stream, secret, greeting, deadline));
    wire::FrameDecoder decoder;
    LOCKSTEP_TRY_ASSIGN(auto welcome, awaitWelcome(*stream, decoder, deadline));
    return SocketSession{
        std::make_unique<SocketSink>(std::move(stream), std::move(decoder), address.certificate.has_value()),
        std::move(welcome)};
}

} // namespace lockstep::engine
