#include "ui/models/run_groups.h"

#include "experiment/choices.h"
#include "plan/grid.h"

#include <algorithm>

namespace lockstep::ui {

bool isSweep(const RunFeed& feed)
{
    return is(feed.record().spec, experiment::Strategy::Collectives);
}

int ranksOf(const RunFeed& feed)
{
    return analysis::ranksOf(feed.record());
}

bool hasShares(const RunFeed& feed)
{
    const experiment::RunSpec& spec = feed.record().spec;
    return experiment::hasReplicas(spec) && !is(spec, experiment::PartitionName::Reshuffled);
}

bool isOfScaling(const RunFeed* feed)
{
    return feed->record().spec.experiment == "scaling";
}

bool isModelParallel(const RunFeed& feed)
{
    return plan::dividesModel(feed.record().spec);
}

std::vector<FeedGroup> groupsOf(const Feeds& feeds)
{
    std::vector<FeedGroup> groups;
    for (const RunFeed* feed : feeds) {
        if (feed->loss().size() == 0) {
            continue;
        }
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const FeedGroup& group) {
            return analysis::areRepeats(group.feeds.front()->record(), feed->record());
        });
        if (found != groups.end()) {
            analysis::addRepeat(
                found->feeds, feed, [](const RunFeed* each) -> const analysis::RunRecord& { return each->record(); });
        } else {
            const std::string& label = feed->record().label;
            const std::string& name = label.empty() ? feed->record().spec.name : label;
            groups.push_back({QString::fromStdString(name), {feed}});
        }
    }
    return groups;
}

} // namespace lockstep::ui
