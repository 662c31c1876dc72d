// Runs as JSON, as `lockstep run --json`, its result.json and `lockstep export --format json` give them, one entry a
// run.
#pragma once

#include "analysis/run_record.h"

#include <string>
#include <vector>

namespace lockstep::exchange {

/// {"version":1,"runs":[...],"comparisons":[...]}, and a line feed. Numbers that are not finite are null; the sentences
/// of `findings` are in this thread's language.
[[nodiscard]] std::string runsAsJson(const std::vector<analysis::RunRecord>& records);

} // namespace lockstep::exchange
