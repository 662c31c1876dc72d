#include "wire/handshake.h"

#include "wire/messages.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <string>
#include <string_view>
#include <sys/random.h>
#include <vector>

namespace lockstep::wire {

namespace {

constexpr std::string_view HandshakeMagic = "Lockstep";
/// Version 1 sent the secret after this magic.
constexpr std::string_view FirstMagic = "LOCKSTEP";
constexpr std::size_t VersionBytes = HeadBytes - HandshakeMagic.size();

std::string_view nameOf(Side side)
{
    return side == Side::Rank ? "Lockstep rank" : "Lockstep workbench";
}

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

bool beginsWith(std::span<const std::byte, HeadBytes> head, std::string_view magic)
{
    return std::ranges::equal(head.first(magic.size()), bytesOf(magic));
}

/// Puts `parts` one after the other.
template <std::size_t Size>
std::array<std::byte, Size> joined(std::uint32_t protocol, std::initializer_list<std::span<const std::byte>> parts)
{
    std::array<std::byte, Size> bytes{};
    auto end = std::ranges::copy(bytesOf(HandshakeMagic), bytes.begin()).out;
    for (std::size_t i = 0; i < VersionBytes; ++i) {
        *end++ = static_cast<std::byte>((protocol >> (8 * i)) & 255);
    }
    for (const std::span<const std::byte> part : parts) {
        end = std::ranges::copy(part, end).out;
    }
    return bytes;
}

} // namespace

Result<Nonce> makeNonce()
{
    Nonce nonce{};
    // The kernel gives up to 256 bytes at once, or none while it starts.
    while (getrandom(nonce.data(), nonce.size(), 0) != static_cast<ssize_t>(nonce.size())) {
        if (errno != EINTR) {
            return failure(LS_TR("Messages", "the system gives no random numbers: %1"), {systemError()});
        }
    }
    return nonce;
}

std::array<std::byte, OpeningBytes> toBytes(const Opening& opening)
{
    return joined<OpeningBytes>(opening.protocol, {opening.nonce});
}

std::array<std::byte, ChallengeBytes> toBytes(const Challenge& challenge)
{
    return joined<ChallengeBytes>(challenge.protocol, {challenge.nonce, challenge.proof});
}

std::optional<std::uint32_t> versionOf(std::span<const std::byte, HeadBytes> head)
{
    if (beginsWith(head, FirstMagic)) {
        return 1;
    }
    if (!beginsWith(head, HandshakeMagic)) {
        return std::nullopt;
    }
    std::uint32_t version = 0;
    for (std::size_t i = 0; i < VersionBytes; ++i) {
        version |= std::to_integer<std::uint32_t>(head[HandshakeMagic.size() + i]) << (8 * i);
    }
    return version;
}

std::optional<Opening> readOpening(std::span<const std::byte, OpeningBytes> bytes)
{
    const std::optional<std::uint32_t> version = versionOf(bytes.first<HeadBytes>());
    if (!version) {
        return std::nullopt;
    }
    Opening opening{*version, {}};
    if (*version == ProtocolVersion) {
        std::ranges::copy(bytes.subspan<HeadBytes>(), opening.nonce.begin());
    }
    return opening;
}

std::optional<Challenge> readChallenge(std::span<const std::byte, ChallengeBytes> bytes)
{
    const std::optional<std::uint32_t> version = versionOf(bytes.first<HeadBytes>());
    if (!version) {
        return std::nullopt;
    }
    Challenge challenge{*version, {}, {}};
    if (*version == ProtocolVersion) {
        std::ranges::copy(bytes.subspan(HeadBytes, challenge.nonce.size()), challenge.nonce.begin());
        std::ranges::copy(bytes.subspan<OpeningBytes>(), challenge.proof.begin());
    }
    return challenge;
}

Result<Proof> proofOf(Side side, const Secret& secret, const Nonces& nonces)
{
    std::vector<std::byte> text;
    for (const std::span<const std::byte> part : {bytesOf(nameOf(side)), std::span<const std::byte>(nonces.rank),
             std::span<const std::byte>(nonces.workbench)}) {
        text.insert(text.end(), part.begin(), part.end());
    }
    Proof proof{};
    unsigned size = 0;
    const unsigned char* made = HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
        reinterpret_cast<const unsigned char*>(text.data()), text.size(),
        reinterpret_cast<unsigned char*>(proof.data()), &size);
    if (made == nullptr || size != proof.size()) {
        return failure(LS_TR("Messages", "libcrypto cannot compute an HMAC-SHA-256"));
    }
    return proof;
}

bool isProofOf(Side side, const Proof& proof, const Secret& secret, const Nonces& nonces)
{
    const Result<Proof> right = proofOf(side, secret, nonces);
    return right && equalInConstantTime(*right, proof);
}

} // namespace lockstep::wire
