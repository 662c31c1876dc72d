// Reference curves as a run of the store: the run of another program, to draw the user's own beside it.
#pragma once

#include "exchange/bundle/import_bundle.h"

namespace lockstep::exchange {

/// The curve named loss (or the first whose name ends so) is the run's loss, those named accuracy and test_loss its
/// evaluations, and the others its metrics. What the file does not contain, such as the time of a step, is not
/// measured. Nothing stays behind of a file that is refused.
[[nodiscard]] Result<RunId> importReference(store::RunStore& store, const QString& file);

/// Whether it is an event file or a CSV, by name or content.
[[nodiscard]] bool isReferenceFile(const QString& file);

/// A bundle, a run file, a recording of lockstep-rank, an event file of TensorBoard or a CSV. All but the first have
/// one run and no spec.
[[nodiscard]] Result<ImportedBundle> importAny(store::RunStore& store, const QString& file);

} // namespace lockstep::exchange
