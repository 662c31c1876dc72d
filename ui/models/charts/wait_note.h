// The note of charts in which some runs' waiting is not separated from communicating.
#pragma once

#include <QString>
#include <QStringList>

namespace lockstep::ui {

/// Names those runs, each once; empty without any.
[[nodiscard]] QString waitNote(QStringList names);

} // namespace lockstep::ui
