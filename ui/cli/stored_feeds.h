// The feeds of the stored runs that a verb names. GUI thread only.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "cli/chosen_runs.h"
#include "ui/models/feeds/run_feed.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace lockstep::ui {

/// Feeds of these runs with all data, which look as in the window. `folder` is the run store's.
[[nodiscard]] Result<std::vector<std::unique_ptr<RunFeed>>> storedFeeds(
    const QString& folder, const std::vector<analysis::RunRecord>& runs);

} // namespace lockstep::ui
