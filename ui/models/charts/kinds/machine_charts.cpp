#include "ui/models/charts/kinds/machine_charts.h"

#include "ui/models/charts/kinds/training_charts.h"
#include "ui/models/feeds/run_state.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lockstep::ui {

namespace {

class MachineTexts {
    Q_DECLARE_TR_FUNCTIONS(MachineCharts)
};

using analysis::GpuUse;
using analysis::MachineSample;
using analysis::RankUse;

constexpr double BytesPerMB = 1e6;

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

/// Points of one curve.
struct Track {
    QString key; ///< after the run's id and a slash
    QString name;
    QColor color;
    SeriesStyle style = SeriesStyle::Line;
    bool isOwn = true; ///< of the run; else of the whole machine, or a limit
    std::vector<double> x;
    std::vector<double> y;
};

/// The curves of one run, in the order in which they came up.
class Tracks {
public:
    explicit Tracks(const RunFeed& feed)
        : m_feed(feed)
    {
        for (const analysis::Machine& machine : feed.state().machines) {
            m_hosts.insert(machine.host);
            for (const analysis::MachineGpu& gpu : machine.gpus) {
                m_gpus[{machine.host, gpu.number}] = shownName(gpu.name);
            }
        }
        for (const MachineSample& sample : feed.state().machineSamples) {
            for (const analysis::GpuShare& share : sample.shares) {
                if (share.rank >= 0) {
                    m_used.insert({sample.host, share.gpu});
                }
            }
        }
    }

    [[nodiscard]] std::vector<Track> of(MachineValue value)
    {
        // Before the first step processes start: their load does not describe the run.
        const std::vector<MachineSample>& samples = m_feed.state().machineSamples;
        const auto isOfRun = [this](const MachineSample& sample) { return m_feed.secondsAt(sample.timeNs) >= 0.0; };
        const bool hasOfRun = std::ranges::any_of(samples, isOfRun);
        for (const MachineSample& sample : samples) {
            if (!hasOfRun || isOfRun(sample)) {
                add(sample, value);
            }
        }
        std::vector<Track> list;
        for (auto& [key, track] : m_tracks) {
            // A rank without a number waited all the time: the whole machine does not stand in for it.
            const bool isHeldRank = value == MachineValue::Processors && track.isOwn;
            if (isHeldRank || std::any_of(track.y.begin(), track.y.end(), [](double y) { return std::isfinite(y); })) {
                // Two looks at the machine are no trend.
                track.style = track.x.size() < 3 ? SeriesStyle::Markers : track.style;
                list.push_back(std::move(track));
            }
        }
        // Curves of the whole machine are drawn below the others and listed after them in the legend.
        std::stable_partition(list.begin(), list.end(), [](const Track& track) { return track.isOwn; });
        return list;
    }

private:
    struct Place {
        QString key;
        QString name;
        QColor color;
    };

    void add(const MachineSample& sample, MachineValue value)
    {
        switch (value) {
        case MachineValue::Processors:
            addCores(sample);
            addPoint(whole(sample, MachineTexts::tr("whole machine")), SeriesStyle::DashedLine, false, sample,
                sample.busyCores);
            addPoint({QStringLiteral("workbench"), MachineTexts::tr("workbench"), phaseColor(Phase::Evaluate)},
                SeriesStyle::DottedLine, false, sample, sample.workbenchCores);
            break;
        case MachineValue::Resident:
            addRanks(sample, &RankUse::residentBytes, BytesPerMB);
            break;
        case MachineValue::GpuUse:
            addGpus(sample, &GpuUse::usePercent, SeriesStyle::Line, true, {});
            addGpus(sample, &GpuUse::memoryUsePercent, SeriesStyle::DottedLine, false, MachineTexts::tr("%1, memory"));
            break;
        case MachineValue::GpuMemory:
            addGpuMemory(sample);
            break;
        case MachineValue::Power:
            addGpus(sample, &GpuUse::powerW, SeriesStyle::Line, true, {});
            addGpus(sample, &GpuUse::powerLimitW, SeriesStyle::DashedLine, false, MachineTexts::tr("%1, limit"));
            break;
        case MachineValue::Temperature:
            addGpus(sample, &GpuUse::temperatureC, SeriesStyle::Line, true, {});
            break;
        case MachineValue::Clock:
            addGpus(sample, &GpuUse::smMhz, SeriesStyle::Line, true, {});
            addGpus(sample, &GpuUse::memoryMhz, SeriesStyle::DottedLine, false, MachineTexts::tr("%1, memory"));
            break;
        }
    }

