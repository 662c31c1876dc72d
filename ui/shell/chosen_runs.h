// The stored runs that a verb names, and their feeds. GUI thread only.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "ui/models/run_feed.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace lockstep::session {
class RunStore;
}

namespace lockstep::ui {

/// Each name is an id, the beginning of one, or `last`: the newest run and those of the same comparison before it. No
/// names mean `last`. Error: a name that fits no run or several, or a store without runs.
[[nodiscard]] Result<std::vector<analysis::RunRecord>> chosenRuns(
    const session::RunStore& store, const QStringList& names);

/// Their feeds with all data, one colour a variant as in the window. `folder` is the run store's.
[[nodiscard]] Result<std::vector<std::unique_ptr<RunFeed>>> storedFeeds(
    const QString& folder, const std::vector<analysis::RunRecord>& runs);

} // namespace lockstep::ui
