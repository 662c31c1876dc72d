#include "rendezvous/store/packet.h"

namespace lockstep::rendezvous {

namespace {

void append(std::string& bytes, std::uint64_t value, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 0xff);
    }
}

std::uint64_t read(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return value;
}

} // namespace

PacketWriter& PacketWriter::number(std::uint64_t value)
{
    append(m_bytes, value, sizeof(value));
    return *this;
}

PacketWriter& PacketWriter::text(std::string_view value)
{
    append(m_bytes, value.size(), LengthBytes);
    m_bytes += value;
    return *this;
}

std::string PacketWriter::frame() const
{
    std::string bytes;
    bytes.reserve(LengthBytes + m_bytes.size());
    append(bytes, m_bytes.size(), LengthBytes);
    return bytes + m_bytes;
}

std::uint64_t PacketReader::number()
{
    constexpr std::size_t Size = sizeof(std::uint64_t);
    m_isValid = m_isValid && m_left.size() >= Size;
    if (!m_isValid) {
        return 0;
    }
    const std::uint64_t value = read(m_left.substr(0, Size));
    m_left.remove_prefix(Size);
    return value;
}

std::string PacketReader::text()
{
    m_isValid = m_isValid && m_left.size() >= LengthBytes
        && m_left.size() - LengthBytes >= read(m_left.substr(0, LengthBytes));
    if (!m_isValid) {
        return {};
    }
    const auto size = static_cast<std::size_t>(read(m_left.substr(0, LengthBytes)));
    std::string value(m_left.substr(LengthBytes, size));
    m_left.remove_prefix(LengthBytes + size);
    return value;
}

bool takeFrame(std::string& buffer, std::string& frame, bool& isTooLong)
{
    if (buffer.size() < LengthBytes) {
        return false;
    }
    const auto size = static_cast<std::size_t>(read(std::string_view(buffer).substr(0, LengthBytes)));
    isTooLong = size > MostFrameBytes;
    if (isTooLong || buffer.size() - LengthBytes < size) {
        return false;
    }
    frame = buffer.substr(LengthBytes, size);
    buffer.erase(0, LengthBytes + size);
    return true;
}

} // namespace lockstep::rendezvous
