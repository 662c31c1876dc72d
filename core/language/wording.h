// What ranks, stores and this machine say, in the reader's language: errors, log lines, states. They come as data
// (base/text.h), so that one function words them for the command line, the window and stored runs.
#pragma once

#include "analysis/finding.h"
#include "analysis/table/text_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::language {

/// In this thread's language: the text's pattern, its arguments, and what has no pattern if it is an entry of the
/// catalogue itself. A pattern that the catalogue does not have shows the English. By analysis::cleanText(), since much
/// of it is what other programs said.
[[nodiscard]] std::string worded(const Text& text);
/// The finding's sentence in this thread's language; why a run failed is worded, too.
[[nodiscard]] std::string findingSentence(const analysis::Finding& finding);
/// Its table in this thread's language; without rows where it has none.
[[nodiscard]] analysis::TextTable findingTable(const analysis::Finding& finding);
/// What these runs' experiment asks, in this thread's language; empty where that is not known.
[[nodiscard]] std::string questionOf(const std::vector<analysis::RunRecord>& runs);
/// How many runs these are, of how many variants, and what does not count (analysis/findings/run_count.h).
[[nodiscard]] std::string runCount(
    const std::vector<const analysis::RunRecord*>& runs, analysis::Interfered which = analysis::Interfered::LeaveOut);
/// The same of runs as they were loaded.
[[nodiscard]] std::string runCount(
    const std::vector<analysis::RunRecord>& runs, analysis::Interfered which = analysis::Interfered::LeaveOut);

} // namespace lockstep::language
