// Replaces stage_calls_tensorpipe.cpp if LibTorch has no RPC agent.
#include "engine/strategy/model_parallel/pipeline/stage_calls.h"

namespace lockstep::engine {

bool StageCalls::areBuiltIn()
{
    return false;
}

Result<std::unique_ptr<StageCalls>> StageCalls::join(comm::Communicator&, std::chrono::milliseconds)
{
    return refusal(nameOf(&experiment::PipelineSettings::transport),
        LS_TR("Messages",
            "rpc, but this lockstep-rank was built without LibTorch's RPC agent, which not every LibTorch has; use "
            "p2p"));
}

} // namespace lockstep::engine
