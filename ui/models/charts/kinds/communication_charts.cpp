#include "ui/models/charts/kinds/communication_charts.h"

#include "analysis/scaling/bandwidth.h"
#include "analysis/scaling/link_fit.h"
#include "analysis/statistics/paired_rounds.h"
#include "analysis/statistics/statistics.h"
#include "ui/models/charts/wait_note.h"
#include "ui/models/number_text.h"
#include "ui/models/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lockstep::ui {

namespace {

using analysis::MeanEstimate;
using analysis::Summary;

class CommunicationTexts {
    Q_DECLARE_TR_FUNCTIONS(CommunicationCharts)
};

SeriesSpec bars(const char* key, const QString& name, Phase phase)
{
    SeriesSpec series;
    series.key = QLatin1String("phase/") + QLatin1String(key);
    series.name = name;
    series.color = phaseColor(phase);
    series.style = SeriesStyle::StackedBars;
    return series;
}

/// Communication between hosts, where the backend measures it separately.
SeriesSpec betweenHosts()
{
    SeriesSpec series = bars("between_hosts", CommunicationTexts::tr("between hosts"), Phase::Communicate);
    series.color = series.color.darker(150);
    return series;
}

/// Part of `communicateMs`; 0 if unknown.
double betweenHostsMs(const FeedGroup& group, double communicateMs)
{
    // As much of the typical time as of the mean.
    const double ms = estimateOf(&Summary::betweenHostsMsPerStep, group).mean
        / estimateOf(&Summary::commMsPerStep, group).mean * communicateMs;
    return std::isfinite(ms) ? std::min(ms, communicateMs) : 0.0;
}

/// The figure as the table shows it; while a run of the group has none, of the phase as it is now.
MeanEstimate msOf(double Summary::*figure, Phase phase, const FeedGroup& group)
{
    const MeanEstimate estimate = estimateOf(figure, group);
    if (estimate.n == group.feeds.size()) {
        return estimate;
    }
    std::vector<double> now;
    for (const RunFeed* feed : group.feeds) {
        now.push_back(feed->phaseMsPerStep()[static_cast<std::size_t>(phase)]);
    }
    return analysis::positiveWithInterval(now);
}

bool isEmpty(const SeriesSpec& series)
{
    return std::ranges::none_of(series.y, [](double ms) { return ms > 0.0; });
}

QString betweenHostsNote()
{
    return CommunicationTexts::tr(
        "With several hosts, \"communicate\" is the part of the communication that is not between hosts");
}

/// Of each rank, means over the repeats.
std::map<std::int32_t, std::array<double, PhaseCount>> meanPhases(const FeedGroup& group)
{
    std::map<std::int32_t, std::array<double, PhaseCount>> means;
    for (const RunFeed* feed : group.feeds) {
        for (const analysis::RankSummary& rank : feed->account().rankSums().summaries(Medians::Without)) {
            for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
                means[rank.rank][phase] += phaseMsOf(rank)[phase] / static_cast<double>(group.feeds.size());
            }
        }
    }
    return means;
}

/// As training has its arrays if measured, else in place.
std::vector<const analysis::CollectiveMeasurement*> pointsOf(const RunFeed& feed)
{
    const auto& all = feed.record().measurements;
    const bool hasShared = analysis::measuresSharedArrays(feed.record());
    const bool hasInPlace = std::any_of(all.begin(), all.end(), [](const auto& each) { return each.inPlace; });
    std::vector<const analysis::CollectiveMeasurement*> points;
    for (const auto& each : all) {
        if (each.shared == hasShared && each.inPlace == hasInPlace && each.bytes > 0) {
            points.push_back(&each);
        }
    }
    return points;
}

