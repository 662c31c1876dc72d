// Records of a TensorBoard event file, each an Event of tensorflow/core/util/event.proto. Private to export.
#pragma once

#include <QByteArray>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::exchange {

/// CRC-32C (Castagnoli, RFC 3720), which guards each record.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

/// A message of Protocol Buffers; fields are appended.
class ProtoMessage {
public:
    ProtoMessage& integer(int field, std::uint64_t value);
    ProtoMessage& float32(int field, float value);
    ProtoMessage& float64(int field, double value);
    ProtoMessage& bytes(int field, std::string_view value); ///< also a text, or a message within this one

    [[nodiscard]] std::string_view view() const
    {
        return {m_bytes.constData(), static_cast<std::size_t>(m_bytes.size())};
    }

private:
    void tag(int field, int wireType);
    void varint(std::uint64_t value);

    QByteArray m_bytes;
};

/// The first record of every file.
[[nodiscard]] QByteArray eventFileHead(double wallSeconds);
/// One value per tag at one step. Values are summary.proto's Summary.Value.
[[nodiscard]] QByteArray eventRecord(double wallSeconds, std::int64_t step, const std::vector<ProtoMessage>& values);

[[nodiscard]] ProtoMessage scalarValue(std::string_view tag, double value);
/// Markdown, shown on TensorBoard's page *Text*.
[[nodiscard]] ProtoMessage textValue(std::string_view tag, std::string_view text);
/// Content of the plug-in hparams, a HParamsPluginData.
[[nodiscard]] ProtoMessage hparamsValue(std::string_view tag, const ProtoMessage& content);

} // namespace lockstep::exchange
