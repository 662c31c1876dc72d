// The table of a finding as a table of texts, in the reader's language.
#pragma once

#include "analysis/finding.h"
#include "analysis/table/text_table.h"

namespace lockstep::analysis {

/// Without rows where the finding has none. All columns but the first are numbers.
[[nodiscard]] TextTable tableOf(const Finding& finding, const Translator& translate);

} // namespace lockstep::analysis
