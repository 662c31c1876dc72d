// What a workbench and `lockstep-rank --relay` on another host say to each other over stdin and stdout of ssh or srun:
// frames (frame.h) with a kind, a rank and bytes. What a rank and the workbench say to each other (handshake.h,
// messages.h) is passed on as it is.
//
//   relay      RelayMark, then Facts
//   workbench  beats, each of which is answered; Job; from then on Data and Signal
//   relay      Data, Output, Errors, and of each rank its end, after all that it sent
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::wire {

/// What the shell of a login prints stands before it.
inline constexpr std::string_view RelayMark = "\nlockstep-relay 1\n";
/// More than this before the mark, and what answers is no relay.
inline constexpr std::size_t MostBytesBeforeMark = 64u << 10;

enum class RelayKind : std::uint8_t {
    Facts = 1, ///< JSON: what this host has
    Job, ///< JSON: the ranks to start
    Beat, ///< the workbench's time; in the answer that, the relay's CLOCK_MONOTONIC and its CLOCK_REALTIME
    Data, ///< of the connection between a rank and the workbench
    Closed, ///< that connection, by the sender's side
    Signal, ///< a number, to the rank's process group
    Started, ///< its process
    Output, ///< of its stdout
    Errors, ///< of its stderr
    Exited, ///< exit code
    Killed, ///< signal
    NotStarted, ///< why
};
inline constexpr auto LastRelayKind = RelayKind::NotStarted;

struct RelayFrame {
    RelayKind kind = RelayKind::Facts;
    std::int32_t rank = -1; ///< -1: the relay itself
    std::span<const std::byte> payload{};
};

/// The longest piece of Data, Output or Errors in a frame.
inline constexpr std::size_t RelayPieceBytes = 64u << 10;

/// Appends the frame with its length.
void appendFrame(std::vector<std::byte>& bytes, const RelayFrame& frame);
/// Of a frame's payload, as FrameDecoder gives it.
[[nodiscard]] Result<RelayFrame> readRelayFrame(std::span<const std::byte> bytes);

/// Numbers of Beat, Signal, Started, Exited and Killed.
template <std::size_t Count>
using RelayNumbers = std::array<std::int64_t, Count>;

template <std::size_t Count>
[[nodiscard]] std::array<std::byte, 8 * Count> toRelayBytes(const RelayNumbers<Count>& numbers)
{
    std::array<std::byte, 8 * Count> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>((static_cast<std::uint64_t>(numbers[i / 8]) >> (8 * (i % 8))) & 255);
    }
    return bytes;
}

/// Nothing if the payload is of another size.
template <std::size_t Count>
[[nodiscard]] std::optional<RelayNumbers<Count>> readRelayNumbers(std::span<const std::byte> payload)
{
    if (payload.size() != 8 * Count) {
        return std::nullopt;
    }
    RelayNumbers<Count> numbers{};
    for (std::size_t i = 0; i < payload.size(); ++i) {
        const auto byte = std::to_integer<std::uint64_t>(payload[i]) << (8 * (i % 8));
        numbers[i / 8] = static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers[i / 8]) | byte);
    }
    return numbers;
}

} // namespace lockstep::wire
