// Which runs count in a report's tables: those that findings compare. Private to core/exchange/report.
#pragma once

#include "analysis/statistics/run_groups.h"
#include "exchange/report/compose.h"

#include <vector>

namespace lockstep::report {

/// Finished, and not changed by hand unless such runs are included.
[[nodiscard]] std::vector<analysis::RunRecord> countedRuns(const Source& source);

/// The name of a variant; marked if a run of it was imported: `ring (imported)`.
[[nodiscard]] std::string nameOf(const Source& source, const analysis::Group& group);

/// The others, with the reason: `Run | Status | Reason`.
[[nodiscard]] Table leftOutTable(const Source& source);

/// What all variants have in common: data, net, optimizer, and every setting that is not the default.
[[nodiscard]] Table settingsTable(const Source& source);

/// Settings in which the variants differ, a row a variant.
[[nodiscard]] Table differencesTable(const Source& source);

/// Measured collectives: a row a message size, a column a variant, in µs.
[[nodiscard]] Table sweepTable(const Source& source);

} // namespace lockstep::report
