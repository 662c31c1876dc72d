#include "ui/pages/report/report_drawings.h"

#include "ui/models/net/rank_map.h"
#include "ui/net/net_export.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_scene.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

/// The first that `isBest`, else the first that `isGood`; null: none is.
template <typename IsBest, typename IsGood>
const RunFeed* firstOf(const std::vector<RunFeed*>& feeds, IsBest isBest, IsGood isGood)
{
    auto found = std::ranges::find_if(feeds, isBest);
    found = found == feeds.end() ? std::ranges::find_if(feeds, isGood) : found;
    return found == feeds.end() ? nullptr : *found;
}

std::optional<Drawing> timelineOf(const std::vector<RunFeed*>& feeds)
{
    const RunFeed* feed = firstOf(
        feeds, [](const RunFeed* each) { return each->timeline().microBatches() > 1; },
        [](const RunFeed* each) { return !each->timeline().isEmpty(); });
    if (feed == nullptr) {
        return std::nullopt;
    }
    return timelineDrawing(
        *feed, timelineScene(*feed, feed->timeline().typical(), TimelineColours::MicroBatch, ShowsPath::No));
}

std::optional<Drawing> netOf(const std::vector<RunFeed*>& feeds)
{
    const auto trains = [](const RunFeed* each) {
        const experiment::RunSpec& run = each->record().spec;
        return !experiment::isSweep(run) && !is(run, experiment::Strategy::Own);
    };
    const RunFeed* feed = firstOf(
        feeds, [&](const RunFeed* each) { return trains(each) && rankMap(each->record().spec).isDivided; }, trains);
    if (feed == nullptr) {
        return std::nullopt;
    }
    return netDrawing(feed->record().spec, feed->displayName(), {});
}

} // namespace

ReportDrawings reportDrawings()
{
    return {{"net", netOf}, {"timeline", timelineOf}};
}

} // namespace lockstep::ui
