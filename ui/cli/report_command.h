// `lockstep report`: a report of stored runs as files, without a window.
#pragma once

#include <QStringList>

namespace lockstep::ui {

/// Arguments after `report`: RUN... [--template NAME|FILE] --format docx,pdf,html,md,tex --out DIR [--lang en|zh]. RUN
/// as for `export`. Needs a QApplication (offscreen will do). Gives the exit code.
int reportCommand(const QStringList& arguments);

} // namespace lockstep::ui
