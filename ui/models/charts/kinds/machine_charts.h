// Charts of the machine under a run, over time: of one run a curve a rank or a GPU, of several a curve a run. A part of
// ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QString>

#include <array>
#include <vector>

namespace lockstep::ui {

enum class MachineValue { Processors, Resident, GpuUse, GpuMemory, Power, Temperature, Clock };
inline constexpr std::array MachineValues{MachineValue::Processors, MachineValue::Resident, MachineValue::GpuUse,
    MachineValue::GpuMemory, MachineValue::Power, MachineValue::Temperature, MachineValue::Clock};

/// `processors`, ...: in names of files, after `machine-`.
[[nodiscard]] QString nameOf(MachineValue value);
/// For the list of a chart's choices.
[[nodiscard]] QString textOf(MachineValue value);

/// Whether a run's samples hold any such number.
[[nodiscard]] bool hasMachineValue(const RunFeed& feed, MachineValue value);

/// The values in the samples of these runs, in the order of MachineValues.
[[nodiscard]] std::vector<ChartChoice> machineChoices(const Feeds& feeds);

/// Whether these are one run, or the repeats of a variant, which look alike.
[[nodiscard]] bool isOneVariant(const Feeds& feeds);

/// Hidden runs keep their place in the legend. If several are visible, each is drawn as its mean over ranks or GPUs,
/// with a band from minimum to maximum; the repeats of one variant, to be drawn by rank, each with its curves. A value
/// that none of them has is replaced by the first that one has.
void addMachine(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
