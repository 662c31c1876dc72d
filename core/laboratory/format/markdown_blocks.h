// The Markdown of a step's text as blocks of a report. Private to core/laboratory.
#pragma once

#include "exchange/report/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

using BlockContent = decltype(report::Block::content);

/// Headings (of level 2 or 3, below the step's own), paragraphs, lists, tables, code. Numbered items are the lines of
/// one paragraph. Signs of emphasis and pictures are left out, formulas are in ordinary characters. `caption`: of its
/// tables.
[[nodiscard]] std::vector<BlockContent> blocksOf(std::string_view markdown, const std::string& caption);

} // namespace lockstep::laboratory
