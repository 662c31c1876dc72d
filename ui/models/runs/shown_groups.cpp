#include "ui/models/runs/shown_groups.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/timing/summary.h"
#include "experiment/choices.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "plan/grid.h"
#include "ui/models/form/titles.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>

namespace lockstep::ui {

bool isSweep(const RunFeed& feed)
{
    return experiment::isSweep(feed.record().spec);
}

int ranksOf(const RunFeed& feed)
{
    return analysis::ranksOf(feed.record());
}

bool hasLoss(const RunFeed& feed)
{
    return !isSweep(feed) && (feed.loss().size() > 0 || feed.lossOutline() != nullptr);
}

bool isMeasured(const RunFeed& feed)
{
    const analysis::RunRecord& run = feed.record();
    const auto steps = std::max(run.summary.steps, static_cast<std::int64_t>(feed.loss().size()));
    const bool isShort = analysis::isFinal(run.status) && hasLoss(feed) && steps < analysis::WarmUpSteps;
    return run.status != analysis::RunStatus::Failed && !isShort;
}

bool hasShares(const RunFeed& feed)
{
    const experiment::RunSpec& spec = feed.record().spec;
    return experiment::hasReplicas(spec) && !is(spec, experiment::PartitionName::Reshuffled);
}

analysis::Scales scalesOf(const Feeds& feeds)
{
    std::vector<const analysis::RunRecord*> runs;
    std::ranges::transform(feeds, std::back_inserter(runs), [](const RunFeed* feed) { return &feed->record(); });
    return analysis::scalesOf(runs);
}

bool isModelParallel(const RunFeed& feed)
{
    return plan::dividesModel(feed.record().spec);
}

namespace {

/// Whether it ended early: failed, stopped or interrupted.
bool isBroken(const RunFeed& feed)
{
    const analysis::RunStatus status = feed.record().status;
    return analysis::isFinal(status) && status != analysis::RunStatus::Finished;
}

/// `Adam #2 (failed)`
QString loneName(const RunFeed& feed)
{
    const std::string status = language::translated("Messages", analysis::nameOf(feed.record().status));
    return isBroken(feed) ? QStringLiteral("%1 (%2)").arg(feed.displayName(), QString::fromStdString(status))
                          : feed.displayName();
}

/// Variants of one name with other settings are called by what differs, as findings call them.
void nameApart(std::vector<FeedGroup>& groups)
{
    std::set<std::string_view> names;
    const auto isNew
        = [&names](const FeedGroup& group) { return names.insert(group.feeds.front()->record().spec.name).second; };
    if (std::ranges::all_of(groups, isNew)) {
        return;
    }
    std::vector<analysis::RunRecord> records;
    for (const FeedGroup& group : groups) {
        const analysis::RunRecord& run = group.feeds.front()->record();
        analysis::RunRecord& record = records.emplace_back();
        record.spec = run.spec;
        record.summary.hosts = run.summary.hosts;
    }
    records = language::named(std::move(records));
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].name == variantTitle(groups[i].feeds.front()->record().spec)) {
            groups[i].name = shownName(records[i].spec.shown);
        }
    }
}

/// `isAlone`: whether a run is no repeat of others.
template <typename IsAlone>
std::vector<FeedGroup> grouped(const Feeds& feeds, IsAlone isAlone)
{
    std::vector<FeedGroup> groups;
    for (const RunFeed* feed : feeds) {
        if (!hasLoss(*feed)) {
            continue;
        }
        if (isAlone(*feed)) {
            groups.push_back({loneName(*feed), {feed}});
            continue;
        }
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const FeedGroup& group) {
            const RunFeed& first = *group.feeds.front();
            return !isAlone(first) && analysis::areRepeats(first.record(), feed->record());
        });
        if (found != groups.end()) {
            analysis::addRepeat(
                found->feeds, feed, [](const RunFeed* each) -> const analysis::RunRecord& { return each->record(); });
        } else {
            groups.push_back({variantTitle(feed->record()), {feed}});
        }
    }
    nameApart(groups);
    return groups;
}

bool isLeftOut(const RunFeed& feed, Interfered which)
{
    return which == Interfered::LeaveOut && feed.record().summary.interference.any();
}

} // namespace

QString countedName(const FeedGroup& group)
{
    return group.feeds.size() > 1
        ? QCoreApplication::translate("ChartModel", "%1 (n = %2)").arg(group.name).arg(group.feeds.size())
        : group.feeds.front()->displayName();
}

analysis::MeanEstimate estimateOf(double analysis::Summary::*figure, const FeedGroup& group)
{
    std::vector<const analysis::RunRecord*> runs;
    std::ranges::transform(group.feeds, std::back_inserter(runs), [](const RunFeed* feed) { return &feed->record(); });
    return analysis::estimateOf(figure, runs);
}

QString meanText(double analysis::Summary::*figure, const analysis::MeanEstimate& estimate)
{
    return QString::fromStdString(analysis::estimateTexts(analysis::figureOf(figure), estimate).mean);
}

std::vector<FeedGroup> groupsOf(const Feeds& feeds, Interfered which)
{
    return grouped(feeds, [which](const RunFeed& feed) { return isLeftOut(feed, which) || isBroken(feed); });
}

std::vector<FeedGroup> curveGroupsOf(const Feeds& feeds, Interfered which)
{
    return grouped(feeds, [which](const RunFeed& feed) {
        return isLeftOut(feed, which) || feed.record().status != analysis::RunStatus::Finished;
    });
}

} // namespace lockstep::ui
