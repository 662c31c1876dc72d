// Which colour, dash and marker each variant has: the same in the window, in exports and in reports, from the command
// line too.
#pragma once

#include "analysis/run_record.h"
#include "ui/models/palette.h"

#include <vector>

namespace lockstep::ui {

/// What each of these runs looks like, in their order: as the place that its variant was given once and that is stored
/// with it says, whatever else is shown. Repeats and resumed runs look like their variant. Of two variants with one
/// place, which are of experiments started apart, the newer keeps it; the other keeps its colour and gets another dash
/// and marker.
[[nodiscard]] std::vector<Look> looksOf(const std::vector<const analysis::RunRecord*>& runs, PaletteName palette);

} // namespace lockstep::ui
