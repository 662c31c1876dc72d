// A report as PDF: charts as vectors, fonts embedded, the runs' spec attached. GUI thread only.
#pragma once

#include "base/result.h"
#include "exchange/report/report.h"
#include "ui/export/report/report_pictures.h"

#include <QByteArray>

namespace lockstep::ui {

[[nodiscard]] Result<QByteArray> reportPdf(
    const report::Report& report, const ReportCharts& charts, const QByteArray& specJson);

} // namespace lockstep::ui
