// What ranks, stores and this machine say, in the reader's language: errors, log lines, states. They come as data
// (base/text.h), so that one function words them for the command line, the window and stored runs.
#pragma once

#include "analysis/finding.h"

#include <string>
#include <string_view>

namespace lockstep::language {

/// In this thread's language: the text's pattern, its arguments, and what has no pattern if it is an entry of the
/// catalogue itself. A pattern that the catalogue does not have shows the English.
[[nodiscard]] std::string worded(const Text& text);
/// The finding's sentence in this thread's language; why a run failed is worded, too.
[[nodiscard]] std::string findingSentence(const analysis::Finding& finding);

} // namespace lockstep::language
