// The layers of a run's net, as PyTorch makes them. Private to core/script.
#pragma once

#include "experiment/spec.h"

#include <string>
#include <vector>

namespace lockstep::script {

/// The arguments of nn.Sequential: as many layers, in the same order, as the engine's; a GPT's head is two. Its others
/// are classes of resources/pytorch/net/gpt.py.
[[nodiscard]] std::vector<std::string> layersOf(const experiment::RunSpec& run);

} // namespace lockstep::script
