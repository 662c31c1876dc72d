// A zip archive in memory. Private to core/analysis/report.
#pragma once

#include "analysis/report/writers.h"
#include "base/result.h"

#include <span>
#include <string>

namespace lockstep::report {

/// The files in their order; equal files give equal bytes.
[[nodiscard]] Result<std::string> zipped(std::span<const File> files);

} // namespace lockstep::report