/// The run's name, and what is not usual about its calls.
QString sweepName(const RunFeed& feed)
{
    const experiment::RunSpec& spec = feed.record().spec;
    QStringList how;
    if (const auto groups = spec.settings->sweep.groups; groups > 1) {
        how += CommunicationTexts::tr("%1 groups of %2").arg(groups).arg(analysis::ranksOfCall(feed.record()));
    }
    if (spec.settings->sweep.isAsync) {
        how += CommunicationTexts::tr("asynchronous");
    }
    if (const auto root = spec.settings->sweep.root; root != 0) {
        how += CommunicationTexts::tr("root %1").arg(root);
    }
    const QString name = feed.displayName();
    return how.isEmpty()
        ? name
        : CommunicationTexts::tr("%1 (%2)", "run, how its calls are made").arg(name, how.join(QStringLiteral(", ")));
}

SeriesSpec curve(const RunFeed& feed, const char* tail, SeriesStyle style)
{
    SeriesSpec series;
    series.key = QString::fromStdString(feed.id().text) + QLatin1String(tail);
    series.name = sweepName(feed);
    series.setLook(feed.look());
    series.style = style;
    return series;
}

/// The model's curve for the fit.
void addModel(ChartSpec& chart, const RunFeed& feed)
{
    const auto fit = analysis::linkOf(feed.record());
    if (!fit) {
        return;
    }
    const std::string algorithm(nameOf(feed.record().spec.settings->aggregation.algorithm));
    SeriesSpec model = curve(feed, "/sweep-model", SeriesStyle::DashedLine);
    model.name = CommunicationTexts::tr("%1, model").arg(sweepName(feed));
    for (const analysis::Measurement& time : analysis::measurementsOf(feed.record())) {
        const auto seconds
            = analysis::algorithmSeconds(algorithm, analysis::ranksOfMessages(feed.record()), fit->link, time.bytes);
        model.x.push_back(time.bytes);
        model.y.push_back(seconds.value_or(analysis::NotMeasured) * 1e6);
    }
    chart.series.push_back(std::move(model));
}

/// Where another run becomes the fastest.
void addCrossovers(ChartSpec& chart, const Feeds& feeds)
{
    std::map<double, std::pair<double, const RunFeed*>> best;
    for (const RunFeed* feed : feeds) {
        for (const auto* point : pointsOf(*feed)) {
            auto& place = best[static_cast<double>(point->bytes)];
            if (place.second == nullptr || point->p50Us < place.first) {
                place = {point->p50Us, feed};
            }
        }
    }
    if (best.empty()) {
        return;
    }
    // From the fastest at the smallest size to the fastest at the largest; noise in between is not shown.
    const RunFeed* small = best.begin()->second.second;
    const RunFeed* large = best.rbegin()->second.second;
    if (small == large) {
        return;
    }
    double from = best.rbegin()->first;
    for (auto it = best.rbegin(); it != best.rend() && it->second.second == large; ++it) {
        from = it->first;
    }
    chart.marks.push_back({from, CommunicationTexts::tr("%1 → %2").arg(small->displayName(), large->displayName())});
}

void addSizeAxis(ChartSpec& chart)
{
    chart.x = {};
    chart.x.label = CommunicationTexts::tr("Size");
    chart.x.unit = CommunicationTexts::tr("bytes");
    chart.x.scale = Scale::Log;
}

/// What the bars of communication show beside their heights.
struct Marks {
    bool ofRepeats = false; ///< intervals
    bool ofBlocks = false;
    bool hasOverlap = false;
    bool hasHosts = false; ///< communication between hosts is known
    QStringList untold; ///< variants whose waiting cannot be told
};

/// A variant's bar with its 95 % interval: over its repeats, or over the blocks of a single run; NaN ends without one.
MeanEstimate barOf(const FeedGroup& group, const MeanEstimate& ofRepeats, Marks& marks)
{
    if (ofRepeats.n != 1) {
        marks.ofRepeats = marks.ofRepeats || ofRepeats.hasInterval();
        return ofRepeats;
    }
    const MeanEstimate ofBlocks = analysis::scaledTo(
        ofRepeats.mean, analysis::meanOfBlocks(group.feeds.front()->account().rankSums().blocks().communicateMs()));
    marks.ofBlocks = marks.ofBlocks || ofBlocks.hasInterval();
    return ofBlocks.hasInterval() ? ofBlocks : ofRepeats;
}

