// Imports a file into a store: a copied run file, or what `lockstep-rank --record` wrote. Private to the store.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "store/run_store.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>

namespace lockstep::store {

using MakeWriter = std::function<Result<std::unique_ptr<RunWriter>>(const analysis::RunRecord&)>;

/// True where the file begins as an SQLite database does.
[[nodiscard]] bool isDatabase(const QString& file);

/// Whether it may be a recording: it begins with a frame, or the beginning of one.
[[nodiscard]] bool beginsAsRecording(const QString& file);

/// The files of all ranks of the run of which `file` is one (`x.rank0`), or what their names begin with (`x`).
[[nodiscard]] QStringList filesOfRun(const QString& file);

/// Reads a recording frame by frame and writes it as a new run; `fresh` gives its id. All of
/// filesOfRun() are read.
[[nodiscard]] Result<analysis::RunRecord> importRecording(
    const QString& file, const RunId& fresh, const MakeWriter& make);
/// The same for RunStore::follow(): also files that appear meanwhile.
[[nodiscard]] Result<Followed> followRecording(const QString& file, const RunId& fresh, const MakeWriter& make,
    const KeepReading& keepReading, std::chrono::milliseconds silence);

} // namespace lockstep::store
