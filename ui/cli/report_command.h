// `lockstep report`: a report of stored runs as files, without a window.
#pragma once

#include "base/result.h"
#include "exchange/report/report.h"

#include <QByteArray>
#include <QStringList>

namespace lockstep::ui {

/// Arguments after `report`: RUN... [--template NAME|FILE] --format docx,pdf,html,md,tex --out DIR [--lang en|zh]. RUN
/// as for `export`. Needs a QApplication (offscreen will do). Gives the exit code.
int reportCommand(const QStringList& arguments);

/// A report without charts as PDF. As reportCommand().
[[nodiscard]] Result<QByteArray> pdfOf(const report::Report& report);

} // namespace lockstep::ui
