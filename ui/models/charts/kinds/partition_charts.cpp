#include "ui/models/charts/kinds/partition_charts.h"

#include "experiment/choices.h"
#include "ui/models/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep::ui {

namespace {

class PartitionTexts {
    Q_DECLARE_TR_FUNCTIONS(PartitionCharts)
};

/// Groups whose data set was partitioned, with their first repeat first, in whatever order the runs were loaded.
std::vector<FeedGroup> partitionedGroups(const ChartInput& input)
{
    std::vector<FeedGroup> groups = groupsOf(input.visible, input.options.interfered);
    for (FeedGroup& group : groups) {
        std::ranges::stable_sort(group.feeds, {}, [](const RunFeed* feed) { return feed->record().spec.repeat; });
    }
    std::erase_if(groups, [](const FeedGroup& group) { return group.feeds.front()->record().shares.empty(); });
    return groups;
}

std::size_t labelsOf(const std::vector<FeedGroup>& groups)
{
    std::size_t labels = 0;
    for (const FeedGroup& group : groups) {
        for (const analysis::RankShare& share : group.feeds.front()->record().shares) {
            labels = std::max(labels, share.labels.size());
        }
    }
    return labels;
}

double countOf(const analysis::RankShare& share, std::size_t label)
{
    return label < share.labels.size() ? static_cast<double>(share.labels[label]) : 0.0;
}

void tellRepeats(ChartSpec& chart, const std::vector<FeedGroup>& groups)
{
    const bool hasRepeats
        = std::any_of(groups.begin(), groups.end(), [](const FeedGroup& group) { return group.feeds.size() > 1; });
    if (hasRepeats) {
        chart.note = PartitionTexts::tr("Shows the first repeat only");
    }
}

/// The accuracy of the experiment's single processes, which have no skew: a line across. Says whether one has a band.
bool addBaselines(ChartSpec& chart, const ChartInput& input, const std::string& experiment, double largestSkew)
{
    bool hasBand = false;
    for (const FeedGroup& group : groupsOf(input.visible, input.options.interfered)) {
        const experiment::RunSpec& spec = group.feeds.front()->record().spec;
        const analysis::MeanEstimate accuracy = estimateOf(&analysis::Summary::testAccuracy, group);
        if (spec.experiment != experiment || !is(spec, experiment::Strategy::Single) || !std::isfinite(accuracy.mean)) {
            continue;
        }
        SeriesSpec line;
        line.key = QStringLiteral("skew/") + group.name;
        line.name = accuracy.n > 1 ? PartitionTexts::tr("%1 (n = %2)").arg(group.name).arg(accuracy.n) : group.name;
        line.color = group.feeds.front()->color();
        line.style = SeriesStyle::DashedLine;
        line.x = {0.0, largestSkew};
        line.y.assign(2, accuracy.mean * 100.0);
        if (accuracy.hasInterval()) {
            line.low.assign(2, accuracy.low * 100.0);
            line.high.assign(2, accuracy.high * 100.0);
            hasBand = true;
        }
        chart.series.push_back(std::move(line));
    }
    return hasBand;
}

} // namespace

void addLabelMap(ChartSpec& chart, const ChartInput& input)
{
    const std::vector<FeedGroup> groups = partitionedGroups(input);
    const std::size_t labels = labelsOf(groups);
    if (labels == 1) {
        return; // windows of a text: one class, and nothing to compare
    }
    for (std::size_t label = 0; label < labels; ++label) {
        chart.x.categories.push_back(QString::number(label));
    }
    constexpr std::size_t MostNumbers = 20; // with more rows the ranks' numbers would overlap
    const std::size_t rows = std::accumulate(groups.begin(), groups.end(), std::size_t{0},
        [](std::size_t sum, const FeedGroup& group) { return sum + group.feeds.front()->record().shares.size(); });
    for (const FeedGroup& group : groups) {
        for (const analysis::RankShare& share : group.feeds.front()->record().shares) {
            const QString rank = QString::number(share.rank);
            const QString number = rows <= MostNumbers ? QStringLiteral("   ") + rank : QString();
            chart.y.categories.push_back(share.rank == 0 ? group.name + number : number);
            SeriesSpec row;
            row.key = QStringLiteral("labels/") + group.name + u' ' + rank;
            row.color = variantColors(PaletteName::Vibrant).front();
            row.style = SeriesStyle::Cells;
            row.width = share.rank == 0 ? 2.0 : 1.0;
            for (std::size_t label = 0; label < labels; ++label) {
                row.x.push_back(static_cast<double>(label));
                row.y.push_back(countOf(share, label));
            }
            chart.series.push_back(std::move(row));
        }
    }
    tellRepeats(chart, groups);
}

