// The rows of the parameter table, one function a group. Private to core/experiment.
#pragma once

#include "experiment/parameter.h"

#include <vector>

namespace lockstep::experiment {

[[nodiscard]] std::vector<Parameter> dataParameters();
[[nodiscard]] std::vector<Parameter> netParameters();
[[nodiscard]] std::vector<Parameter> optimizerParameters();
[[nodiscard]] std::vector<Parameter> trainingParameters();
[[nodiscard]] std::vector<Parameter> rankParameters();
[[nodiscard]] std::vector<Parameter> pipelineParameters();
[[nodiscard]] std::vector<Parameter> partitionParameters();
[[nodiscard]] std::vector<Parameter> checkpointParameters();
[[nodiscard]] std::vector<Parameter> communicationParameters();
[[nodiscard]] std::vector<Parameter> sweepParameters();

} // namespace lockstep::experiment
