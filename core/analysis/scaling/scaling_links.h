// The links that a prediction of training rests on, out of the runs that have measured some. Private to core/analysis.
#pragma once

#include "analysis/scaling/scaling.h"
#include "analysis/statistics/run_groups.h"

#include <vector>

namespace lockstep::analysis {

struct LinksOfRun {
    std::vector<MeasuredLink> links; ///< within a host, by ranks
    std::vector<MeasuredLink> between; ///< between hosts, by hosts; for runs on several
    LinkReach reach = LinkReach::OneMachine;
    bool areArraysShared = false;
};

/// Ranks on each of a run's hosts, as many on each, rounded up; 0: all are on one host, or it is not known.
[[nodiscard]] int ranksPerHostOf(const RunRecord& run);

/// Of the runs that measured the link of these ranks' messages, those most like the run; the first of each number of
/// ranks. Between hosts a link is measured by one rank on each.
[[nodiscard]] LinksOfRun linksOf(const RunRecord& run, const std::vector<const Group*>& sweeps);

/// Whether they are all that a model of the run's communication needs.
[[nodiscard]] bool determinesModel(const LinksOfRun& measured, const RunRecord& run);

} // namespace lockstep::analysis
