#include "fakes/stranger.h"

#include "base/random.h"
#include "wire/handshake.h"
#include "wire/messages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <netdb.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace lockstep::fakes {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Bytes = std::vector<std::byte>;

constexpr std::array<std::string_view, 10> Kinds{"silent", "no_secret", "wrong_secret", "garbage", "oversize",
    "trickle", "truncated", "reflection", "replay", "version_1"};

Bytes hello()
{
    wire::Hello message;
    message.runId = "stranger";
    auto frame = wire::encode(message);
    return frame ? std::move(*frame) : Bytes{};
}

void append(Bytes& to, std::span<const std::byte> more)
{
    to.insert(to.end(), more.begin(), more.end());
}

int connectTo(const std::string& address)
{
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos) {
        return -1;
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &hints, &found) != 0) {
        return -1;
    }
    const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool isConnected = socket >= 0 && connect(socket, found->ai_addr, found->ai_addrlen) == 0;
    freeaddrinfo(found);
    if (!isConnected && socket >= 0) {
        close(socket);
    }
    return isConnected ? socket : -1;
}

constexpr wire::Nonce RankNonce{std::byte{1}, std::byte{2}, std::byte{3}};

/// Sends an opening. Nothing if no challenge comes back.
std::optional<wire::Challenge> challengeOf(int socket)
{
    const auto opening = wire::toBytes(wire::Opening{wire::ProtocolVersion, RankNonce});
    std::array<std::byte, wire::ChallengeBytes> answer{};
    if (send(socket, opening.data(), opening.size(), MSG_NOSIGNAL) < 0
        || recv(socket, answer.data(), answer.size(), MSG_WAITALL) != static_cast<ssize_t>(answer.size())) {
        return std::nullopt;
    }
    return wire::readChallenge(answer);
}

/// The proof that a rank with the secret gives to the challenge of another connection.
Bytes recordedProof(const std::string& address, const wire::Secret& secret)
{
    const int socket = connectTo(address);
    const auto challenge = challengeOf(socket);
    close(socket);
    const auto proof
        = wire::proofOf(wire::Side::Rank, secret, {RankNonce, challenge ? challenge->nonce : wire::Nonce{}});
    return proof ? Bytes(proof->begin(), proof->end()) : Bytes{};
}

/// What it says after an opening and its challenge.
Bytes answerOf(std::string_view kind, const std::string& address, int socket, const wire::Secret& secret)
{
    Bytes bytes = kind == "replay" ? recordedProof(address, secret) : Bytes{};
    const auto challenge = challengeOf(socket);
    if (!challenge) {
        return {};
    }
    if (kind == "reflection") {
        append(bytes, challenge->proof);
    } else if (kind != "replay") {
        wire::Secret shown = secret;
        shown.back() ^= kind == "wrong_secret" ? std::byte{1} : std::byte{0};
        const auto proof = wire::proofOf(wire::Side::Rank, shown, {RankNonce, challenge->nonce});
        append(bytes, proof ? std::span<const std::byte>(*proof) : std::span<const std::byte>{});
    }
    if (kind == "truncated") {
        bytes.resize(bytes.size() / 2);
    } else {
        append(bytes, hello());
    }
    return bytes;
}

Bytes speechOf(std::string_view kind, const std::string& address, int socket, const wire::Secret& secret)
{
    if (kind == "no_secret") {
        return hello();
    }
    if (kind == "garbage") {
        Bytes bytes(64u << 10);
        Random random(Seed{42});
        std::generate(bytes.begin(), bytes.end(), [&random] { return static_cast<std::byte>(random.next() & 255); });
        return bytes;
    }
    if (kind == "oversize") {
        return Bytes(64, std::byte{0xff});
    }
    if (kind == "trickle") {
        const auto opening = wire::toBytes(wire::Opening{wire::ProtocolVersion, RankNonce});
        return {opening.begin(), opening.end()};
    }
    if (kind == "version_1") {
        Bytes bytes;
        append(bytes, std::as_bytes(std::span(std::string_view("LOCKSTEP"))));
        append(bytes, secret);
        append(bytes, hello());
        return bytes;
    }
    return kind == "silent" ? Bytes{} : answerOf(kind, address, socket, secret);
}

/// True once the peer has closed; waits at most `time`.
bool isCutOff(int socket, milliseconds time)
{
    pollfd entry{socket, POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>(time.count())) <= 0) {
        return false;
    }
    std::array<std::byte, 4096> answer{};
    return recv(socket, answer.data(), answer.size(), MSG_DONTWAIT) <= 0;
}

} // namespace

std::span<const std::string_view> strangerKinds()
{
    return Kinds;
}

Result<milliseconds> beStranger(
    std::string_view kind, const std::string& address, const std::string& secretHex, milliseconds patience)
{
    if (std::find(Kinds.begin(), Kinds.end(), kind) == Kinds.end()) {
        return Error{"LOCKSTEP_FAKE: there is no stranger " + std::string(kind)};
    }
    const Result<wire::Secret> secret = wire::secretFromHex(secretHex);
    const int socket = connectTo(address);
    if (socket < 0) {
        return Error{"stranger: cannot connect to " + address};
    }
    const auto begin = Clock::now();
    Bytes speech = speechOf(kind, address, socket, secret ? *secret : wire::Secret{});
    const std::size_t bytesAtOnce = kind == "trickle" ? 1 : std::max<std::size_t>(speech.size(), 1);
    bool isEnded = false;
    while (!isEnded && Clock::now() - begin < patience) {
        const std::size_t count = std::min(bytesAtOnce, speech.size());
        isEnded = count > 0 && send(socket, speech.data(), count, MSG_NOSIGNAL) < 0;
        speech.erase(speech.begin(), speech.begin() + static_cast<std::ptrdiff_t>(count));
        isEnded = isEnded || isCutOff(socket, milliseconds(1000));
    }
    const auto time = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    close(socket);
    if (!isEnded) {
        return Error{
            "stranger " + std::string(kind) + ": still connected after " + std::to_string(time.count()) + " ms"};
    }
    return time;
}

} // namespace lockstep::fakes
