#include "wire/field_types.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <fmt/format.h>

#include <lockstep_generated.h>

#include <bit>
#include <cstring>

namespace lockstep::wire {

namespace {

// Columns are copied as they lie in memory; FlatBuffers are little-endian.
static_assert(std::endian::native == std::endian::little);

using Builder = flatbuffers::FlatBufferBuilder;
using Part = flatbuffers::Offset<void>;

/// Texts and columns are written before their table, numbers with it.
class TableWriter {
public:
    explicit TableWriter(Builder& builder)
        : m_builder(builder)
    { }

    template <typename M>
    Part write(const M& message)
    {
        std::vector<Part> parts;
        M::fields([&](const Field& field, auto member) { parts.push_back(partOf(field, message, member)); });
        const flatbuffers::uoffset_t start = m_builder.StartTable();
        flatbuffers::voffset_t slot = 0;
        M::fields([&](const Field& field, auto member) {
            addTo(flatbuffers::FieldIndexToOffset(slot), field, parts[slot], message, member);
            ++slot;
        });
        return Part(m_builder.EndTable(start));
    }

private:
    template <typename M, Scalar T>
    Part partOf(const Field&, const M&, T M::*)
    {
        return {};
    }
    template <typename M>
    Part partOf(const Field&, const M& message, std::string M::*member)
    {
        return m_builder.CreateString(message.*member).Union();
    }
    template <typename M>
    Part partOf(const Field&, const M& message, std::vector<std::int64_t> M::*member)
    {
        return m_builder.CreateVector(message.*member).Union();
    }
    template <typename M>
    Part partOf(const Field&, const M& message, std::vector<std::byte> M::*member)
    {
        const std::vector<std::byte>& bytes = message.*member;
        return m_builder.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()).Union();
    }
    template <typename M>
    Part partOf(const Field&, const M& message, std::vector<double> M::*member)
    {
        return m_builder.CreateVector(message.*member).Union();
    }
    template <typename M>
    Part partOf(const Field&, const M& message, MemoryBytes M::*member)
    {
        return m_builder.CreateVector((message.*member).data(), (message.*member).size()).Union();
    }
    template <HasRows M, typename Row, typename T>
    Part partOf(const Field& field, const M& message, T Row::*member)
    {
        const std::vector<Row>& rows = message.rows;
        if (field.isOptional && isAllDefault(rows, member)) {
            return {};
        }
        if constexpr (Scalar<T>) {
            return column<RawOf<T>>(rows, [member](const Row& row) {
                return static_cast<RawOf<T>>(row.*member);
            }).Union();
        } else {
            std::array<flatbuffers::Offset<fb::Column>, Columns<T>::Count> columns;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                columns[i] = fb::CreateColumn(m_builder,
                    column<std::int64_t>(rows, [member, i](const Row& row) { return elementOf(row.*member, i); }));
            }
            return m_builder.CreateVector(columns.data(), columns.size()).Union();
        }
    }

    template <typename T, typename Row, typename Value>
    flatbuffers::Offset<flatbuffers::Vector<T>> column(const std::vector<Row>& rows, const Value& value)
    {
        T* to = nullptr;
        const flatbuffers::Offset<flatbuffers::Vector<T>> made
            = m_builder.CreateUninitializedVector<T>(rows.size(), &to);
        for (const Row& row : rows) {
            *to++ = value(row);
        }
        return made;
    }
    template <std::size_t N>
    static std::int64_t elementOf(const std::array<std::int64_t, N>& values, std::size_t i)
    {
        return values[i];
    }
    template <std::size_t N>
    static std::int64_t elementOf(const std::optional<std::array<std::int64_t, N>>& values, std::size_t i)
    {
        return values ? (*values)[i] : 0;
    }

    template <typename M, Scalar T>
    void addTo(flatbuffers::voffset_t place, const Field& field, Part, const M& message, T M::*member)
    {
        const RawOf<T> absent = field.isOptional ? static_cast<RawOf<T>>(M{}.*member) : RawOf<T>{};
        m_builder.AddElement<RawOf<T>>(place, static_cast<RawOf<T>>(message.*member), absent);
    }
    template <typename M, typename Any>
    void addTo(flatbuffers::voffset_t place, const Field&, Part part, const M&, Any)
    {
        m_builder.AddOffset(place, part);
    }

    Builder& m_builder;
};

/// Bytes of texts and columns, before FlatBuffers (which asserts above 2 GiB) sees them.
class PayloadBytes {
public:
    template <typename M>
    static std::size_t of(const M& message)
    {
        std::size_t bytes = 0;
        M::fields([&](const Field&, auto member) { bytes += ofField(message, member); });
        return bytes;
    }

private:
    template <typename M, typename T>
    static std::size_t ofField(const M& message, T M::*member)
    {
        if constexpr (requires { (message.*member).size(); }) {
            return (message.*member).size() * sizeof(typename T::value_type);
        } else {
            return 0;
        }
    }
    template <HasRows M, typename Row, typename T>
    static std::size_t ofField(const M& message, T Row::*)
    {
        return message.rows.size() * (Scalar<T> ? sizeof(T) : Columns<T>::Count * sizeof(std::int64_t));
    }
};

Error tooLong(std::size_t bytes)
{
    return failure(LS_TR("Messages", "a message of %1 bytes does not fit into a frame of %2"), {bytes, MaxFrameBytes});
}

} // namespace

Result<std::vector<std::byte>> encode(const Message& message)
{
    const std::size_t payloadBytes = std::visit([](const auto& m) { return PayloadBytes::of(m); }, message);
    if (payloadBytes > MaxFrameBytes) {
        return tooLong(payloadBytes);
    }
    Builder builder(payloadBytes + 512);
    const Part body = std::visit([&builder](const auto& m) { return TableWriter(builder).write(m); }, message);
    const auto kind = static_cast<fb::Body>(message.index() + 1);
    builder.Finish(fb::CreateFrame(builder, kind, body), fb::FrameIdentifier());

    const std::uint32_t length = builder.GetSize();
    if (length > MaxFrameBytes) {
        return tooLong(length);
    }
    // Not FinishSizePrefixed: that aligns the columns as seen from the length, and decode() gets the payload alone.
    std::vector<std::byte> frame(sizeof(length) + length);
    std::memcpy(frame.data(), &length, sizeof(length));
    std::memcpy(frame.data() + sizeof(length), builder.GetBufferPointer(), length);
    return frame;
}

} // namespace lockstep::wire
