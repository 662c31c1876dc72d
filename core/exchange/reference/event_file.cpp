// TensorBoard's event files: records (length, its CRC, an Event of Protocol Buffers, its CRC), as event_record.h writes
// them.
#include "base/translate.h"
#include "exchange/export/event_record.h"
#include "exchange/reference/reference_builder.h"

#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

namespace lockstep::exchange {

namespace {

constexpr qint64 HeadBytes = 12; ///< the length and its checksum
constexpr qint64 TailBytes = 4;
/// Of a record; images are the largest.
constexpr std::uint64_t MaxRecordBytes = std::uint64_t{256} << 20;

std::uint32_t unmasked(std::uint32_t masked)
{
    const std::uint32_t rotated = masked - 0xA282EAD8U;
    return (rotated >> 17) | (rotated << 15);
}

bool isCrcOf(std::string_view bytes, std::uint32_t masked)
{
    return crc32c(bytes) == unmasked(masked);
}

/// A field of a message of Protocol Buffers.
struct ProtoField {
    std::uint64_t number = 0;
    int wireType = 0;
    std::uint64_t integer = 0; ///< of a varint, or the bits of a fixed field
    std::string_view bytes; ///< of a text, or a message within
};

/// Reads field after field; what is not whole ends it with an error.
class ProtoReader {
public:
    explicit ProtoReader(std::string_view bytes)
        : m_rest(bytes)
    { }

    /// The next one; nothing at the end, and after an error.
    [[nodiscard]] std::optional<ProtoField> next()
    {
        if (m_rest.empty() || m_isBroken) {
            return std::nullopt;
        }
        const std::uint64_t tag = varint();
        ProtoField field{tag >> 3, static_cast<int>(tag & 7), 0, {}};
        switch (field.wireType) {
        case 0:
            field.integer = varint();
            break;
        case 1:
            field.integer = fixed<std::uint64_t>();
            break;
        case 2:
            field.bytes = take(varint());
            break;
        case 5:
            field.integer = fixed<std::uint32_t>();
            break;
        default:
            m_isBroken = true;
        }
        return m_isBroken ? std::nullopt : std::optional(field);
    }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        m_isBroken = true;
        return 0;
    }
    std::string_view take(std::uint64_t count)
    {
        if (m_isBroken || count > m_rest.size()) {
            m_isBroken = true;
            return {};
        }
        const std::string_view taken = m_rest.substr(0, static_cast<std::size_t>(count));
        m_rest.remove_prefix(taken.size());
        return taken;
    }
    template <typename T>
    T fixed()
    {
        const std::string_view taken = take(sizeof(T));
        return m_isBroken ? T{} : qFromLittleEndian<T>(taken.data());
    }

