// Numbers and texts as the bytes of a message of the store. Reading checks every length: bytes come from a network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rendezvous {

/// A whole frame is at most this long, so that a peer cannot make us allocate more.
inline constexpr std::size_t MostFrameBytes = 16u << 20;
/// In front of every frame: its length, little-endian.
inline constexpr std::size_t LengthBytes = 4;

class PacketWriter {
public:
    PacketWriter& number(std::uint64_t value);
    PacketWriter& text(std::string_view value);
    /// The frame with its length in front.
    [[nodiscard]] std::string frame() const;

private:
    std::string m_bytes;
};

/// After the first value that is not there, all are empty and isValid() is false.
class PacketReader {
public:
    explicit PacketReader(std::string_view bytes)
        : m_left(bytes)
    { }
    [[nodiscard]] std::uint64_t number();
    [[nodiscard]] std::string text();
    /// Nothing was missing so far.
    [[nodiscard]] bool isValid() const { return m_isValid; }
    /// Nothing was missing, and nothing is left.
    [[nodiscard]] bool isAtEnd() const { return m_isValid && m_left.empty(); }

private:
    std::string_view m_left;
    bool m_isValid = true;
};

/// Takes the first whole frame out of `buffer`. False if there is none yet; `isTooLong` if it is longer than
/// MostFrameBytes, after which nothing more can be read.
[[nodiscard]] bool takeFrame(std::string& buffer, std::string& frame, bool& isTooLong);

} // namespace lockstep::rendezvous
