// The critical paths of the steps that a timeline shows.
#pragma once

#include "analysis/timing/critical_path.h"
#include "ui/models/feeds/timeline_model.h"

#include <QStringList>

#include <vector>

namespace lockstep::ui {

/// Of the steps that touch the window, each path in time order; none where there is one rank, or where more steps are
/// shown than can be distinguished.
[[nodiscard]] std::vector<std::vector<analysis::PathPiece>> criticalPathsIn(
    const TimelineModel& model, const TimelineWindow& window);

/// What the paths consist of, in words; empty without a path.
[[nodiscard]] QStringList pathTexts(const std::vector<std::vector<analysis::PathPiece>>& paths);

} // namespace lockstep::ui
