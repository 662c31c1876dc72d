// Runs that are repeats of one variant, as charts group them.
#pragma once

#include "analysis/scaling/scaling.h"
#include "ui/models/chart_spec.h"
#include "ui/models/feeds/run_feed.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

using Feeds = std::vector<const RunFeed*>; ///< those that are visible
using analysis::Interfered;

/// Whether it measures collectives over sizes and trains nothing.
[[nodiscard]] bool isSweep(const RunFeed& feed);

[[nodiscard]] int ranksOf(const RunFeed& feed);

/// Whether there is anything of its loss to draw.
[[nodiscard]] bool hasLoss(const RunFeed& feed);

/// Whether its times and rates are of steps after the warm-up, or it has not ended: not of a run that failed.
[[nodiscard]] bool isMeasured(const RunFeed& feed);

/// Whether each rank has a separate share of the data, by the run's settings.
[[nodiscard]] bool hasShares(const RunFeed& feed);

[[nodiscard]] analysis::Scales scalesOf(const Feeds& feeds);
/// Whether no rank has all of the net, its gradient and its optimizer's state.
[[nodiscard]] bool isModelParallel(const RunFeed& feed);

struct FeedGroup {
    QString name;
    Feeds feeds;
};

/// `SGD (n = 3)`; a run alone has its own name.
[[nodiscard]] QString countedName(const FeedGroup& group);

/// The mean over the group's runs, as tables show it.
[[nodiscard]] analysis::MeanEstimate estimateOf(double analysis::Summary::*figure, const FeedGroup& group);
/// The mean in the digits of tables, without its unit.
[[nodiscard]] QString meanText(double analysis::Summary::*figure, const analysis::MeanEstimate& estimate);

/// Runs that have a loss; variants of one name with other settings stay apart. A run that failed, was stopped or was
/// interrupted is no repeat of others, nor one that was changed by hand, unless such runs are included: it forms a
/// separate group, whose name says so.
[[nodiscard]] std::vector<FeedGroup> groupsOf(const Feeds& feeds, Interfered which);

/// As groupsOf, for curves: a run that has not finished is no repeat of others either, because a mean over some of its
/// steps would jump where it ends. Runs of one variant and seed stay one repeat, of which the newest is in the group.
[[nodiscard]] std::vector<FeedGroup> curveGroupsOf(const Feeds& feeds, Interfered which);

} // namespace lockstep::ui
