#include "ui/models/charts/kinds/machine_charts.h"

#include "ui/models/charts/kinds/machine_tracks.h"
#include "ui/models/charts/kinds/training_charts.h"
#include "ui/models/charts/repeat_curves.h"
#include "ui/models/feeds/run_state.h"
#include "ui/models/form/titles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace lockstep::ui {

namespace {

class MachineTexts {
    Q_DECLARE_TR_FUNCTIONS(MachineCharts)
};

using analysis::GpuUse;
using analysis::MachineSample;
using analysis::RankUse;

template <typename Use>
bool isAnyKnown(const std::vector<Use>& list, double Use::*field)
{
    return std::ranges::any_of(list, [field](const Use& each) { return std::isfinite(each.*field); });
}

struct ValueRow {
    const char* name; ///< in names of files
    const char* text;
    const char* unit;
    bool (*isIn)(const MachineSample& sample);
};

/// In the order of MachineValue.
constexpr std::array<ValueRow, MachineValues.size()> ValueRows{
    {{"processors", QT_TRANSLATE_NOOP("MachineCharts", "CPU cores in use"), QT_TRANSLATE_NOOP("MachineCharts", "cores"),
         [](const MachineSample& sample) {
             return std::isfinite(sample.busyCores) || isAnyKnown(sample.ranks, &RankUse::cores);
         }},
        {"memory", QT_TRANSLATE_NOOP("MachineCharts", "Memory per rank (PSS)"), "MB",
            [](const MachineSample& sample) { return isAnyKnown(sample.ranks, &RankUse::residentBytes); }},
        {"gpu-use", QT_TRANSLATE_NOOP("MachineCharts", "GPU utilisation"), "%",
            [](const MachineSample& sample) { return isAnyKnown(sample.gpus, &GpuUse::usePercent); }},
        {"gpu-memory", QT_TRANSLATE_NOOP("MachineCharts", "GPU memory per rank"), "MB",
            [](const MachineSample& sample) { return isAnyKnown(sample.gpus, &GpuUse::memoryBytes); }},
        {"gpu-power", QT_TRANSLATE_NOOP("MachineCharts", "GPU power"), "W",
            [](const MachineSample& sample) { return isAnyKnown(sample.gpus, &GpuUse::powerW); }},
        {"gpu-temperature", QT_TRANSLATE_NOOP("MachineCharts", "GPU temperature"), "°C",
            [](const MachineSample& sample) { return isAnyKnown(sample.gpus, &GpuUse::temperatureC); }},
        {"gpu-clocks", QT_TRANSLATE_NOOP("MachineCharts", "GPU clock"), "MHz",
            [](const MachineSample& sample) { return isAnyKnown(sample.gpus, &GpuUse::smMhz); }}}};

const ValueRow& rowOf(MachineValue value)
{
    return ValueRows[static_cast<std::size_t>(value)];
}

/// A run among others: the mean of its curves, and from the least to the most where there are several.
SeriesSpec meanOf(const std::vector<MachineTrack>& tracks)
{
    struct Spread {
        double sum = 0.0;
        double low = 0.0;
        double high = 0.0;
        int count = 0;
    };
    // If there is no data of the run itself, as for memory that the driver assigns to no process, use all data.
    const bool hasOwn
        = std::any_of(tracks.begin(), tracks.end(), [](const MachineTrack& track) { return track.isOwn; });
    std::map<double, Spread> spreads;
    std::size_t most = 0;
    for (const MachineTrack& track : tracks) {
        if (track.isOwn != hasOwn) {
            continue;
        }
        ++most;
        for (std::size_t i = 0; i < track.x.size(); ++i) {
            const double y = track.y[i];
            Spread& spread = spreads[track.x[i]]; // without a number: a gap
            if (std::isfinite(y)) {
                spread.low = spread.count == 0 ? y : std::min(spread.low, y);
                spread.high = spread.count == 0 ? y : std::max(spread.high, y);
                spread.sum += y;
                ++spread.count;
            }
        }
    }
    SeriesSpec series;
    for (const auto& [x, spread] : spreads) {
        series.x.push_back(x);
        const bool isKnown = spread.count > 0;
        series.y.push_back(isKnown ? spread.sum / spread.count : analysis::NotMeasured);
        if (most > 1) {
            series.low.push_back(isKnown ? spread.low : analysis::NotMeasured);
            series.high.push_back(isKnown ? spread.high : analysis::NotMeasured);
        }
    }
    return series;
}

/// Repeats of a variant look alike.
std::vector<FeedGroup> byLook(const Feeds& feeds, MachineValue value)
{
    std::vector<FeedGroup> groups;
    for (const RunFeed* feed : feeds) {
        if (!hasMachineValue(*feed, value)) {
            continue;
        }
        const auto same = std::ranges::find_if(
            groups, [feed](const FeedGroup& group) { return group.feeds.front()->look() == feed->look(); });
        if (same != groups.end()) {
            same->feeds.push_back(feed);
        } else {
            groups.push_back({variantTitle(feed->record()), {feed}});
        }
    }
    return groups;
}

void addCurves(
    ChartSpec& chart, const RunFeed& feed, std::vector<MachineTrack> tracks, MachineValue value, bool isFirst)
{
    int marker = 0;
    for (MachineTrack& track : tracks) {
        SeriesSpec series;
        series.key = QString::fromStdString(feed.id().text) + u'/' + nameOf(value) + u'-' + track.key;
        series.name = track.name;
        series.color = track.color;
        series.style = track.style;
        series.width = track.isOwn ? 1.5 : 1.0;
        series.marker = marker++;
        series.rank = track.rank;
        series.isInLegend = isFirst;
        series.x = std::move(track.x);
        series.y = std::move(track.y);
        chart.series.push_back(std::move(series));
    }
}

/// The share of all samples of the visible runs' GPUs in which the clocks were throttled.
QString heldText(const Feeds& feeds)
{
    std::array<std::int64_t, analysis::HeldByCount> held{};
    std::int64_t samples = 0;
    for (const RunFeed* feed : feeds) {
        for (const MachineSample& sample : feed->state().machineSamples) {
            for (const GpuUse& gpu : sample.gpus) {
                ++samples;
                for (std::size_t i = 0; i < held.size(); ++i) {
                    held[i] += analysis::isHeldBy(gpu.clockReasons, static_cast<analysis::HeldBy>(i)) ? 1 : 0;
                }
            }
        }
    }
    const std::array<QString, analysis::HeldByCount> names{MachineTexts::tr("the power limit (%1 % of the samples)"),
        MachineTexts::tr("temperature (%1 % of the samples)"), MachineTexts::tr("the hardware (%1 % of the samples)")};
    QStringList parts;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i] > 0) {
            const double percent = 100.0 * static_cast<double>(held[i]) / static_cast<double>(samples);
            parts += names[i].arg(std::max<long>(1, std::lround(percent)));
        }
    }
    return parts.isEmpty() ? QString() : MachineTexts::tr("Clocks limited by %1").arg(parts.join(QStringLiteral(", ")));
}