QString noteOf(const Marks& marks)
{
    QStringList notes;
    if (marks.ofRepeats) {
        notes += CommunicationTexts::tr("Error bars: 95 % CI over repeats");
    }
    if (marks.ofBlocks) {
        notes += CommunicationTexts::tr("Error bars of single runs: 95 % CI over their blocks of steps");
    }
    if (marks.hasOverlap) {
        notes
            += CommunicationTexts::tr("Overlap: share of the communication time that lies within backward; not drawn");
    }
    if (marks.hasHosts) {
        notes += betweenHostsNote();
    }
    if (!marks.untold.isEmpty()) {
        notes += waitNote(marks.untold);
    }
    return notes.join(QStringLiteral(" · "));
}

} // namespace

void addCommunication(ChartSpec& chart, const ChartInput& input)
{
    SeriesSpec communicate = bars("communicate", CommunicationTexts::tr("communicate"), Phase::Communicate);
    SeriesSpec wait = bars("wait", CommunicationTexts::tr("wait"), Phase::Wait);
    SeriesSpec between = betweenHosts();
    Marks marks;
    for (const FeedGroup& group : groupsOf(input.visible, input.options.interfered)) {
        if (ranksOf(*group.feeds.front()) < 2) {
            continue;
        }
        const MeanEstimate time = msOf(&Summary::commMsPerStepTypical, Phase::Communicate, group);
        const MeanEstimate waits = msOf(&Summary::waitMsPerStepTypical, Phase::Wait, group);
        const bool isWaitKnown = waits.n == group.feeds.size();
        const MeanEstimate bar = barOf(group, time, marks);
        const auto place = static_cast<double>(chart.x.categories.size());
        const double overlap = estimateOf(&Summary::overlapFraction, group).mean;
        marks.hasOverlap = marks.hasOverlap || std::isfinite(overlap);
        chart.x.categories.push_back(
            (time.n > 1 ? CommunicationTexts::tr("%1 (n = %2)").arg(group.name).arg(time.n) : group.name)
            + (std::isfinite(overlap) ? u'\n' + CommunicationTexts::tr("overlap %1 %").arg(percentText(overlap))
                                      : QString()));
        communicate.x.push_back(place);
        between.x.push_back(place);
        between.y.push_back(betweenHostsMs(group, time.mean));
        communicate.y.push_back(time.mean - between.y.back());
        communicate.labels.push_back(
            between.y.back() > 0.0 ? numberText(communicate.y.back()) : meanText(&Summary::commMsPerStepTypical, time));
        communicate.low.push_back(bar.low);
        communicate.high.push_back(bar.high);
        wait.x.push_back(place);
        wait.y.push_back(isWaitKnown ? waits.mean : analysis::NotMeasured);
        wait.labels.push_back(meanText(&Summary::waitMsPerStepTypical, waits));
        marks.untold += isWaitKnown ? QStringList() : QStringList(group.name);
    }
    if (communicate.x.empty()) {
        return;
    }
    communicate.hasWhiskers = marks.ofRepeats || marks.ofBlocks;
    if (!communicate.hasWhiskers) {
        communicate.low.clear();
        communicate.high.clear();
    }
    marks.hasHosts = !isEmpty(between);
    chart.note = noteOf(marks);
    chart.labelsParts = true; // findings compare the time of communicating alone
    if (marks.hasHosts) {
        chart.series.push_back(std::move(between)); // below, so that the intervals stay at the end of communicate
    }
    chart.series.push_back(std::move(communicate));
    chart.series.push_back(std::move(wait));
}

