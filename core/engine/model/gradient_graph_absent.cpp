// Without CUDA no graph can be recorded.
#include "engine/model/gradient_graph.h"

namespace lockstep::engine {

Result<std::unique_ptr<GradientGraph>> recordGradient(Net&, FlatParameters&, const Batch&)
{
    return failure(LS_TR("Messages", "this LibTorch has no CUDA"));
}

} // namespace lockstep::engine
