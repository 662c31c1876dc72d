// Runs that are repeats of one variant, as charts group them.
#pragma once

#include "ui/models/chart_spec.h"
#include "ui/models/run_feed.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

using Feeds = std::vector<const RunFeed*>; ///< those that are visible

/// Whether it measures collectives over sizes and trains nothing.
[[nodiscard]] bool isSweep(const RunFeed& feed);

[[nodiscard]] int ranksOf(const RunFeed& feed);

/// Whether each rank has a separate share of the data, by the run's settings.
[[nodiscard]] bool hasShares(const RunFeed& feed);

/// Whether the run is of the experiment that compares numbers of ranks.
[[nodiscard]] bool isOfScaling(const RunFeed* feed);
/// Whether no rank has all of the net, its gradient and its optimizer's state.
[[nodiscard]] bool isModelParallel(const RunFeed& feed);

struct FeedGroup {
    QString name;
    Feeds feeds;
};

/// Runs that have a loss; variants of one name with other settings stay apart.
[[nodiscard]] std::vector<FeedGroup> groupsOf(const Feeds& feeds);

} // namespace lockstep::ui
