// Reads a run's file back: Deltas in their order, curves, the summary from its rows. Private to store, replay and
// bundle.
#pragma once

#include "analysis/run_record.h"
#include "session/delta.h"
#include "session/store/database.h"

#include <functional>

namespace lockstep::session {

/// A run's file in a store.
[[nodiscard]] QString runFile(const QString& storeFolder, const RunId& id);

/// The Deltas after the one with the number `after`, until the visitor returns false; gives the number of the last.
[[nodiscard]] Result<qlonglong> replayFrom(
    Database& file, qlonglong after, const std::function<bool(const Delta&)>& visit);
/// All of them, until the visitor returns false.
[[nodiscard]] Result<void> replayFile(Database& file, const std::function<bool(const Delta&)>& visit);

/// Fills in loss and accuracy; summary too, from the rows, where `resummarise` is asked for (a crashed run).
enum class Summarise { No, FromRows };
[[nodiscard]] Result<void> readCurves(Database& file, analysis::RunRecord& record, Summarise summarise);

} // namespace lockstep::session
