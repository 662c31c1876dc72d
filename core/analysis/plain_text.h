// Escapes external text: a name is printed and never executed, whatever it contains.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::analysis {

/// Valid in XML 1.0 and everywhere else: characters that no text has (control characters, bytes that are not UTF-8)
/// become U+FFFD. Tabs and ends of lines stay.
[[nodiscard]] std::string cleanText(std::string_view text);

/// UTF-8 that LaTeX prints as `text`: no command, comment, formula or ligature, also as the first thing of a table's
/// row or a list's item. Tabs and ends of lines become spaces; signs that text fonts often lack (×, µ, α, ⁴) their
/// commands.
[[nodiscard]] std::string latexEscaped(std::string_view text);

} // namespace lockstep::analysis
