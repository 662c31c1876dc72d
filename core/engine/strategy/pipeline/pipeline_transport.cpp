#include "engine/strategy/pipeline/pipeline_transport.h"

#include "engine/strategy/pipeline/call_transport.h"
#include "engine/strategy/pipeline/message_transport.h"

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
    if (run.text("pipeline.transport") == "rpc" && ends.shape.stages > 1) {
        const std::chrono::milliseconds timeout(static_cast<std::int64_t>(run.real("comm.timeout_s") * 1000.0));
        return asTransport(CallTransport::create(stages, ends, timeout));
    }
    return asTransport(MessageTransport::create(stages, ends));
}

} // namespace lockstep::engine
