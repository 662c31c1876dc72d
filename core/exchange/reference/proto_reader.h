// Messages of Protocol Buffers, field after field. Private to the folder.
#pragma once

#include <QtEndian>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::exchange {

/// A field of a message.
struct ProtoField {
    std::uint64_t number = 0;
    int wireType = 0;
    std::uint64_t integer = 0; ///< of a varint, or the bits of a fixed field
    std::string_view bytes{}; ///< of a text, or a message within
};

/// Reads field after field; what is not whole ends it with an error.
class ProtoReader {
public:
    explicit ProtoReader(std::string_view bytes)
        : m_rest(bytes)
    { }

    /// The next one; nothing at the end, and after an error.
    [[nodiscard]] std::optional<ProtoField> next();
    /// An integer of a packed field; nothing at the end, and after an error.
    [[nodiscard]] std::optional<std::uint64_t> nextInteger();
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    std::uint64_t varint();
    std::string_view take(std::uint64_t count);
    template <typename T>
    T fixed()
    {
        const std::string_view taken = take(sizeof(T));
        return m_isBroken ? T{} : qFromLittleEndian<T>(taken.data());
    }

    std::string_view m_rest;
    bool m_isBroken = false;
};

/// The number of a TensorProto (tensorflow/core/framework/tensor.proto) that holds one: of a floating-point type, 16
/// bits wide or more, an integer or a bool. Nothing for all other tensors.
[[nodiscard]] std::optional<double> numberOfTensor(std::string_view tensor);

} // namespace lockstep::exchange
