// What `lockstep run` leaves behind: the JSON or the table on stdout, and the files of --out.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "cli/verbs.h"

#include <QString>

#include <string>
#include <vector>

namespace lockstep::cli {

struct Results {
    const std::vector<analysis::RunRecord>& records;
    QString folder; ///< of --out
    QString store;
    bool hidesFindings = false; ///< a laboratory does
};

/// One line a run, then the findings.
[[nodiscard]] std::string resultsAsTable(const Results& results);
/// result.json, series.csv, and the charts where this build can draw. Fails on a full disk.
[[nodiscard]] Result<void> writeResults(const Results& results, const CommandContext& context);

} // namespace lockstep::cli
