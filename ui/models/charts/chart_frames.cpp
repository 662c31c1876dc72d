#include "ui/models/charts/chart_frames.h"

namespace lockstep::ui {

ChartSpec frameOf(ChartModel::Kind kind)
{
    using Kind = ChartModel::Kind;
    const QString scalingText
        = ChartModel::tr(
            "Once a single process and runs with several ranks have finished, this shows how training scales.");
    ChartSpec chart;
    chart.id = ChartModel::nameOf(kind);
    switch (kind) {
    case Kind::Loss:
        chart.title = ChartModel::tr("Training loss");
        chart.y.label = ChartModel::tr("Training loss");
        break;
    case Kind::Accuracy:
        chart.title = ChartModel::tr("Test accuracy");
        chart.y.label = ChartModel::tr("Test accuracy");
        chart.y.unit = QStringLiteral("%");
        break;
    case Kind::Time:
        chart.title = ChartModel::tr("Time per step by phase");
        chart.y = {ChartModel::tr("Time per step"), QStringLiteral("ms"), Scale::Linear, 0.0, {}, {}};
        break;
    case Kind::Labels:
        chart.title = ChartModel::tr("Samples by rank and label");
        chart.x = {ChartModel::tr("Label"), {}, Scale::Linear, {}, {}, {}};
        chart.y = {ChartModel::tr("Rank"), {}, Scale::Linear, {}, {}, {}};
        chart.emptyText = ChartModel::tr("Runs that split the data into shares show here which labels each rank has.");
        break;
    case Kind::Shares:
        chart.title = ChartModel::tr("Samples per rank by label");
        chart.y = {ChartModel::tr("Samples"), {}, Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr("Runs that split the data into shares show here how large the shares are.");
        break;
    case Kind::Skew:
        chart.title = ChartModel::tr("Accuracy over label skew");
        chart.x = {ChartModel::tr("Label skew"), {}, Scale::Linear, -0.02, {}, {}};
        chart.y = {ChartModel::tr("Test accuracy"), QStringLiteral("%"), Scale::Linear, {}, {}, {}};
        chart.emptyText
            = ChartModel::tr("Runs that split the data into shares show here how the split affects the accuracy.");
        break;
    case Kind::Communication:
        chart.title = ChartModel::tr("Communication by algorithm");
        chart.y = {ChartModel::tr("Communication per step"), QStringLiteral("ms"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr("Runs with several ranks show here what communication costs.");
        break;
    case Kind::Ranks:
        chart.title = ChartModel::tr("Time per step by rank");
        chart.y = {ChartModel::tr("Time per step"), QStringLiteral("ms"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr("Runs with several ranks show here how each rank spends its time.");
        break;
    case Kind::Sweep:
        chart.title = ChartModel::tr("Collective time by message size");
        chart.y = {ChartModel::tr("Time"), QStringLiteral("µs"), Scale::Log, {}, {}, {}};
        chart.emptyText = ChartModel::tr("Run the Collectives experiment to see times by message size.");
        break;
    case Kind::Bandwidth:
        chart.title = ChartModel::tr("Collective bus bandwidth by message size");
        chart.y = {ChartModel::tr("Bus bandwidth"), QStringLiteral("GB/s"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr("Run the Collectives experiment to see bandwidths by message size.");
        break;
    case Kind::SpeedUp:
        chart.title = ChartModel::tr("Speed-up over the single process");
        chart.y = {ChartModel::tr("Speed-up"), QStringLiteral("×"), Scale::Log, {}, {}, {}};
        chart.emptyText = scalingText;
        break;
    case Kind::Efficiency:
        chart.title = ChartModel::tr("Efficiency: speed-up divided by ranks");
        chart.y = {ChartModel::tr("Efficiency"), QStringLiteral("%"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = scalingText;
        break;
    case Kind::Throughput:
        chart.title = ChartModel::tr("Throughput by number of ranks");
        chart.y = {ChartModel::tr("Throughput"), ChartModel::tr("samples/s"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = scalingText;
        break;
    case Kind::Split:
        chart.title = ChartModel::tr("Time per step by number of ranks");
        chart.y = {ChartModel::tr("Time per step"), QStringLiteral("ms"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = scalingText;
        break;
    case Kind::Target:
        chart.title = ChartModel::tr("Time to target accuracy by number of ranks");
        chart.y = {ChartModel::tr("Time to target accuracy"), QStringLiteral("s"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr(
            "Once a single process and runs with several ranks have finished, this shows which of them reached the "
            "target accuracy first.");
        break;
    case Kind::Memory:
        chart.title = ChartModel::tr("Memory per rank");
        chart.y = {ChartModel::tr("Memory"), QStringLiteral("MB"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr("Once a run has made its first steps, this shows what each rank's memory is used for.");
        break;
    case Kind::Traffic:
        chart.title = ChartModel::tr("Data sent per rank and step");
        chart.y = {ChartModel::tr("Sent per step"), QStringLiteral("kB"), Scale::Linear, 0.0, {}, {}};
        chart.emptyText = ChartModel::tr(
            "Once a run with several ranks has made its first steps, this shows what the ranks send.");
        break;
    case Kind::Machine:
        chart.emptyText = ChartModel::tr(
            "While a run is in progress, this shows how it uses the machine: CPU, memory and GPUs.");
        break;
    }
    return chart;
}

} // namespace lockstep::ui
