// Run files from elsewhere: opened without running anything that is in them, and copied row by row into a new file.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "store/account/delta.h"
#include "store/file/database.h"

#include <QString>

#include <functional>
#include <memory>

namespace lockstep::store {

/// The largest run file that is read; 4 GiB.
inline constexpr qint64 MaxRunFileBytes = qint64{4} << 30;

/// Opens a run file that anyone may have written, read-only. Refuses one that is too large, is damaged, or has
/// anything in its schema that a run file has not: views, triggers, indexes, virtual tables, generated columns.
[[nodiscard]] Result<std::unique_ptr<Database>> openForeignRun(const QString& path);

/// A run of such a file with its curves, and its summary as its rows give it: figures that the file states are not
/// used. Refuses what openForeignRun() does, rows that a rank may not send, and runs without an end.
[[nodiscard]] Result<analysis::RunRecord> readForeignRun(const QString& path);

/// What is changed on the way; either may be empty.
struct RunChanges {
    std::function<void(analysis::RunRecord&)> record{};
    std::function<void(Delta&)> delta{};
};

/// Reads every row and writes it into the new file `target`. Rows that a rank may not send are refused. A run without
/// an end becomes an interrupted one. Gives the new file's record; on an error the target is not whole.
[[nodiscard]] Result<analysis::RunRecord> copyRun(Database& source, const QString& target, const RunChanges& changes);

} // namespace lockstep::store
