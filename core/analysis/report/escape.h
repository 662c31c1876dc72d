// Text of others as text in each format. Characters that no text has (control characters, bytes that are not UTF-8)
// become U+FFFD; a tab or the end of a line becomes a space. Private to core/analysis/report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

/// Valid in XML 1.0 and everywhere else. Ends of lines stay.
[[nodiscard]] std::string cleanText(std::string_view text);
/// Of XML and HTML, as content or in a quoted attribute.
[[nodiscard]] std::string xmlEscaped(std::string_view text);
/// CommonMark with GitHub's tables: no HTML, no emphasis, links or pictures.
[[nodiscard]] std::string markdownEscaped(std::string_view text);
/// No command, comment or formula; also safe as the first thing of a table's row or a list's item.
[[nodiscard]] std::string latexEscaped(std::string_view text);

/// The lines that are not empty: paragraphs of a text that a person wrote.
[[nodiscard]] std::vector<std::string> paragraphsOf(std::string_view text);

} // namespace lockstep::report
