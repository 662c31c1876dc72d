#include "ui/models/charts/kinds/machine_tracks.h"

#include "ui/models/feeds/run_state.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace lockstep::ui {

namespace {

class TrackTexts {
    Q_DECLARE_TR_FUNCTIONS(MachineCharts)
};

using analysis::GpuUse;
using analysis::MachineSample;
using analysis::RankUse;

constexpr double BytesPerMB = 1e6;
/// Of a run that takes turns: over a shorter time its processor time would be scheduling noise.
constexpr double SecondsAPoint = 0.25;

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

    [[nodiscard]] std::vector<MachineTrack> of(MachineValue value)
    {
        // Before the first step processes start: their load does not describe the run.
        const std::vector<MachineSample>& samples = m_feed.state().machineSamples;
        const auto isOfRun = [this](const MachineSample& sample) { return m_feed.secondsAt(sample.timeNs) >= 0.0; };
        const bool hasOfRun = std::ranges::any_of(samples, isOfRun);
        std::map<std::string, OwnTime> times; // by host
        for (const MachineSample& sample : samples) {
            if (!hasOfRun || isOfRun(sample)) {
                m_at = m_feed.secondsAt(sample.timeNs);
                if (takesTurns()) {
                    addInTurn(times[sample.host], sample, value);
                } else {
                    add(sample, value);
                }
            }
        }
        std::vector<MachineTrack> list;
        for (auto& [key, track] : m_tracks) {
            if (std::any_of(track.y.begin(), track.y.end(), [](double y) { return std::isfinite(y); })) {
                // Two looks at the machine are no trend.
                track.style = track.x.size() < 3 ? SeriesStyle::Markers : track.style;
                list.push_back(std::move(track));
            }
        }
        // Curves of the whole machine are drawn below the others and listed after them in the legend.
        std::stable_partition(list.begin(), list.end(), [](const MachineTrack& track) { return track.isOwn; });
        return list;
    }

private:
    struct Place {
        QString key;
        QString name;
        QColor color;
        std::optional<int> rank{};
    };

    /// Of a run that takes turns, on one host, since the last point.
    struct OwnTime {
        std::int64_t sampleNs = 0; ///< of the sample before
        double seconds = 0.0; ///< in which the run did not wait
        std::map<std::int32_t, double> coreSeconds; ///< by rank
    };

    [[nodiscard]] bool takesTurns() const { return m_feed.account().clock().hasHeld(); }

    /// Other runs' turns are cut out of the axis. What ranks used is known for the run alone, so that it is taken
    /// over the run's own time; what else a sample says is a mean that belongs to whichever run had more of it.
    void addInTurn(OwnTime& own, const MachineSample& sample, MachineValue value)
    {
        const analysis::RunClock& clock = m_feed.account().clock();
        const bool isFirst = own.sampleNs == 0;
        const std::int64_t beginNs = sample.timeNs - std::llround(m_at * 1e9);
        const std::int64_t earlierNs = isFirst ? beginNs : own.sampleNs;
        own.sampleNs = sample.timeNs;
        const double all = static_cast<double>(sample.timeNs - earlierNs) / 1e9;
        const double seconds = all - static_cast<double>(clock.heldNs(sample.timeNs) - clock.heldNs(earlierNs)) / 1e9;
        m_at -= static_cast<double>(clock.heldNs(sample.timeNs) - clock.heldNs(beginNs)) / 1e9;
        if (value != MachineValue::Processors) {
            const bool isMemory = value == MachineValue::Resident || value == MachineValue::GpuMemory;
            if (seconds > (isMemory ? 0.0 : 0.5 * all)) {
                add(sample, value);
            }
            return;
        }
        if (isFirst) { // what it says began before the first step
            return;
        }
        own.seconds += seconds;
        for (const RankUse& rank : sample.ranks) {
            own.coreSeconds[rank.rank] += rank.cores * all;
        }
        if (own.seconds < SecondsAPoint) {
            return;
        }
        MachineSample mean = sample;
        for (RankUse& rank : mean.ranks) {
            rank.cores = own.coreSeconds[rank.rank] / own.seconds;
        }
        if (seconds <= 0.5 * all) {
            mean.busyCores = analysis::NotMeasured;
            mean.workbenchCores = analysis::NotMeasured;
        }
        own.seconds = 0.0;
        own.coreSeconds.clear();
        add(mean, value);
    }

