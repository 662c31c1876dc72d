// What a reader of curves must know of runs that continue others. Private to ui/models.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QString>

namespace lockstep::ui {

/// Whether the run continues another of which is not known how long it took: then it has no place on an axis of
/// seconds.
[[nodiscard]] bool isTimeUnknown(const RunFeed& feed);

/// Names the visible runs whose schedule was recomputed for another length, and over seconds those whose time is not
/// known; empty without any.
[[nodiscard]] QString resumedRemark(const Feeds& visible, XAxis axis);

} // namespace lockstep::ui
