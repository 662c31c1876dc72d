// The schedules, one file each. Private to core/plan/pipeline.
#pragma once

#include "plan/pipeline/schedule.h"

#include <vector>

namespace lockstep::plan {

[[nodiscard]] std::vector<PipelineAction> gpipe(int stage, const PipelineShape& shape);
[[nodiscard]] std::vector<PipelineAction> oneForwardOneBackward(int stage, const PipelineShape& shape);
[[nodiscard]] std::vector<PipelineAction> interleaved(int stage, const PipelineShape& shape);

} // namespace lockstep::plan
