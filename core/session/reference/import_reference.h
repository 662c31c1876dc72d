// Reference curves as a run of the store: the run of another program, to draw one's own beside it.
#pragma once

#include "session/bundle/import_bundle.h"

namespace lockstep::session {

/// The curve named loss (or the first whose name ends so) is the run's loss, those named accuracy and test_loss its
/// evaluations, and the others its metrics. What the file does not tell, such as the time of a step, is not measured.
/// Nothing stays behind of a file that is refused.
[[nodiscard]] Result<RunId> importReference(RunStore& store, const QString& file);

/// Whether it is an event file or a CSV, by name or content.
[[nodiscard]] bool isReferenceFile(const QString& file);

/// A bundle, a run file, a recording of lockstep-rank, an event file of TensorBoard or a CSV.
[[nodiscard]] Result<ImportedBundle> importAny(RunStore& store, const QString& file);

} // namespace lockstep::session
