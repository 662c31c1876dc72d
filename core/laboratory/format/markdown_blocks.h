// The texts of a laboratory as parts of a report. Private to core/laboratory.
#pragma once

#include "exchange/report/report.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::laboratory {

using MarkdownBlock = std::variant<report::Heading, report::Paragraph, report::Listing, report::Table>;

/// In order, without pictures and signs of emphasis; an entry of a list is a paragraph of its own, a table has no
/// caption.
[[nodiscard]] std::vector<MarkdownBlock> markdownBlocks(std::string_view markdown);
/// The same without tables, as plain paragraphs.
[[nodiscard]] std::vector<std::string> plainParagraphs(std::string_view markdown);

} // namespace lockstep::laboratory