/// Whether ranks that share a GPU ran their kernels at the same time; empty if none of these runs' ranks share one.
QString sharingText(const Feeds& feeds)
{
    bool isUnderMps = false;
    bool takesTurns = false;
    for (const RunFeed* feed : feeds) {
        const bool runsMps = std::ranges::any_of(
            feed->state().machines, [](const analysis::Machine& machine) { return !machine.mps.empty(); });
        const bool isShared = std::ranges::any_of(feed->state().machineSamples, [](const MachineSample& sample) {
            std::map<std::int32_t, int> ranks;
            return std::ranges::any_of(sample.shares,
                [&](const analysis::GpuShare& share) { return share.rank >= 0 && ++ranks[share.gpu] > 1; });
        });
        isUnderMps = isUnderMps || runsMps;
        takesTurns = takesTurns || (isShared && !runsMps);
    }
    if (isUnderMps) {
        return takesTurns ? MachineTexts::tr("Some runs under MPS; in the others ranks that share a GPU took turns")
                          : MachineTexts::tr("Under MPS: ranks that share a GPU ran at the same time");
    }
    return takesTurns ? MachineTexts::tr("Without MPS: ranks that share a GPU took turns") : QString();
}

QString noteOf(MachineValue value, const Feeds& shown, bool hasBand)
{
    QStringList notes;
    if (value == MachineValue::Clock) {
        notes << heldText(shown);
    } else if (value == MachineValue::GpuUse) {
        notes << sharingText(shown);
    }
    notes.removeAll(QString());
    if (hasBand && (notes.isEmpty() || value != MachineValue::Clock)) {
        notes << MachineTexts::tr("Mean and range of each run; show one run alone to see every curve");
    }
    return notes.join(QStringLiteral(" · "));
}

