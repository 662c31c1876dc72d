// How a connection begins: rank and workbench prove to each other that they have the run's secret, without sending it.
//
//   rank       opening: magic (8 bytes), protocol version (u32, little-endian), the rank's nonce (32)
//   workbench  challenge: magic, protocol version, the workbench's nonce, the workbench's proof (32)
//   rank       the rank's proof; then its Hello
//
// A proof is HMAC-SHA-256 (RFC 2104, FIPS 180-4), keyed with the secret, over the name of its side and both nonces. A
// recorded exchange does not fit the fresh nonce of the other side, and one side's proof is not valid as the other's.
#pragma once

#include "base/result.h"
#include "wire/secret.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lockstep::wire {

/// Random bytes that are used for one connection.
using Nonce = std::array<std::byte, 32>;
using Proof = std::array<std::byte, 32>;

/// From the operating system.
[[nodiscard]] Result<Nonce> makeNonce();

struct Opening {
    std::uint32_t protocol = 0;
    Nonce nonce{};
};

struct Challenge {
    std::uint32_t protocol = 0;
    Nonce nonce{};
    Proof proof{};
};

/// What every version begins with: magic and version.
inline constexpr std::size_t HeadBytes = 8 + 4;
inline constexpr std::size_t OpeningBytes = HeadBytes + std::tuple_size_v<Nonce>;
inline constexpr std::size_t ChallengeBytes = OpeningBytes + std::tuple_size_v<Proof>;

[[nodiscard]] std::array<std::byte, OpeningBytes> toBytes(const Opening& opening);
[[nodiscard]] std::array<std::byte, ChallengeBytes> toBytes(const Challenge& challenge);

/// The protocol version of a peer; 1 if it begins as version 1 did, nothing if it is no peer of ours.
[[nodiscard]] std::optional<std::uint32_t> versionOf(std::span<const std::byte, HeadBytes> head);
/// Nothing if it is not of this protocol. Of another version than ProtocolVersion, only `protocol` is set.
[[nodiscard]] std::optional<Opening> readOpening(std::span<const std::byte, OpeningBytes> bytes);
[[nodiscard]] std::optional<Challenge> readChallenge(std::span<const std::byte, ChallengeBytes> bytes);

enum class Side : std::uint8_t { Rank, Workbench };

struct Nonces {
    Nonce rank{};
    Nonce workbench{};
};

/// Fails only if libcrypto does.
[[nodiscard]] Result<Proof> proofOf(Side side, const Secret& secret, const Nonces& nonces);
/// Compares in constant time.
[[nodiscard]] bool isProofOf(Side side, const Proof& proof, const Secret& secret, const Nonces& nonces);

} // namespace lockstep::wire
