#include "exchange/export/event_record.h"

#include <QtEndian>

#include <array>
#include <bit>

namespace lockstep::exchange {

namespace {

constexpr std::array<std::uint32_t, 256> makeCrcTable()
{
    constexpr std::uint32_t Polynomial = 0x82F63B78; // reflected
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) {
            value = (value >> 1) ^ ((value & 1) != 0 ? Polynomial : 0);
        }
        table[i] = value;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> CrcTable = makeCrcTable();

template <typename T>
void appendLittleEndian(QByteArray& bytes, T value)
{
    const T stored = qToLittleEndian(value);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof(stored));
}

/// TFRecord's checksum: a CRC of data that holds CRCs would be weak.
std::uint32_t maskedCrc(std::string_view bytes)
{
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

QByteArray record(std::string_view event)
{
    QByteArray bytes;
    appendLittleEndian(bytes, static_cast<std::uint64_t>(event.size()));
    appendLittleEndian(bytes, maskedCrc({bytes.constData(), static_cast<std::size_t>(bytes.size())}));
    bytes.append(event.data(), static_cast<qsizetype>(event.size()));
    appendLittleEndian(bytes, maskedCrc(event));
    return bytes;
}

/// Summary.Value of the plug-in with a tensor of this type and shape.
ProtoMessage pluginValue(
    std::string_view tag, std::string_view plugin, std::string_view content, const ProtoMessage& tensor)
{
    ProtoMessage data;
    data.bytes(1, plugin).bytes(2, content);
    ProtoMessage metadata;
    metadata.bytes(1, data.view());
    ProtoMessage value;
    value.bytes(1, tag).bytes(9, metadata.view()).bytes(8, tensor.view());
    return value;
}

/// TensorProto without values: its type, and one dimension of this size.
ProtoMessage tensorOf(int type, std::uint64_t size)
{
    ProtoMessage dimension;
    dimension.integer(1, size);
    ProtoMessage shape;
    shape.bytes(2, dimension.view());
    ProtoMessage tensor;
    tensor.integer(1, static_cast<std::uint64_t>(type)).bytes(2, shape.view());
    return tensor;
}

} // namespace

std::uint32_t crc32c(std::string_view bytes)
{
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char each : bytes) {
        crc = CrcTable[(crc ^ static_cast<unsigned char>(each)) & 0xFFU] ^ (crc >> 8);
    }
    return crc ^ 0xFFFFFFFFU;
}

ProtoMessage& ProtoMessage::integer(int field, std::uint64_t value)
{
    tag(field, 0);
    varint(value);
    return *this;
}

ProtoMessage& ProtoMessage::float32(int field, float value)
{
    tag(field, 5);
    appendLittleEndian(m_bytes, std::bit_cast<std::uint32_t>(value));
    return *this;
}

ProtoMessage& ProtoMessage::float64(int field, double value)
{
    tag(field, 1);
    appendLittleEndian(m_bytes, std::bit_cast<std::uint64_t>(value));
    return *this;
}

ProtoMessage& ProtoMessage::bytes(int field, std::string_view value)
{
    tag(field, 2);
    varint(value.size());
    m_bytes.append(value.data(), static_cast<qsizetype>(value.size()));
    return *this;
}

void ProtoMessage::tag(int field, int wireType)
{
    varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wireType));
}

void ProtoMessage::varint(std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        m_bytes.append(static_cast<char>((value & 0x7F) | 0x80));
    }
    m_bytes.append(static_cast<char>(value));
}

QByteArray eventFileHead(double wallSeconds)
{
    ProtoMessage event;
    event.float64(1, wallSeconds).bytes(3, "brain.Event:2");
    return record(event.view());
}

QByteArray eventRecord(double wallSeconds, std::int64_t step, const std::vector<ProtoMessage>& values)
{
    ProtoMessage summary;
    for (const ProtoMessage& value : values) {
        summary.bytes(1, value.view());
    }
    ProtoMessage event;
    event.float64(1, wallSeconds).integer(2, static_cast<std::uint64_t>(step)).bytes(5, summary.view());
    return record(event.view());
}

ProtoMessage scalarValue(std::string_view tag, double value)
{
    ProtoMessage message;
    message.bytes(1, tag).float32(2, static_cast<float>(value));
    return message;
}

ProtoMessage textValue(std::string_view tag, std::string_view text)
{
    constexpr int String = 7;
    ProtoMessage tensor = tensorOf(String, 1);
    tensor.bytes(8, text);
    return pluginValue(tag, "text", {}, tensor);
}

ProtoMessage hparamsValue(std::string_view tag, const ProtoMessage& content)
{
    constexpr int Float = 1;
    return pluginValue(tag, "hparams", content.view(), tensorOf(Float, 0));
}

} // namespace lockstep::exchange
