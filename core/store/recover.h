// Runs whose workbench died while it wrote them. Private to the store.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"

#include <QString>

#include <optional>

namespace lockstep::store {

/// If the file's run is not final and its writer is dead: marks it interrupted, with a summary from its rows,
/// checkpoints it and leaves WAL mode. Returns the record in the file after that.
[[nodiscard]] Result<analysis::RunRecord> recoverIfAbandoned(const QString& path);

} // namespace lockstep::store
