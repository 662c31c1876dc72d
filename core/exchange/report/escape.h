// Escapes external text in XML and Markdown, by cleanLine() of analysis/plain_text.h, which also has LaTeX. Private to
// core/exchange/report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

/// Of XML and HTML, as content or in a quoted attribute.
[[nodiscard]] std::string xmlEscaped(std::string_view text);
/// A listing: ends of lines and tabs stay.
[[nodiscard]] std::string xmlEscapedLines(std::string_view text);
/// CommonMark with GitHub's tables: no HTML, no emphasis, links or pictures.
[[nodiscard]] std::string markdownEscaped(std::string_view text);

/// The lines that are not empty: paragraphs of a text that a person wrote.
[[nodiscard]] std::vector<std::string> paragraphsOf(std::string_view text);

} // namespace lockstep::report
