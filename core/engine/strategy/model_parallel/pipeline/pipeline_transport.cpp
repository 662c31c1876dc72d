#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"

#include "engine/strategy/model_parallel/pipeline/call_transport.h"
#include "engine/strategy/model_parallel/pipeline/message_transport.h"

#include <chrono>
#include <utility>

namespace lockstep::engine {

std::vector<std::string_view> transportNames()
{
    std::vector<std::string_view> names{"p2p"};
    if (StageCalls::areBuiltIn()) {
        names.push_back("rpc");
    }
    return names;
}

Result<std::unique_ptr<PipelineTransport>> makeTransport(
    const experiment::RunSpec& run, SubGroup& stages, const PipelineEnds& ends)
{
    const auto asTransport = [](auto made) {
        return made ? Result<std::unique_ptr<PipelineTransport>>(std::move(*made))
                    : Result<std::unique_ptr<PipelineTransport>>(made.error());
    };
    if (run.settings->pipeline.transport == experiment::PipelineTransport::Rpc && ends.shape.stages > 1) {
        const std::chrono::milliseconds timeout(static_cast<std::int64_t>(run.settings->comm.timeoutSeconds * 1000.0));
        return asTransport(CallTransport::create(stages, ends, timeout));
    }
    return asTransport(MessageTransport::create(stages, ends));
}

} // namespace lockstep::engine
