#include "wire/field_types.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <lockstep_generated.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace lockstep::wire {

namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(std::variant_size_v<Message> == static_cast<std::size_t>(fb::Body::MAX), "one struct for each table");

// Our own frames are three tables deep and have at most PhaseCount + 2 of them.
constexpr flatbuffers::uoffset_t MaxDepth = 8;
constexpr flatbuffers::uoffset_t MaxTables = 64;

constexpr std::int32_t MaxWorldSize = 1 << 20;

template <typename T>
using Vector = flatbuffers::Vector<T>;
using Tables = Vector<flatbuffers::Offset<fb::Column>>;

template <typename T>
std::size_t sizeOf(const Vector<T>* values)
{
    return values == nullptr ? 0 : values->size();
}

/// Reads the fields of one message and remembers the first error.
class TableReader {
public:
    explicit TableReader(const flatbuffers::Table& table)
        : m_table(table)
    { }

    template <typename M>
    M read()
    {
        M message;
        if constexpr (HasRows<M>) {
            const std::size_t rows = sizeOf(m_table.GetPointer<const Vector<std::int64_t>*>(placeOf(0)));
            // Columns of different lengths are found before there is memory for their rows.
            eachField<M>(
                [&](const Field& field, auto place, auto member) { checkLength(message, field, place, member, rows); });
            if (m_error) {
                return message;
            }
            message.rows.resize(rows);
        }
        eachField<M>([&](const Field& field, auto place, auto member) { readField(message, field, place, member); });
        return message;
    }

