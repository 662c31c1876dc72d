// Which data a run reads, whatever its path: what a checkpoint and the run that resumes from it must agree on.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <string>

namespace lockstep::engine {

/// `sha256:<64 digits>` of the content of the files (uncompressed, one after another), or `digits 1` for generated
/// data. Reads all of them.
[[nodiscard]] Result<std::string> dataIdentity(const experiment::RunSpec& run);

} // namespace lockstep::engine
