#include "ui/models/charts/kinds/memory_charts.h"

#include "ui/models/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockstep::ui {

namespace {

class MemoryTexts {
    Q_DECLARE_TR_FUNCTIONS(MemoryCharts)
};

constexpr double BytesPerMegabyte = 1e6;
/// The last is all the rest, up to the measured peak.
constexpr std::array Drawn{MemoryKind::Parameters, MemoryKind::Gradients, MemoryKind::Optimizer,
    MemoryKind::Activations, MemoryKind::Workspace, MemoryKind::Other};

QString textOf(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Parameters:
        return MemoryTexts::tr("parameters");
    case MemoryKind::Gradients:
        return MemoryTexts::tr("gradients");
    case MemoryKind::Optimizer:
        return MemoryTexts::tr("optimizer state");
    case MemoryKind::Activations:
        return MemoryTexts::tr("activations");
    case MemoryKind::Workspace:
        return MemoryTexts::tr("cuBLAS workspace");
    case MemoryKind::Other:
        return MemoryTexts::tr("data and buffers, to the peak");
    case MemoryKind::Data:
        break;
    }
    return {};
}

/// What the chart shows of a rank; `sum`: of the parts below it.
std::int64_t bytesOf(const analysis::RankMemory& rank, MemoryKind kind, std::int64_t sum)
{
    return kind == MemoryKind::Other      ? std::max<std::int64_t>(0, rank.highest - sum)
        : kind == MemoryKind::Activations ? of(rank.most, kind)
                                          : of(rank.afterStep, kind);
}

SeriesSpec partOf(MemoryKind kind, SeriesStyle style)
{
    const bool isFormula = style == SeriesStyle::FormulaBars;
    SeriesSpec part;
    part.key = QStringLiteral("memory/") + QLatin1String(nameOf(kind).data())
        + (isFormula ? QStringLiteral("-formula") : QString());
    part.name = isFormula ? MemoryTexts::tr("%1, formula").arg(textOf(kind)) : textOf(kind);
    part.color = memoryColor(kind);
    part.style = style;
    part.isInLegend = !isFormula;
    return part;
}

/// One for all hatched bars.
SeriesSpec legendOfFormula()
{
    SeriesSpec entry;
    entry.key = QStringLiteral("memory/formula");
    entry.name = MemoryTexts::tr("formula");
    entry.color = phaseColor(Phase::Data);
    entry.style = SeriesStyle::FormulaBars;
    return entry;
}

} // namespace

void addMemory(ChartSpec& chart, const ChartInput& input)
{
    std::array<SeriesSpec, Drawn.size()> measured;
    std::array<SeriesSpec, Drawn.size()> formula;
    for (std::size_t i = 0; i < Drawn.size(); ++i) {
        measured[i] = partOf(Drawn[i], SeriesStyle::StackedBars);
        formula[i] = partOf(Drawn[i], SeriesStyle::FormulaBars);
    }
    for (const FeedGroup& group : groupsOf(input.visible, input.options.interfered)) {
        const auto& memory = group.feeds.front()->record().summary.memory;
        for (const analysis::RankMemory& rank : memory) {
            const auto place = static_cast<double>(chart.x.categories.size());
            // The run's name once, in the middle of its ranks.
            const QString number = QString::number(rank.rank);
            const bool isMiddle = rank.rank == static_cast<std::int32_t>(memory.size()) / 2;
            chart.x.categories.push_back(isMiddle ? number + u'\n' + group.name : number);
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < Drawn.size(); ++i) {
                const std::int64_t bytes = bytesOf(rank, Drawn[i], sum);
                sum += bytes;
                measured[i].x.push_back(place);
                measured[i].y.push_back(static_cast<double>(bytes) / BytesPerMegabyte);
                // No formula says how much the rest is.
                const std::int64_t planned = Drawn[i] == MemoryKind::Other ? 0 : of(rank.planned, Drawn[i]);
                formula[i].x.push_back(place);
                formula[i].y.push_back(static_cast<double>(planned) / BytesPerMegabyte);
            }
        }
    }
    if (chart.x.categories.empty()) {
        return;
    }
    for (auto* parts : {&formula, &measured}) {
        for (SeriesSpec& part : *parts) {
            // Only a GPU has a workspace, and no formula says how large it or the rest is.
            const bool isUsed = std::ranges::any_of(part.y, [](double megabytes) { return megabytes > 0.0; });
            if (isUsed
                || (part.color != memoryColor(MemoryKind::Workspace) && part.color != memoryColor(MemoryKind::Other))) {
                chart.series.push_back(std::move(part));
            }
        }
    }
    chart.series.push_back(legendOfFormula());
    chart.note = MemoryTexts::tr("After a step; activations at peak; libraries not drawn");
}

} // namespace lockstep::ui