    std::string_view m_rest;
    bool m_isBroken = false;
};

/// TensorProto of one number, as TensorFlow 2 writes scalars.
std::optional<double> numberOfTensor(std::string_view bytes)
{
    constexpr std::uint64_t Float = 1;
    constexpr std::uint64_t Double = 2;
    std::uint64_t type = 0;
    std::string_view content;
    std::optional<double> value;
    ProtoReader reader(bytes);
    while (const auto field = reader.next()) {
        const bool isFloat = field->number == 5;
        const bool isDouble = field->number == 6;
        if (field->number == 1) {
            type = field->integer;
        } else if (isFloat && field->wireType == 5) {
            value = std::bit_cast<float>(static_cast<std::uint32_t>(field->integer));
        } else if (isDouble && field->wireType == 1) {
            value = std::bit_cast<double>(field->integer);
        } else if (field->number == 4 || isFloat || isDouble) {
            content = field->bytes; // as they are in memory, or packed
        }
    }
    if (!value && type == Float && content.size() == sizeof(float)) {
        return std::bit_cast<float>(qFromLittleEndian<std::uint32_t>(content.data()));
    }
    if (!value && type == Double && content.size() == sizeof(double)) {
        return std::bit_cast<double>(qFromLittleEndian<std::uint64_t>(content.data()));
    }
    return type == Float || type == Double ? value : std::nullopt;
}

/// Summary.Value.
struct TaggedValue {
    std::string tag;
    std::optional<double> scalar; ///< nothing: an image, a histogram, a text
};

Result<TaggedValue> valueOf(std::string_view bytes)
{
    TaggedValue value;
    bool isOther = false;
    ProtoReader reader(bytes);
    while (const auto field = reader.next()) {
        if (field->number == 1) {
            value.tag = std::string(field->bytes);
        } else if (field->number == 2 && field->wireType == 5) {
            value.scalar = std::bit_cast<float>(static_cast<std::uint32_t>(field->integer));
        } else if (field->number == 8) {
            value.scalar = numberOfTensor(field->bytes);
        } else if (field->number == 9) {
            // Metadata: the plug-in that shows the value; none, or `scalars`, is a number.
            isOther = field->bytes.find("scalars") == std::string_view::npos && !field->bytes.empty();
        }
    }
    if (reader.isBroken()) {
        return failure(LS_TR("Messages", "a value is incomplete"));
    }
    value.scalar = isOther ? std::nullopt : value.scalar;
    return value;
}

Result<void> addEvent(ReferenceBuilder& builder, std::string_view event)
{
    double wallSeconds = 0.0;
    std::int64_t step = 0;
    std::string_view summary;
    ProtoReader reader(event);
    while (const auto field = reader.next()) {
        if (field->number == 1 && field->wireType == 1) {
            wallSeconds = std::bit_cast<double>(field->integer);
        } else if (field->number == 2 && field->wireType == 0) {
            step = static_cast<std::int64_t>(field->integer);
        } else if (field->number == 5) {
            summary = field->bytes;
        }
    }
    ProtoReader values(summary);
    while (const auto field = values.next()) {
        if (field->number == 1) {
            LOCKSTEP_TRY_ASSIGN(const TaggedValue value, valueOf(field->bytes));
            if (value.scalar) {
                LOCKSTEP_TRY(builder.add(value.tag, step, wallSeconds, *value.scalar));
            }
        }
    }
    return reader.isBroken() || values.isBroken() || !std::isfinite(wallSeconds)
        ? Result<void>(failure(LS_TR("Messages", "an event is incomplete")))
        : Result<void>();
}

/// The records of one file.
class EventReader {
public:
    explicit EventReader(QFile& file)
        : m_file(file)
    { }

    /// The next record; nothing at the end.
    [[nodiscard]] Result<std::optional<QByteArray>> next()
    {
        const QByteArray head = m_file.read(HeadBytes);
        if (head.size() < HeadBytes) {
            m_isCutShort = !head.isEmpty();
            return std::optional<QByteArray>();
        }
        const auto length = qFromLittleEndian<std::uint64_t>(head.constData());
        if (!isCrcOf(
                {head.constData(), sizeof(length)}, qFromLittleEndian<std::uint32_t>(head.constData() + sizeof(length)))
            || length > MaxRecordBytes) {
            return broken();
        }
        QByteArray record = m_file.read(static_cast<qint64>(length) + TailBytes);
        if (record.size() < static_cast<qint64>(length) + TailBytes) {
            m_isCutShort = true;
            return std::optional<QByteArray>();
        }
        const auto crc = qFromLittleEndian<std::uint32_t>(record.constData() + length);
        record.chop(TailBytes);
        if (!isCrcOf({record.constData(), static_cast<std::size_t>(length)}, crc)) {
            return broken();
        }
        ++m_number;
        return std::optional(std::move(record));
    }
    [[nodiscard]] std::int64_t number() const { return m_number; }
    [[nodiscard]] bool isCutShort() const { return m_isCutShort; }

private:
    [[nodiscard]] Error broken() const
    {
        return refusal({}, LS_TR("Refusals", "record %1 does not match its checksum"), {m_number + 1});
    }

    QFile& m_file;
    std::int64_t m_number = 0;
    bool m_isCutShort = false;
};

} // namespace

bool isEventFile(const QString& path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray head = file.read(HeadBytes);
    return head.size() == HeadBytes
        && isCrcOf({head.constData(), sizeof(std::uint64_t)},
            qFromLittleEndian<std::uint32_t>(head.constData() + sizeof(std::uint64_t)));
}

Result<ReferenceCurves> readEventFile(const QString& path)
{
    QFile file(path);
    LOCKSTEP_TRY(openReference(file));
    ReferenceBuilder builder;
    EventReader reader(file);
    while (true) {
        LOCKSTEP_TRY_ASSIGN(const auto record, reader.next());
        if (!record) {
            break;
        }
        const auto added = addEvent(builder, {record->constData(), static_cast<std::size_t>(record->size())});
        if (!added) {
            return during({LS_TR("Messages", "record %1"), {reader.number()}}, added.error());
        }
    }
    return ReferenceCurves{builder.curves(true), reader.isCutShort()};
}

} // namespace lockstep::exchange