void addFrame(ChartSpec& chart, MachineValue value)
{
    chart.id = QStringLiteral("machine-") + nameOf(value);
    chart.title = textOf(value);
    chart.x = {MachineTexts::tr("Time since the first step"), QStringLiteral("s"), Scale::Linear, {}, {}, {}};
    chart.y = {textOf(value), MachineTexts::tr(rowOf(value).unit), Scale::Linear, 0.0, {}, {}};
    if (value == MachineValue::GpuUse) {
        chart.y.maximum = 100.0;
    } else if (value == MachineValue::Temperature) {
        chart.y.minimum.reset(); // the values are far from zero
    }
}

} // namespace

QString nameOf(MachineValue value)
{
    return QLatin1String(rowOf(value).name);
}

QString textOf(MachineValue value)
{
    return MachineTexts::tr(rowOf(value).text);
}

bool hasMachineValue(const RunFeed& feed, MachineValue value)
{
    return std::ranges::any_of(feed.state().machineSamples, rowOf(value).isIn);
}

std::vector<ChartChoice> machineChoices(const Feeds& feeds)
{
    std::vector<ChartChoice> choices;
    for (const MachineValue value : MachineValues) {
        if (std::ranges::any_of(feeds, [value](const RunFeed* feed) { return hasMachineValue(*feed, value); })) {
            choices.push_back({static_cast<int>(value), textOf(value)});
        }
    }
    return choices;
}

bool isOneVariant(const Feeds& feeds)
{
    return !feeds.empty()
        && std::ranges::all_of(feeds, [&](const RunFeed* each) { return each->look() == feeds.front()->look(); });
}

void addMachine(ChartSpec& chart, const ChartInput& input)
{
    const auto value = MachineValues[chosenOf(machineChoices(input.all), input.options, MachineValues.size())];
    addFrame(chart, value);
    Feeds shown;
    std::ranges::copy_if(input.visible, std::back_inserter(shown),
        [value](const RunFeed* feed) { return hasMachineValue(*feed, value); });
    const bool isByRank = shown.size() == 1 || (input.options.panelsBy == RankPanels && isOneVariant(shown));
    bool hasBand = false;
    for (const FeedGroup& group : byLook(input.all, value)) {
        const Feeds visible = visibleOf(group.feeds);
        const QString tail = u'/' + nameOf(value);
        if (visible.empty()) {
            chart.series.push_back(hidden(group, tail, SeriesStyle::Line));
        }
        for (const RunFeed* feed : visible) {
            std::vector<MachineTrack> tracks = machineTracks(*feed, value);
            if (isByRank) {
                addCurves(chart, *feed, std::move(tracks), value, feed == visible.front());
                continue;
            }
            SeriesSpec series = meanOf(tracks);
            series.isInLegend = feed == visible.front();
            series.key = keyOf(series.isInLegend ? group.feeds : Feeds{feed}, tail);
            series.name = series.isInLegend ? countedName({group.name, visible}) : feed->displayName();
            series.setLook(feed->look());
            series.width = 1.5;
            hasBand = hasBand || !series.low.empty();
            chart.series.push_back(std::move(series));
        }
    }
    if (hasBand && !chart.y.maximum) {
        // Axes are fitted to lines; here the bands matter as much.
        double highest = 0.0;
        for (const SeriesSpec& series : chart.series) {
            for (const auto* line : {&series.y, &series.high}) {
                for (const double y : *line) {
                    highest = std::isfinite(y) ? std::max(highest, y) : highest;
                }
            }
        }
        chart.y.maximum = highest > 0.0 ? std::optional(highest * 1.05) : std::nullopt;
    }
    chart.note = noteOf(value, shown, hasBand);
    if (std::ranges::any_of(shown, [](const RunFeed* feed) { return feed->account().clock().hasHeld(); })) {
        chart.remark = MachineTexts::tr("Without the turns of other runs");
    }
    addMarks(chart, input, XAxis::Seconds);
}

} // namespace lockstep::ui
