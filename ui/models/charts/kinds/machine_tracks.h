// The curves of one run in the charts of the machine: what its ranks, GPUs and hosts used, over its own time. A part of
// addMachine().
#pragma once

#include "ui/models/chart_spec.h"
#include "ui/models/charts/kinds/machine_charts.h"

#include <optional>
#include <vector>

namespace lockstep::ui {

/// Points of one curve.
struct MachineTrack {
    QString key; ///< after the run's id and a slash
    QString name;
    QColor color;
    SeriesStyle style = SeriesStyle::Line;
    bool isOwn = true; ///< of the run; else of the whole machine, or a limit
    std::optional<int> rank;
    std::vector<double> x;
    std::vector<double> y;
};

/// From the first step on; the run's own before those of the whole machine. Other runs' turns are cut out.
[[nodiscard]] std::vector<MachineTrack> machineTracks(const RunFeed& feed, MachineValue value);

} // namespace lockstep::ui
