// The run of a rank from its JSON.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <cstdint>
#include <string>

namespace lockstep::engine {

/// Checked, without the settings that do not apply, and with what the files of its data set hold. `ranks`: as for
/// parseRunSpec().
[[nodiscard]] Result<experiment::RunSpec> readRunSpec(const std::string& json, std::int32_t ranks = 0);

} // namespace lockstep::engine
