// What was changed by hand while a run went on, and where it comes from, in the window's language.
#pragma once

#include "analysis/run_record.h"

#include <QString>

namespace lockstep::ui {

/// `paused, slowed down`; empty where nothing was changed.
[[nodiscard]] QString interferenceText(const analysis::Interference& interference);
/// `ring (paused)`; the name alone where nothing was changed.
[[nodiscard]] QString markedName(const QString& name, const analysis::Interference& interference);
/// Also marks what was imported: `ring (imported, paused)`.
[[nodiscard]] QString markedName(const QString& name, const analysis::RunRecord& run);

} // namespace lockstep::ui
