// Reads a run's file back: Deltas in their order, curves, the summary from its rows. Private to store, replay and
// bundle.
#pragma once

#include "analysis/run_record.h"
#include "store/account/clock_correction.h"
#include "store/account/delta.h"
#include "store/account/run_account.h"
#include "store/file/database.h"

#include <functional>
#include <map>
#include <string>

namespace lockstep::store {

/// A run's file in a store.
[[nodiscard]] QString runFile(const QString& storeFolder, const RunId& id);

/// How far a file has been read: the last rowid of each table. Empty: nothing has.
using ReplayPlace = std::map<std::string, qlonglong, std::less<>>;
/// A file keeps each rank's own time.
enum class Times { OfRankZero, AsStored };
/// The Deltas after `place`, until the visitor returns false; moves `place` on. What has been read is not read again.
[[nodiscard]] Result<void> replayFrom(Database& file, ReplayPlace& place,
    const std::function<bool(const Delta&)>& visit, Times times = Times::OfRankZero);
/// All of them, until the visitor returns false.
[[nodiscard]] Result<void> replayFile(
    Database& file, const std::function<bool(const Delta&)>& visit, Times times = Times::OfRankZero);
/// The measurements of the hosts' clocks that the file has.
[[nodiscard]] Result<ClockCorrection> readClocks(Database& file);

/// Fills in loss and accuracy. Of a run without an end, whose workbench has died, also the summary, from its rows, and
/// the status: finished if only its measuring was cut short, else interrupted.
enum class Summarise { No, FromRows };
[[nodiscard]] Result<void> readCurves(Database& file, analysis::RunRecord& record, Summarise summarise);
/// That status, with `why` the file does not say how the run ended.
void endAbandoned(analysis::RunRecord& record, const RunAccount& account, const Text& why);

} // namespace lockstep::store
