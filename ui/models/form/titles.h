// What experiments and variants are called in the window, in its language (language/shown_names.h). Their names stay as
// they are in specs, in files and on the command line.
#pragma once

#include "analysis/run_record.h"

#include <QString>

#include <string>

namespace lockstep::ui {

/// Of a preset; of an experiment that is none, its own name.
[[nodiscard]] QString experimentTitle(const std::string& experiment);
[[nodiscard]] QString experimentTitle(const experiment::RunSpec& run);

/// "All-reduce" for all_reduce of aggregation, "Ring, 4 ranks" for `ring world_size=4`.
[[nodiscard]] QString variantTitle(const experiment::RunSpec& run);
/// The user's label, else the same.
[[nodiscard]] QString variantTitle(const analysis::RunRecord& run);
/// The same, without a label with `#2` for the second repeat.
[[nodiscard]] QString runName(const analysis::RunRecord& run);

} // namespace lockstep::ui
