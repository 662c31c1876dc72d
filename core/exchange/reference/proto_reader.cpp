#include "exchange/reference/proto_reader.h"

#include <bit>
#include <cmath>

namespace lockstep::exchange {

std::optional<ProtoField> ProtoReader::next()
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

std::optional<std::uint64_t> ProtoReader::nextInteger()
{
    if (m_rest.empty() || m_isBroken) {
        return std::nullopt;
    }
    const std::uint64_t value = varint();
    return m_isBroken ? std::nullopt : std::optional(value);
}

std::uint64_t ProtoReader::varint()
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

std::string_view ProtoReader::take(std::uint64_t count)
{
    if (m_isBroken || count > m_rest.size()) {
        m_isBroken = true;
        return {};
    }
    const std::string_view taken = m_rest.substr(0, static_cast<std::size_t>(count));
    m_rest.remove_prefix(taken.size());
    return taken;
}

namespace {

/// DataType of types.proto: those that hold one number.
enum class TensorType : std::uint64_t {
    Float = 1,
    Double = 2,
    Int32 = 3,
    UInt8 = 4,
    Int16 = 5,
    Int8 = 6,
    Int64 = 9,
    Bool = 10,
    BFloat16 = 14,
    UInt16 = 17,
    Half = 19,
    UInt32 = 22,
    UInt64 = 23
};

std::size_t bytesOf(TensorType type)
{
    switch (type) {
    case TensorType::UInt8:
    case TensorType::Int8:
    case TensorType::Bool:
        return 1;
    case TensorType::Int16:
    case TensorType::UInt16:
    case TensorType::BFloat16:
    case TensorType::Half:
        return 2;
    case TensorType::Float:
    case TensorType::Int32:
    case TensorType::UInt32:
        return 4;
    case TensorType::Double:
    case TensorType::Int64:
    case TensorType::UInt64:
        return 8;
    }
    return 0; // holds no number
}

/// Of IEEE 754's binary16.
double halfNumber(std::uint16_t bits)
{
    const int exponent = (bits >> 10) & 0x1F;
    const int fraction = bits & 0x3FF;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 0x1F) {
        return fraction == 0 ? sign * HUGE_VAL : std::nan("");
    }
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

/// The bits of a value, the lowest bytes first.
double numberOfBits(TensorType type, std::uint64_t bits)
{
    switch (type) {
    case TensorType::Float:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case TensorType::Double:
        return std::bit_cast<double>(bits);
    case TensorType::Half:
        return halfNumber(static_cast<std::uint16_t>(bits));
    case TensorType::BFloat16:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0xFFFF) << 16);
    case TensorType::Int8:
        return static_cast<std::int8_t>(bits);
    case TensorType::Int16:
        return static_cast<std::int16_t>(bits);
    case TensorType::Int32:
        return static_cast<std::int32_t>(bits);
    case TensorType::Int64:
        return static_cast<double>(static_cast<std::int64_t>(bits));
    case TensorType::Bool:
    case TensorType::UInt8:
    case TensorType::UInt16:
    case TensorType::UInt32:
    case TensorType::UInt64:
        return static_cast<double>(bits);
    }
    return std::nan("");
}

/// The field of a TensorProto in which values of that type are listed.
std::uint64_t valuesField(TensorType type)
{
    switch (type) {
    case TensorType::Float:
        return 5;
    case TensorType::Double:
        return 6;
    case TensorType::Int64:
        return 10;
    case TensorType::Bool:
        return 11;
    case TensorType::Half:
    case TensorType::BFloat16:
        return 13;
    case TensorType::UInt32:
        return 16;
    case TensorType::UInt64:
        return 17;
    default:
        return 7; // the other integers
    }
}

/// Little-endian, as in memory.
std::uint64_t bitsOf(std::string_view bytes)
{
    std::uint64_t bits = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return bits;
}

/// The only value of a packed field.
std::optional<std::uint64_t> packedBits(TensorType type, std::string_view bytes)
{
    if (type == TensorType::Float || type == TensorType::Double) {
        return bytes.size() == bytesOf(type) ? std::optional(bitsOf(bytes)) : std::nullopt;
    }
    ProtoReader values(bytes);
    const auto first = values.nextInteger();
    return first && !values.nextInteger() && !values.isBroken() ? first : std::nullopt;
}

} // namespace

std::optional<double> numberOfTensor(std::string_view tensor)
{
    constexpr std::uint64_t TypeField = 1;
    constexpr std::uint64_t ContentField = 4;
    auto type = TensorType{};
    ProtoReader types(tensor);
    while (const auto field = types.next()) {
        type = field->number == TypeField ? static_cast<TensorType>(field->integer) : type;
    }
    const std::size_t size = bytesOf(type);
    if (size == 0 || types.isBroken()) {
        return std::nullopt;
    }
    std::optional<std::uint64_t> bits;
    ProtoReader fields(tensor);
    while (const auto field = fields.next()) {
        if (field->number == ContentField && field->bytes.size() == size) {
            bits = bitsOf(field->bytes);
        } else if (field->number == valuesField(type)) {
            bits = field->wireType == 2 ? packedBits(type, field->bytes) : std::optional(field->integer);
        }
    }
    return bits ? std::optional(numberOfBits(type, *bits)) : std::nullopt;
}

} // namespace lockstep::exchange