void addShares(ChartSpec& chart, const ChartInput& input)
{
    const std::vector<FeedGroup> groups = partitionedGroups(input);
    const std::size_t labels = labelsOf(groups);
    std::vector<SeriesSpec> parts(labels);
    for (std::size_t label = 0; label < labels; ++label) {
        parts[label].key = QStringLiteral("label/%1").arg(label);
        parts[label].name = labels == 1 ? PartitionTexts::tr("Windows") : QString::number(label);
        parts[label].color = labelColor(label);
        parts[label].style = SeriesStyle::StackedBars;
    }
    for (const FeedGroup& group : groups) {
        const auto& shares = group.feeds.front()->record().shares;
        for (const analysis::RankShare& share : shares) {
            const auto place = static_cast<double>(chart.x.categories.size());
            // The run's name once, in the middle of its ranks.
            const QString rank = QString::number(share.rank);
            const bool isMiddle = share.rank == static_cast<std::int32_t>(shares.size()) / 2;
            chart.x.categories.push_back(isMiddle ? rank + u'\n' + group.name : rank);
            for (std::size_t label = 0; label < labels; ++label) {
                parts[label].x.push_back(place);
                parts[label].y.push_back(countOf(share, label));
            }
        }
    }
    for (SeriesSpec& part : parts) {
        chart.series.push_back(std::move(part));
    }
    tellRepeats(chart, groups);
}

void addSkew(ChartSpec& chart, const ChartInput& input)
{
    bool hasInterval = false;
    double largestSkew = 0.0;
    const std::vector<FeedGroup> groups = partitionedGroups(input);
    for (const FeedGroup& group : groups) {
        const analysis::MeanEstimate skew = estimateOf(&analysis::Summary::labelSkew, group);
        const analysis::MeanEstimate accuracy = estimateOf(&analysis::Summary::testAccuracy, group);
        if (!std::isfinite(skew.mean) || !std::isfinite(accuracy.mean)) {
            continue;
        }
        hasInterval = hasInterval || accuracy.hasInterval();
        largestSkew = std::max(largestSkew, skew.mean);
        SeriesSpec point;
        point.key = QStringLiteral("skew/") + group.name;
        point.name = accuracy.n > 1 ? PartitionTexts::tr("%1 (n = %2)").arg(group.name).arg(accuracy.n) : group.name;
        point.setLook(group.feeds.front()->look());
        point.style = SeriesStyle::Markers;
        point.x = {skew.mean};
        point.y = {accuracy.mean * 100.0};
        if (accuracy.hasInterval()) {
            point.low = {accuracy.low * 100.0};
            point.high = {accuracy.high * 100.0};
            point.hasWhiskers = true;
        }
        chart.series.push_back(std::move(point));
    }
    const bool hasBand = largestSkew > 0.0
        && addBaselines(chart, input, groups.front().feeds.front()->record().spec.experiment, largestSkew);
    chart.note = hasBand ? PartitionTexts::tr("Error bars and bands: 95 % CI over repeats")
        : hasInterval    ? PartitionTexts::tr("Error bars: 95 % CI over repeats")
                         : QString();
}

} // namespace lockstep::ui
