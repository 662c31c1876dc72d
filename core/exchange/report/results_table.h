// Tables of a report: results by variant, settings, differences in time, sweeps. Private to core/exchange/report.
#pragma once

#include "exchange/report/compose.h"
#include "exchange/report/report.h"

#include <span>
#include <string_view>

namespace lockstep::report {

/// A row a variant, finished runs only; means with 95 % intervals over repeats. `columns` empty: those that have values
/// and that most reports need.
[[nodiscard]] Table resultsTable(const Source& source, std::span<const std::string> columns);

} // namespace lockstep::report
