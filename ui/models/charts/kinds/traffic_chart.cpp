#include "ui/models/charts/kinds/traffic_chart.h"

#include "analysis/timing/traffic_by_kind.h"
#include "ui/models/palette.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <utility>

namespace lockstep::ui {

namespace {

class TrafficTexts {
    Q_DECLARE_TR_FUNCTIONS(TrafficChart)
};

constexpr double BytesPerKilobyte = 1e3;

QString textOf(TrafficKind kind)
{
    switch (kind) {
    case TrafficKind::Activations:
        return TrafficTexts::tr("activations");
    case TrafficKind::LayerSums:
        return TrafficTexts::tr("partial sums within layers");
    case TrafficKind::Gradients:
        return TrafficTexts::tr("gradients");
    case TrafficKind::Weights:
        return TrafficTexts::tr("weights");
    }
    return {};
}

QColor colorOf(TrafficKind kind)
{
    switch (kind) {
    case TrafficKind::Activations:
        return memoryColor(MemoryKind::Activations);
    case TrafficKind::LayerSums:
        return phaseColor(Phase::Communicate);
    case TrafficKind::Gradients:
        return memoryColor(MemoryKind::Gradients);
    case TrafficKind::Weights:
        return memoryColor(MemoryKind::Parameters);
    }
    return {};
}

} // namespace

void addTraffic(ChartSpec& chart, const ChartInput& input)
{
    std::array<SeriesSpec, TrafficKindCount> kinds;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto kind = static_cast<TrafficKind>(i);
        kinds[i].key = QStringLiteral("traffic/") + QLatin1String(TrafficKindNames[i].data());
        kinds[i].name = textOf(kind);
        kinds[i].color = colorOf(kind);
        kinds[i].style = SeriesStyle::StackedBars;
    }
    for (const FeedGroup& group : groupsOf(input.visible, input.options.interfered)) {
        const RunFeed& first = *group.feeds.front();
        if (ranksOf(first) < 2) {
            continue; // no rank to send to
        }
        std::array<double, TrafficKindCount> sums{};
        for (const RunFeed* feed : group.feeds) {
            const auto bytes = analysis::bytesByKind(feed->record());
            for (std::size_t i = 0; i < sums.size(); ++i) {
                sums[i] += bytes[i];
            }
        }
        if (!std::isfinite(sums[0])) {
            continue; // it did not report any
        }
        const auto place = static_cast<double>(chart.x.categories.size());
        chart.x.categories.push_back(
            (analysis::areBytesModelled(first.record()) ? TrafficTexts::tr("%1\n%2 ranks, modelled")
                                                        : TrafficTexts::tr("%1\n%2 ranks"))
                .arg(group.name)
                .arg(ranksOf(first)));
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            kinds[i].x.push_back(place);
            kinds[i].y.push_back(sums[i] / static_cast<double>(group.feeds.size()) / BytesPerKilobyte);
        }
    }
    if (chart.x.categories.empty()) {
        return;
    }
    for (SeriesSpec& kind : kinds) {
        chart.series.push_back(std::move(kind));
    }
}

} // namespace lockstep::ui
