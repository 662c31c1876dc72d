// The views of a report that are no charts: timeline and net. GUI thread only.
#pragma once

#include "ui/export/report/report_pictures.h"

namespace lockstep::ui {

/// `timeline`: the last step of the first pipeline among the runs, else of the first run that has spans. `net`: of the
/// first run whose net is divided, else of the first that trains.
[[nodiscard]] ReportDrawings reportDrawings();

} // namespace lockstep::ui
