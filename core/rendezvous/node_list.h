// Slurm's way of writing many host names: `n[1-3,07-10],login` (scontrol show hostnames).
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rendezvous {

/// The names in order. A range keeps its leading zeros; a name may have several brackets, the last varies fastest.
[[nodiscard]] Result<std::vector<std::string>> expandNodeList(std::string_view list);

} // namespace lockstep::rendezvous