    void fail(std::string_view pattern, std::vector<Text> arguments)
    {
        if (!m_error) {
            m_error = failure(pattern, std::move(arguments));
        }
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    using Place = flatbuffers::voffset_t;

    static Place placeOf(std::size_t slot) { return flatbuffers::FieldIndexToOffset(static_cast<Place>(slot)); }

    template <typename M, typename Visit>
    static void eachField(const Visit& visit)
    {
        std::size_t slot = 0;
        M::fields([&](const Field& field, auto member) { visit(field, placeOf(slot++), member); });
    }

    template <typename M, typename T>
    void checkLength(const M&, const Field&, Place, T M::*, std::size_t)
    { }
    template <typename M, typename Row, typename T>
    void checkLength(const M&, const Field& field, Place place, T Row::*, std::size_t rows)
    {
        if constexpr (Scalar<T>) {
            const std::size_t given = sizeOf(m_table.GetPointer<const Vector<RawOf<T>>*>(place));
            if (given > 0 || !field.isOptional) {
                checkRows(field, given, rows);
            }
        } else {
            const auto* columns = m_table.GetPointer<const Tables*>(place);
            if (sizeOf(columns) != Columns<T>::Count && !(field.isOptional && sizeOf(columns) == 0)) {
                fail(LS_TR("Messages", "%1 has %2 columns, there are %3"),
                    {verbatim(field.name), sizeOf(columns), Columns<T>::Count});
            }
            for (std::size_t i = 0; i < sizeOf(columns); ++i) {
                checkRows(field, sizeOf(columnAt(columns, i)), rows);
            }
        }
    }

    void checkRows(const Field& field, std::size_t given, std::size_t rows)
    {
        if (given != rows) {
            fail(LS_TR("Messages", "%1 has %2 values, step has %3"), {verbatim(field.name), given, rows});
        }
    }

    /// By copying: the verifier leaves it to a vector of 8-byte numbers to lie at a multiple of 4 bytes only.
    template <typename T>
    static T elementAt(const Vector<T>* values, std::size_t i)
    {
        T value{};
        std::memcpy(&value, values->Data() + i * sizeof(T), sizeof(T));
        return value;
    }

    static const Vector<std::int64_t>* columnAt(const Tables* columns, std::size_t i)
    {
        return columns->Get(static_cast<flatbuffers::uoffset_t>(i))->values();
    }

    template <typename M, Scalar T>
    void readField(M& message, const Field& field, Place place, T M::*member)
    {
        const RawOf<T> absent = field.isOptional ? static_cast<RawOf<T>>(M{}.*member) : RawOf<T>{};
        message.*member = static_cast<T>(m_table.GetField<RawOf<T>>(place, absent));
        checkScalar(field, message.*member);
    }
    template <typename M>
    void readField(M& message, const Field& field, Place place, std::string M::*member)
    {
        const auto* text = m_table.GetPointer<const flatbuffers::String*>(place);
        if (text == nullptr) {
            return;
        }
        if (text->size() > field.mostBytes) {
            fail(LS_TR("Messages", "%1 has %2 bytes, %3 are allowed"),
                {verbatim(field.name), text->size(), field.mostBytes});
            return;
        }
        message.*member = text->str();
    }
    template <typename M>
    void readField(M& message, const Field& field, Place place, std::vector<std::int64_t> M::*member)
    {
        const auto* values = m_table.GetPointer<const Vector<std::int64_t>*>(place);
        (message.*member).resize(sizeOf(values));
        copy(field, values, [&](std::size_t i) -> std::int64_t& { return (message.*member)[i]; });
    }
    template <typename M>
    void readField(M& message, const Field&, Place place, std::vector<std::byte> M::*member)
    {
        if (const auto* values = m_table.GetPointer<const Vector<std::uint8_t>*>(place)) {
            const auto bytes = std::as_bytes(std::span(values->Data(), values->size()));
            (message.*member).assign(bytes.begin(), bytes.end());
        }
    }
    template <typename M>
    void readField(M& message, const Field& field, Place place, std::vector<double> M::*member)
    {
        const auto* values = m_table.GetPointer<const Vector<double>*>(place);
        (message.*member).resize(sizeOf(values));
        copy(field, values, [&](std::size_t i) -> double& { return (message.*member)[i]; });
    }
    template <typename M>
    void readField(M& message, const Field& field, Place place, MemoryBytes M::*member)
    {
        const auto* values = m_table.GetPointer<const Vector<std::int64_t>*>(place);
        MemoryBytes& bytes = message.*member;
        // A rank of a version without the workspace has one kind less.
        if (sizeOf(values) != bytes.size() && sizeOf(values) + 1 != bytes.size()) {
            fail(LS_TR("Messages", "%1 has %2 values, there are %3 kinds of memory"),
                {verbatim(field.name), sizeOf(values), bytes.size()});
            return;
        }
        for (std::size_t kind = 0; kind < sizeOf(values); ++kind) {
            bytes[kind] = elementAt(values, kind);
            checkScalar(field, bytes[kind]);
        }
    }
    template <HasRows M, typename Row, typename T>
    void readField(M& message, const Field& field, Place place, T Row::*member)
    {
        std::vector<Row>& rows = message.rows;
        if constexpr (Scalar<T>) {
            copy(field, m_table.GetPointer<const Vector<RawOf<T>>*>(place),
                [&](std::size_t i) -> T& { return rows[i].*member; });
        } else {
            const auto* columns = m_table.GetPointer<const Tables*>(place);
            for (std::size_t column = 0; column < sizeOf(columns); ++column) {
                copy(field, columnAt(columns, column),
                    [&](std::size_t i) -> std::int64_t& { return elementOf(rows[i].*member, column); });
            }
        }
    }

    template <Scalar T>
    void checkScalar(const Field& field, T value)
    {
        if (!isKnown(value) || !isAllowed(field, value)) {
            fail(isKnown(value) ? LS_TR("Messages", "%1: %2 is negative") : LS_TR("Messages", "%1: %2 is not known"),
                {verbatim(field.name), verbatim(std::to_string(+static_cast<RawOf<T>>(value)))});
        }
    }

    template <typename T, typename To>
    void copy(const Field& field, const Vector<T>* values, const To& to)
    {
        bool areKnown = true;
        bool areAllowed = true;
        for (std::size_t i = 0; i < sizeOf(values); ++i) {
            auto& value = to(i);
            value = static_cast<std::decay_t<decltype(value)>>(elementAt(values, i));
            areKnown = areKnown && isKnown(value);
            areAllowed = areAllowed && isAllowed(field, value);
        }
        if (!areKnown) {
            fail(LS_TR("Messages", "%1 has a value that is not known"), {verbatim(field.name)});
        } else if (!areAllowed) {
            fail(field.values == Field::Values::NotNegative ? LS_TR("Messages", "%1 has a negative value")
                                                            : LS_TR("Messages", "%1 has a value that is not a rank"),
                {verbatim(field.name)});
        }
    }

    template <std::size_t N>
    static std::int64_t& elementOf(std::array<std::int64_t, N>& values, std::size_t i)
    {
        return values[i];
    }
    template <std::size_t N>
    static std::int64_t& elementOf(std::optional<std::array<std::int64_t, N>>& values, std::size_t i)
    {
        return (values ? *values : values.emplace())[i];
    }

    template <typename T>
    static bool isKnown(T value)
    {
        if constexpr (std::is_enum_v<T>) {
            return value <= lastOf(value);
        } else {
            return true;
        }
    }
    template <typename T>
    static bool isAllowed(const Field& field, T value)
    {
        if constexpr (std::is_signed_v<T>) {
            switch (field.values) {
            case Field::Values::Any:
                return true;
            case Field::Values::NotNegative:
                return value >= 0;
            case Field::Values::RankOrNone:
                return value >= -1 && value < MaxWorldSize;
            }
        }
        return true;
    }

    const flatbuffers::Table& m_table;
    std::optional<Error> m_error;
};

void check(TableReader& reader, const Hello& hello)
{
    if (hello.worldSize < 1 || hello.worldSize > MaxWorldSize || hello.rank < 0 || hello.rank >= hello.worldSize) {
        reader.fail(LS_TR("Messages", "rank %1 of %2 cannot be"), {hello.rank, hello.worldSize});
    }
}

template <typename M>
void check(TableReader&, const M&)
{ }

/// The message whose place in the variant is the table's in the union.
template <std::size_t... Places>
Message readBody(TableReader& reader, std::size_t place, std::index_sequence<Places...>)
{
    Message message;
    const auto read = [&]<typename M>(std::type_identity<M>) {
        M made = reader.read<M>();
        check(reader, made);
        message = std::move(made);
        return true;
    };
    static_cast<void>(
        ((place == Places && read(std::type_identity<std::variant_alternative_t<Places, Message>>{})) || ...));
    return message;
}

} // namespace

