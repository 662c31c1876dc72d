// A net on paper, as the page "Net" shows it, and its layers as CSV. GUI thread only.
#pragma once

#include "experiment/spec.h"
#include "ui/export/render.h"

namespace lockstep::ui {

/// `summary`: the sentences below the picture.
[[nodiscard]] Drawing netDrawing(const experiment::RunSpec& run, const QString& name, const QString& summary);

} // namespace lockstep::ui
