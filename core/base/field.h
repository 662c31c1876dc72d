// One field of a message: its names, and what a peer may put into it. A message describes its fields once, in the order
// of lockstep.fbs; encoding, decoding, storing and reading visit that description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lockstep {

struct Field {
    enum class Values : std::uint8_t { Any, NotNegative, RankOrNone };

    const char* name; ///< in lockstep.fbs
    const char* stored; ///< column of the run's file
    std::span<const std::string_view> storedEach{}; ///< of an array that has a column for each element
    Values values = Values::Any;
    std::size_t mostBytes = 4096; ///< of a text
    bool isStored = true;
    bool isOptional = false;

    explicit constexpr Field(const char* fieldName)
        : name(fieldName)
        , stored(fieldName)
    { }

    [[nodiscard]] constexpr Field notNegative() const { return with(&Field::values, Values::NotNegative); }
    [[nodiscard]] constexpr Field rankOrNone() const { return with(&Field::values, Values::RankOrNone); }
    [[nodiscard]] constexpr Field atMost(std::size_t bytes) const { return with(&Field::mostBytes, bytes); }
    /// A column that is absent where every row has the row's default; of a message itself, a number that has the
    /// message's default where the peer's version does not send it.
    [[nodiscard]] constexpr Field optional() const { return with(&Field::isOptional, true); }
    [[nodiscard]] constexpr Field storedAs(const char* column) const { return with(&Field::stored, column); }
    [[nodiscard]] constexpr Field storedIn(std::span<const std::string_view> columns) const
    {
        return with(&Field::storedEach, columns);
    }
    [[nodiscard]] constexpr Field notStored() const { return with(&Field::isStored, false); }

private:
    template <typename T>
    [[nodiscard]] constexpr Field with(T Field::*member, T value) const
    {
        Field changed = *this;
        changed.*member = value;
        return changed;
    }
};

} // namespace lockstep