    void add(const MachineSample& sample, MachineValue value)
    {
        switch (value) {
        case MachineValue::Processors:
            addRanks(sample, &RankUse::cores, 1.0);
            addPoint(whole(sample, TrackTexts::tr("whole machine")), SeriesStyle::DashedLine, false, sample.busyCores);
            addPoint({QStringLiteral("workbench"), TrackTexts::tr("workbench"), phaseColor(Phase::Evaluate)},
                SeriesStyle::DottedLine, false, sample.workbenchCores);
            break;
        case MachineValue::Resident:
            addRanks(sample, &RankUse::residentBytes, BytesPerMB);
            break;
        case MachineValue::GpuUse:
            addGpus(sample, &GpuUse::usePercent, SeriesStyle::Line, true, {});
            addGpus(sample, &GpuUse::memoryUsePercent, SeriesStyle::DottedLine, false, TrackTexts::tr("%1, memory"));
            break;
        case MachineValue::GpuMemory:
            addGpuMemory(sample);
            break;
        case MachineValue::Power:
            addGpus(sample, &GpuUse::powerW, SeriesStyle::Line, true, {});
            addGpus(sample, &GpuUse::powerLimitW, SeriesStyle::DashedLine, false, TrackTexts::tr("%1, limit"));
            break;
        case MachineValue::Temperature:
            addGpus(sample, &GpuUse::temperatureC, SeriesStyle::Line, true, {});
            break;
        case MachineValue::Clock:
            addGpus(sample, &GpuUse::smMhz, SeriesStyle::Line, true, {});
            addGpus(sample, &GpuUse::memoryMhz, SeriesStyle::DottedLine, false, TrackTexts::tr("%1, memory"));
            break;
        }
    }

    void addPoint(const Place& place, SeriesStyle style, bool isOwn, double y)
    {
        const auto at
            = std::find_if(m_tracks.begin(), m_tracks.end(), [&](const auto& each) { return each.first == place.key; });
        MachineTrack& track
            = at != m_tracks.end() ? at->second : m_tracks.emplace_back(place.key, MachineTrack{}).second;
        if (track.key.isEmpty()) {
            track.key = place.key;
            track.name = place.name;
            track.color = place.color;
            track.style = style;
            track.isOwn = isOwn;
            track.rank = place.rank;
        }
        track.x.push_back(m_at);
        track.y.push_back(y);
    }

    void addRanks(const MachineSample& sample, double RankUse::*field, double unit)
    {
        for (const RankUse& rank : sample.ranks) {
            addPoint(rankPlace(rank.rank), SeriesStyle::Line, true, rank.*field / unit);
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
            addPoint(place, style, isOwn && isUsed(sample, gpu.number), gpu.*field);
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
                place.name = TrackTexts::tr("%1 on %2").arg(place.name, gpu.name);
            }
            addPoint(place, SeriesStyle::Line, true, share.bytes / BytesPerMB);
        }
        for (const GpuUse& gpu : sample.gpus) {
            Place place = gpuPlace(sample, gpu.number);
            place.name = TrackTexts::tr("%1, total in use").arg(place.name);
            addPoint(place, SeriesStyle::DashedLine, false, gpu.memoryBytes / BytesPerMB);
        }
    }

    /// A GPU that the run does not use must not lower its mean. If the driver names no owner, all count.
    [[nodiscard]] bool isUsed(const MachineSample& sample, std::int32_t gpu) const
    {
        return m_used.empty() || m_used.contains({sample.host, gpu});
    }

    static Place rankPlace(std::int32_t rank)
    {
        return {QStringLiteral("rank%1").arg(rank), TrackTexts::tr("rank %1").arg(rank), rankColor(rank), rank};
    }

    [[nodiscard]] Place whole(const MachineSample& sample, const QString& name) const
    {
        const QString host = shownName(sample.host);
        const bool isOneOfMany = m_hosts.size() > 1;
        return {isOneOfMany ? QStringLiteral("machine-") + host : QStringLiteral("machine"),
            isOneOfMany ? TrackTexts::tr("%1 of %2").arg(name, host) : name, phaseColor(Phase::Data)};
    }

    [[nodiscard]] Place gpuPlace(const MachineSample& sample, std::int32_t number) const
    {
        const QString host = shownName(sample.host);
        const auto known = m_gpus.find({sample.host, number});
        const QString model = known == m_gpus.end() ? QString() : known->second;
        Place place{QStringLiteral("gpu%1").arg(number),
            model.isEmpty() ? TrackTexts::tr("GPU %1").arg(number)
                            : TrackTexts::tr("GPU %1 (%2)").arg(number).arg(model),
            rankColor(number)};
        if (m_hosts.size() > 1) {
            place.key += u'-' + host;
            place.name = TrackTexts::tr("%1 of %2").arg(place.name, host);
        }
        return place;
    }

    const RunFeed& m_feed;
    double m_at = 0.0; ///< of the sample that is being added, in seconds
    std::set<std::string> m_hosts;
    std::map<std::pair<std::string, std::int32_t>, QString> m_gpus;
    std::set<std::pair<std::string, std::int32_t>> m_used; ///< GPUs that a rank has memory of
    std::vector<std::pair<QString, MachineTrack>> m_tracks;
};

} // namespace

std::vector<MachineTrack> machineTracks(const RunFeed& feed, MachineValue value)
{
    return Tracks(feed).of(value);
}

} // namespace lockstep::ui
