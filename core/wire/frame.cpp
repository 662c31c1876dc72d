#include "wire/frame.h"

#include <fmt/format.h>

namespace lockstep::wire {

namespace {

constexpr std::size_t LengthBytes = 4;

std::uint32_t readLength(std::span<const std::byte> bytes)
{
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < LengthBytes; ++i) {
        length |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
    }
    return length;
}

} // namespace

void FrameDecoder::feed(std::span<const std::byte> bytes)
{
    if (m_error) {
        return; // keeps nothing of a broken stream
    }
    if (m_begin == m_buffer.size()) {
        m_buffer.clear();
        m_begin = 0;
    } else if (m_begin > m_buffer.size() / 2) {
        // At least as many bytes were handed out as are moved now, so each byte is moved at most once on average.
        m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(m_begin));
        m_begin = 0;
    }
    m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
}

Result<std::optional<std::span<const std::byte>>> FrameDecoder::next()
{
    using Frame = std::optional<std::span<const std::byte>>;
    if (m_error) {
        return *m_error;
    }
    const std::span<const std::byte> held = std::span<const std::byte>(m_buffer).subspan(m_begin);
    if (held.size() < LengthBytes) {
        return Frame{};
    }
    const std::uint32_t length = readLength(held);
    if (length == 0 || length > MaxFrameBytes) {
        m_error = failure(
            LS_TR("Messages", "a frame of %1 bytes was announced, 1 to %2 are allowed"), {length, MaxFrameBytes});
        m_buffer = {};
        m_begin = 0;
        return *m_error;
    }
    if (held.size() - LengthBytes < length) {
        return Frame{};
    }
    m_begin += LengthBytes + length;
    return Frame{held.subspan(LengthBytes, length)};
}

} // namespace lockstep::wire