Result<Message> decode(std::span<const std::byte> payload)
{
    if (payload.size() > MaxFrameBytes || payload.size() < 2 * sizeof(flatbuffers::uoffset_t)) {
        return failure(LS_TR("Messages", "a frame of %1 bytes is not a message"), {payload.size()});
    }
    // A frame lies anywhere in the receiver's buffer, and FlatBuffers reads its numbers in place: align it first.
    std::vector<std::uint64_t> aligned((payload.size() + 7) / 8);
    std::memcpy(aligned.data(), payload.data(), payload.size());
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(aligned.data());

    flatbuffers::Verifier verifier(bytes, payload.size(), MaxDepth, MaxTables);
    if (!fb::VerifyFrameBuffer(verifier)) {
        return failure(LS_TR("Messages", "a frame of %1 bytes is damaged or of another program"), {payload.size()});
    }
    const fb::Frame& frame = *fb::GetFrame(bytes);
    if (frame.body_type() != fb::Body::NONE && frame.body() == nullptr) {
        return failure(LS_TR("Messages", "a frame has no message in it"));
    }
    const auto kind = static_cast<std::size_t>(frame.body_type());
    if (kind == 0 || kind > std::variant_size_v<Message>) {
        return failure(LS_TR("Messages", "kind %1 is not known"), {kind});
    }
    TableReader reader(*static_cast<const flatbuffers::Table*>(frame.body()));
    Message message = readBody(reader, kind - 1, std::make_index_sequence<std::variant_size_v<Message>>());
    if (reader.error()) {
        return failure(LS_TR("Messages", "a message of kind %1 is malformed: %2"),
            {verbatim(fb::EnumNameBody(frame.body_type())), *reader.error()});
    }
    return message;
}

} // namespace lockstep::wire
