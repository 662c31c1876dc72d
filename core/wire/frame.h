// Bytes in, frames or one error out. No sockets, no threads: any split of the stream gives the same frames.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::wire {

inline constexpr std::uint32_t MaxFrameBytes = 4u << 20;

class FrameDecoder {
public:
    /// Appends what came from the peer.
    void feed(std::span<const std::byte> bytes);

    /// The next whole frame's payload (valid until the next call of feed or next), nothing if more bytes are needed,
    /// or an error (length 0 or above MaxFrameBytes), after which every call gives the same error.
    [[nodiscard]] Result<std::optional<std::span<const std::byte>>> next();

    /// Bytes held: never more than what was fed and not yet handed out.
    [[nodiscard]] std::size_t buffered() const { return m_buffer.size() - m_begin; }

private:
    std::vector<std::byte> m_buffer;
    std::size_t m_begin = 0;
    std::optional<Error> m_error;
};

} // namespace lockstep::wire
