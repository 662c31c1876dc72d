// TensorBoard's event files: records (length, its CRC, an Event of Protocol Buffers, its CRC), as event_record.h writes
// them.
#include "base/translate.h"
#include "exchange/export/event_record.h"
#include "exchange/reference/proto_reader.h"
#include "exchange/reference/reference_builder.h"

#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <bit>
#include <cmath>
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

/// What the file lacks at its end; empty if it is whole. An error if it is damaged before its first curve.
Result<Text> readEvents(const QString& path, ReferenceBuilder& builder)
{
    QFile file(path);
    LOCKSTEP_TRY(openReference(file));
    EventReader reader(file);
    while (true) {
        const auto record = reader.next();
        if (!record && builder.isEmpty()) {
            return record.error();
        }
        if (!record) {
            return Text(LS_TR("Messages", "%1: what came before was imported"), {record.error()});
        }
        if (!*record) {
            return reader.isCutShort()
                ? Text(LS_TR("Messages", "the event file is cut short: the complete part was imported"))
                : Text();
        }
        const auto added = addEvent(builder, {(*record)->constData(), static_cast<std::size_t>((*record)->size())});
        if (!added) {
            return during({LS_TR("Messages", "record %1"), {reader.number()}}, added.error());
        }
    }
}

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
    return readEventFiles({path});
}

Result<ReferenceCurves> readEventFiles(const QStringList& paths)
{
    ReferenceBuilder builder;
    Text damage;
    for (const QString& path : paths) {
        LOCKSTEP_TRY_ASSIGN(const Text found, readEvents(path, builder));
        damage = damage.empty() ? found : damage;
    }
    return builder.curves(true, damage);
}

} // namespace lockstep::exchange
