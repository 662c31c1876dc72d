#include "wire/relay_messages.h"

#include <algorithm>
#include <iterator>

namespace lockstep::wire {

namespace {

constexpr std::size_t RelayHeadBytes = 1 + 4;

void appendNumber(std::vector<std::byte>& bytes, std::uint32_t number)
{
    for (int i = 0; i < 4; ++i) {
        bytes.push_back(static_cast<std::byte>((number >> (8 * i)) & 255));
    }
}

} // namespace

void appendFrame(std::vector<std::byte>& bytes, const RelayFrame& frame)
{
    appendNumber(bytes, static_cast<std::uint32_t>(RelayHeadBytes + frame.payload.size()));
    bytes.push_back(static_cast<std::byte>(frame.kind));
    appendNumber(bytes, static_cast<std::uint32_t>(frame.rank));
    std::ranges::copy(frame.payload, std::back_inserter(bytes));
}

Result<RelayFrame> readRelayFrame(std::span<const std::byte> bytes)
{
    const auto kind = bytes.empty() ? 0U : std::to_integer<unsigned>(bytes.front());
    if (bytes.size() < RelayHeadBytes || kind == 0 || kind > static_cast<unsigned>(LastRelayKind)) {
        return failure(LS_TR("Messages", "a frame of the relay cannot be read"));
    }
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        rank |= std::to_integer<std::uint32_t>(bytes[1 + i]) << (8 * i);
    }
    return RelayFrame{static_cast<RelayKind>(kind), static_cast<std::int32_t>(rank), bytes.subspan(RelayHeadBytes)};
}

} // namespace lockstep::wire
