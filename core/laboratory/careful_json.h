// JSON of files that anyone may have written. Private to core/laboratory.
#pragma once

#include "base/text.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace lockstep::laboratory {

/// Discarded where it is not JSON, or has more than 64 brackets in one another: copies and texts of such JSON would
/// need a stack as deep.
[[nodiscard]] nlohmann::ordered_json carefulJson(std::string_view text);

/// Why this text is no JSON object for carefulJson(): `line 3, column 14`, ...
[[nodiscard]] Text whyNoObject(std::string_view text);

} // namespace lockstep::laboratory
