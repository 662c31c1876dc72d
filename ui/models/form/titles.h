// What experiments and the variants of the presets are called where a person reads of them. Their names stay as they
// are in specs, in files and on the command line.
#pragma once

#include "analysis/run_record.h"

#include <QString>

#include <string>

namespace lockstep::ui {

/// A preset's title in the window's language; of an experiment that is none, its own name.
[[nodiscard]] QString experimentTitle(const std::string& experiment);

/// "All-reduce" for all_reduce of aggregation, "2 ranks, weak" for 2-weak of scaling, in the window's language. A
/// variant that is not of the preset has the name that its spec gives.
[[nodiscard]] QString variantTitle(const std::string& experiment, const std::string& name);

/// With the title as the variant's name: for sentences and tables.
[[nodiscard]] analysis::RunRecord titled(analysis::RunRecord record);

} // namespace lockstep::ui
