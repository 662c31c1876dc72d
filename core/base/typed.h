// Text as Chinese keyboards type it: full-width forms and Chinese punctuation in the place of ASCII characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The ASCII form of the first character of a text.
struct AsciiTwin {
    std::string_view ascii{}; ///< `,` of U+FF0C and U+3001, `>=` of U+2265; the character itself where there is none
    std::size_t size = 0; ///< bytes of the character
};

/// Of full-width forms (U+FF01 to U+FF5E), the ideographic comma and space, curly quotation marks, the minus sign, and
/// the signs for not equal, at most and at least. The text is not empty; it outlives the result.
[[nodiscard]] AsciiTwin asciiTwin(std::string_view text);
/// Every character replaced by its twin.
[[nodiscard]] std::string withAsciiTwins(std::string_view text);
/// The place of the first character whose twin is `wanted`; npos if there is none.
[[nodiscard]] std::size_t findTyped(std::string_view text, char wanted);
/// What stands between the separators, without blanks at both ends; one empty part of an empty text.
[[nodiscard]] std::vector<std::string_view> splitTyped(std::string_view text, char separator);

} // namespace lockstep