    void addPoint(const Place& place, SeriesStyle style, bool isOwn, const MachineSample& sample, double y)
    {
        const auto at
            = std::find_if(m_tracks.begin(), m_tracks.end(), [&](const auto& each) { return each.first == place.key; });
        Track& track = at != m_tracks.end() ? at->second : m_tracks.emplace_back(place.key, Track{}).second;
        if (track.key.isEmpty()) {
            track.key = place.key;
            track.name = place.name;
            track.color = place.color;
            track.style = style;
            track.isOwn = isOwn;
        }
        track.x.push_back(m_feed.secondsAt(sample.timeNs));
        track.y.push_back(y);
    }

    void addRanks(const MachineSample& sample, double RankUse::*field, double unit)
    {
        for (const RankUse& rank : sample.ranks) {
            addPoint(rankPlace(rank.rank), SeriesStyle::Line, true, sample, rank.*field / unit);
        }
    }

    /// Ranks that wait for their turn are not idle: what they could use is unknown.
    void addCores(const MachineSample& sample)
    {
        const bool isHeld = m_feed.state().holds.holdsAt(sample.timeNs);
        for (const RankUse& rank : sample.ranks) {
            addPoint(
                rankPlace(rank.rank), SeriesStyle::Line, true, sample, isHeld ? analysis::NotMeasured : rank.cores);
        }
    }

    void addGpus(
        const MachineSample& sample, double GpuUse::*field, SeriesStyle style, bool isOwn, const QString& pattern)
    {
        for (const GpuUse& gpu : sample.gpus) {
            Place place = gpuPlace(sample, gpu.number);
            if (!pattern.isEmpty()) {
                place.key += QStringLiteral("-other");
                place.name = pattern.arg(place.name);
            }
            addPoint(place, style, isOwn && isUsed(sample, gpu.number), sample, gpu.*field);
        }
    }

    /// Each rank's memory on each GPU, and all memory in use there.
    void addGpuMemory(const MachineSample& sample)
    {
        for (const analysis::GpuShare& share : sample.shares) {
            if (share.rank < 0) {
                continue;
            }
            const Place gpu = gpuPlace(sample, share.gpu);
            Place place = rankPlace(share.rank);
            place.key += u'-' + gpu.key;
            if (sample.gpus.size() > 1) {
                place.name = MachineTexts::tr("%1 on %2").arg(place.name, gpu.name);
            }
            addPoint(place, SeriesStyle::Line, true, sample, share.bytes / BytesPerMB);
        }
        for (const GpuUse& gpu : sample.gpus) {
            Place place = gpuPlace(sample, gpu.number);
            place.name = MachineTexts::tr("%1, total in use").arg(place.name);
            addPoint(place, SeriesStyle::DashedLine, false, sample, gpu.memoryBytes / BytesPerMB);
        }
    }

    /// A GPU that the run does not use must not lower its mean. If the driver names no owner, all count.
    [[nodiscard]] bool isUsed(const MachineSample& sample, std::int32_t gpu) const
    {
        return m_used.empty() || m_used.contains({sample.host, gpu});
    }

    static Place rankPlace(std::int32_t rank)
    {
        return {QStringLiteral("rank%1").arg(rank), MachineTexts::tr("rank %1").arg(rank), rankColor(rank)};
    }

