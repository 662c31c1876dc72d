// The data set `text`: a text byte by byte, cut into windows. Private to engine/data.
#pragma once

#include "base/result.h"
#include "engine/data/dataset.h"

namespace lockstep::engine {

/// Windows as `net.context` has them, of the file that `dataset.path` names or of the built-in text. In each part,
/// inputs: [n, context] int64, labels: [n, context] int64, the bytes one position later.
[[nodiscard]] Result<Dataset> readText(const experiment::RunSpec& run);

} // namespace lockstep::engine
