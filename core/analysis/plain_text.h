// Outside text - names, paths, messages of programs - as what is shown: never markup, never a command. One place for
// the window, the terminal, and every file that is read by a person.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::analysis {

/// Valid in XML 1.0 and everywhere else. Control characters (C0, DEL, C1), marks that turn the direction of text, and
/// bytes that are not UTF-8, half a surrogate pair among them, become U+FFFD. Tabs and ends of lines stay.
[[nodiscard]] std::string cleanText(std::string_view text);

/// cleanText() in one line: an end of a line becomes ↵ and a tab a space.
[[nodiscard]] std::string cleanLine(std::string_view text);

/// A JSON document with the same content, with \uXXXX in the place of what cleanText() marks.
[[nodiscard]] std::string cleanJson(std::string_view document);

/// UTF-8 of at most `mostBytes`; what is longer ends in `…`. Whole characters, each with the accents and joined signs
/// that follow it.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t mostBytes);

/// `text`, of any script, as a name of a file without folder and suffix: at most 96 bytes of letters, digits, `_`, `.`
/// and `-` in the place of all else. No name that Windows reserves, no `-` or `.` at either end; may be empty.
[[nodiscard]] std::string readableName(std::string_view text);
/// The same, never empty, and another name for another text: where anything is replaced or left out, eight digits of
/// the text's hash follow.
[[nodiscard]] std::string fileNameOf(std::string_view text);

/// UTF-8 that LaTeX prints as `text`: no command, comment, formula or ligature, also as the first thing of a table's
/// row or a list's item. In one line, as cleanLine(); signs that text fonts often lack (×, µ, α, ⁴) become their
/// commands.
[[nodiscard]] std::string latexEscaped(std::string_view text);

} // namespace lockstep::analysis