    [[nodiscard]] Place whole(const MachineSample& sample, const QString& name) const
    {
        const QString host = shownName(sample.host);
        const bool isOneOfMany = m_hosts.size() > 1;
        return {isOneOfMany ? QStringLiteral("machine-") + host : QStringLiteral("machine"),
            isOneOfMany ? MachineTexts::tr("%1 of %2").arg(name, host) : name, phaseColor(Phase::Data)};
    }

    [[nodiscard]] Place gpuPlace(const MachineSample& sample, std::int32_t number) const
    {
        const QString host = shownName(sample.host);
        const auto known = m_gpus.find({sample.host, number});
        const QString model = known == m_gpus.end() ? QString() : known->second;
        Place place{QStringLiteral("gpu%1").arg(number),
            model.isEmpty() ? MachineTexts::tr("GPU %1").arg(number)
                            : MachineTexts::tr("GPU %1 (%2)").arg(number).arg(model),
            rankColor(number)};
        if (m_hosts.size() > 1) {
            place.key += u'-' + host;
            place.name = MachineTexts::tr("%1 of %2").arg(place.name, host);
        }
        return place;
    }

    const RunFeed& m_feed;
    std::set<std::string> m_hosts;
    std::map<std::pair<std::string, std::int32_t>, QString> m_gpus;
    std::set<std::pair<std::string, std::int32_t>> m_used; ///< GPUs that a rank has memory of
    std::vector<std::pair<QString, Track>> m_tracks;
};

/// A run among others: the mean of its curves, and from the least to the most where there are several.
SeriesSpec meanOf(const std::vector<Track>& tracks)
{
    struct Spread {
        double sum = 0.0;
        double low = 0.0;
        double high = 0.0;
        int count = 0;
    };
    // If there is no data of the run itself, as for memory that the driver assigns to no process, use all data.
    const bool hasOwn = std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return track.isOwn; });
    std::map<double, Spread> spreads;
    std::size_t most = 0;
    for (const Track& track : tracks) {
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

void addCurves(ChartSpec& chart, const RunFeed& feed, std::vector<Track> tracks, MachineValue value)
{
    int marker = 0;
    for (Track& track : tracks) {
        SeriesSpec series;
        series.key = QString::fromStdString(feed.id().text) + u'/' + nameOf(value) + u'-' + track.key;
        series.name = track.name;
        series.color = track.color;
        series.style = track.style;
        series.width = track.isOwn ? 1.5 : 1.0;
        series.marker = marker++;
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
    const auto waited = [](const RunFeed* feed) {
        return std::ranges::any_of(feed->state().machineSamples,
            [feed](const MachineSample& sample) { return feed->state().holds.holdsAt(sample.timeNs); });
    };
    if (value == MachineValue::Clock) {
        notes << heldText(shown);
    } else if (value == MachineValue::Processors && std::ranges::any_of(shown, waited)) {
        notes << MachineTexts::tr("Gaps: the run waited for its turn");
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

void addMachine(ChartSpec& chart, const ChartInput& input)
{
    const auto value = MachineValues[chosenOf(machineChoices(input.all), input.options, MachineValues.size())];
    addFrame(chart, value);
    Feeds shown;
    std::ranges::copy_if(input.visible, std::back_inserter(shown),
        [value](const RunFeed* feed) { return hasMachineValue(*feed, value); });
    bool hasBand = false;
    for (const RunFeed* feed : input.all) {
        if (!hasMachineValue(*feed, value)) {
            continue;
        }
        if (feed->isVisible() && shown.size() == 1) {
            addCurves(chart, *feed, Tracks(*feed).of(value), value);
            continue;
        }
        SeriesSpec series = feed->isVisible() ? meanOf(Tracks(*feed).of(value)) : SeriesSpec{};
        series.key = QString::fromStdString(feed->id().text) + u'/' + nameOf(value);
        series.name = feed->displayName();
        series.setLook(feed->look());
        series.width = 1.5;
        series.isVisible = feed->isVisible();
        hasBand = hasBand || !series.low.empty();
        chart.series.push_back(std::move(series));
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
    addMarks(chart, input, XAxis::Seconds);
}

} // namespace lockstep::ui
