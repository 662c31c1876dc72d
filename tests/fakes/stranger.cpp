#include "fakes/stranger.h"

#include "base/random.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace lockstep::fakes {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Bytes = std::vector<std::byte>;

constexpr std::array<std::string_view, 6> Kinds{
    "silent", "no_secret", "wrong_secret", "garbage", "oversize", "trickle"};

Bytes hello()
{
    wire::Hello message;
    message.runId = "stranger";
    auto frame = wire::encode(message);
    return frame ? std::move(*frame) : Bytes{};
}

Bytes preambleOf(const wire::Secret& secret)
{
    const auto bytes = wire::preamble(secret);
    return {bytes.begin(), bytes.end()};
}

Bytes speechOf(std::string_view kind, const wire::Secret& secret)
{
    if (kind == "no_secret") {
        return hello();
    }
    if (kind == "wrong_secret") {
        wire::Secret wrong = secret;
        wrong.back() ^= std::byte{1};
        Bytes bytes = preambleOf(wrong);
        const Bytes greeting = hello();
        bytes.insert(bytes.end(), greeting.begin(), greeting.end());
        return bytes;
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
        return preambleOf(secret);
    }
    return {};
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
    Bytes speech = speechOf(kind, secret ? *secret : wire::Secret{});
    const int socket = connectTo(address);
    if (socket < 0) {
        return Error{"stranger: cannot connect to " + address};
    }
    const auto begin = Clock::now();
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
