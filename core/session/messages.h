// What ranks, stores and this machine say, in the reader's language. Such texts are written in English, where they come
// from, so that a stored run reads the same everywhere; here they are recognised by their patterns and worded again.
#pragma once

#include "analysis/finding.h"

#include <string>
#include <string_view>

namespace lockstep::session {

/// In this thread's language; a text that no pattern fits, or any text in English, comes back as it is. Parts of a
/// text that are messages themselves (a cause, a rank's last lines) are worded again, too.
[[nodiscard]] std::string worded(std::string_view message);

/// The finding's sentence in this thread's language; why a run failed is worded, too.
[[nodiscard]] std::string findingSentence(const analysis::Finding& finding);

} // namespace lockstep::session
