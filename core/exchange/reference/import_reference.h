// Reference curves as a run of the store: the run of another program, to draw the user's own beside it.
#pragma once

#include "exchange/bundle/import_bundle.h"

namespace lockstep::exchange {

/// The curve named loss (`train_loss`, ...) is the run's loss, those named val_accuracy and val_loss (`test/loss`, ...)
/// its evaluations, and the others its metrics. What the file does not contain, such as the time of a step, is not
/// measured. The run has the file's name, with its folder's where that says more. Nothing stays behind of a file that
/// is refused.
[[nodiscard]] Result<RunId> importReference(store::RunStore& store, const QString& file);

/// Whether it is an event file or a CSV, by name or content.
[[nodiscard]] bool isReferenceFile(const QString& file);

/// Whether the run is one of those.
[[nodiscard]] bool isReference(const analysis::RunRecord& record);

/// Of bundles, run files, recordings of lockstep-rank, event files of TensorBoard and tables; of a folder all event
/// files and tables. An error if nothing could be imported, the first one; else `refused` has what could not. Runs of
/// curves are created a nanosecond apart.
[[nodiscard]] Result<ImportedBundle> importAny(store::RunStore& store, const QStringList& files);

} // namespace lockstep::exchange
