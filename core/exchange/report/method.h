// The note of method: runs, seeds and how figures are made; the machine and versions; the commands that repeat it.
// Private to core/exchange/report.
#pragma once

#include "exchange/report/compose.h"

#include <string_view>
#include <vector>

namespace lockstep::report {

/// `part`: runs, machine or commands.
[[nodiscard]] std::vector<Block> methodBlocks(const Source& source, std::string_view part);

} // namespace lockstep::report
