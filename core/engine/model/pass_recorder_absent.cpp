// Without CUDA no graph can be recorded.
#include "engine/model/pass_recorder.h"

namespace lockstep::engine {

std::unique_ptr<PassRecorder> makePassRecorder()
{
    return nullptr;
}

} // namespace lockstep::engine
