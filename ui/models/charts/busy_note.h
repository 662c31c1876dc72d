// The note of charts of times that were measured while the machine was busy with other work.
#pragma once

#include "ui/models/runs/shown_groups.h"

#include <QString>

namespace lockstep::ui {

/// Names the variants, each once; empty without any.
[[nodiscard]] QString busyNote(const Feeds& feeds);

} // namespace lockstep::ui