void addRanks(ChartSpec& chart, const ChartInput& input)
{
    SeriesSpec compute = bars("compute", CommunicationTexts::tr("compute"), Phase::Forward);
    SeriesSpec communicate = bars("communicate", CommunicationTexts::tr("communicate"), Phase::Communicate);
    SeriesSpec wait = bars("wait", CommunicationTexts::tr("wait"), Phase::Wait);
    SeriesSpec optimize = bars("optimize", CommunicationTexts::tr("optimize"), Phase::Optimize);
    SeriesSpec slow = bars("slow", CommunicationTexts::tr("delay of the slow rank"), Phase::Data);
    slow.color = slowColor();
    const std::array<SeriesSpec*, 5> all{&compute, &slow, &communicate, &wait, &optimize};
    QStringList untold;
    for (const FeedGroup& group : groupsOf(input.visible, input.options.interfered)) {
        const int ranks = ranksOf(*group.feeds.front());
        if (ranks < 2) {
            continue;
        }
        for (const auto& [rank, ms] : meanPhases(group)) {
            const auto place = static_cast<double>(chart.x.categories.size());
            // The variant's name once, in the middle of its ranks.
            const QString number = QString::number(rank);
            chart.x.categories.push_back(rank == ranks / 2 ? number + u'\n' + countedName(group) : number);
            const auto msOf = [&ms = ms](Phase phase) { return ms[static_cast<std::size_t>(phase)]; };
            const double computing = msOf(Phase::Data) + msOf(Phase::Forward) + msOf(Phase::Backward);
            const double slept = std::min(computing, analysis::delayMsOf(group.feeds.front()->record(), rank));
            const std::array<double, 5> values{
                computing - slept, slept, msOf(Phase::Communicate), msOf(Phase::Wait), msOf(Phase::Optimize)};
            for (std::size_t i = 0; i < all.size(); ++i) {
                all[i]->x.push_back(place);
                all[i]->y.push_back(values[i]);
            }
            untold += std::isnan(msOf(Phase::Wait)) ? QStringList(group.name) : QStringList();
        }
    }
    chart.note = waitNote(untold);
    for (SeriesSpec* series : all) {
        const bool isUsed = series != &slow || std::ranges::any_of(slow.y, [](double ms) { return ms > 0.0; });
        if (!series->x.empty() && isUsed) {
            chart.series.push_back(std::move(*series));
        }
    }
}

void addSweep(ChartSpec& chart, const ChartInput& input)
{
    addSizeAxis(chart);
    bool isOfOneMachine = false;
    for (const RunFeed* feed : input.visible) {
        const auto points = pointsOf(*feed);
        if (points.empty()) {
            continue;
        }
        isOfOneMachine = isOfOneMachine
            || (analysis::linkOf(feed->record()) && !analysis::carriesBeyondMachine(analysis::reachOf(feed->record())));
        SeriesSpec series = curve(*feed, "/sweep", SeriesStyle::LineAndMarkers);
        series.width = 2.0;
        for (const auto* point : points) {
            series.x.push_back(static_cast<double>(point->bytes));
            series.y.push_back(point->p50Us);
            series.low.push_back(point->p50Us);
            series.high.push_back(point->p99Us);
        }
        chart.series.push_back(std::move(series));
        addModel(chart, *feed);
    }
    addCrossovers(chart, input.visible);
    if (!chart.series.empty()) {
        chart.note = isOfOneMachine
            ? CommunicationTexts::tr("Median, band up to the 99th percentile; dashed: alpha-beta model, which does not "
                                     "apply beyond this machine")
            : CommunicationTexts::tr("Median, band up to the 99th percentile; dashed: alpha-beta model");
    }
}

void addBandwidth(ChartSpec& chart, const ChartInput& input)
{
    addSizeAxis(chart);
    for (const RunFeed* feed : input.visible) {
        const auto points = pointsOf(*feed);
        if (points.empty()) {
            continue;
        }
        SeriesSpec series = curve(*feed, "/bandwidth", SeriesStyle::LineAndMarkers);
        series.width = 2.0;
        for (const auto* point : points) {
            const auto bytes = static_cast<double>(point->bytes);
            series.x.push_back(bytes);
            series.y.push_back(analysis::algorithmBandwidth(bytes, point->p50Us * 1e-6)
                * analysis::busFactor(point->collective, analysis::ranksOfCall(feed->record())));
        }
        chart.series.push_back(std::move(series));
    }
}

} // namespace lockstep::ui
