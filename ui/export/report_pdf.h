// A report as PDF: charts as vectors, fonts embedded. GUI thread only.
#pragma once

#include "analysis/report/report.h"
#include "analysis/report/writers.h"
#include "base/result.h"

#include <QByteArray>

namespace lockstep::ui {

[[nodiscard]] Result<QByteArray> reportPdf(const report::Report& report, const report::Pictures& pictures);

} // namespace lockstep::ui
