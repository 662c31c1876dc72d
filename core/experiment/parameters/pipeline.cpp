#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view Group = LS_TR("Parameters", "Pipeline");
const std::vector<Condition> WhenPipeline = {{"strategy.name", {"pipeline", "grid"}}};

} // namespace

std::vector<Parameter> pipelineParameters()
{
    return {
        {.name = "pipeline.stages",
            .group = Group,
            .label = LS_TR("Parameters", "Stages"),
            .help = LS_TR("Parameters", "The net is cut by layers into so many parts, each on a rank of its own."),
            .unit = LS_TR("Parameters", "ranks"),
            .type = Type::Integer,
            .range = {1, 64},
            .standard = std::int64_t{2},
            .appliesWhen = {{"strategy.name", {"pipeline"}}}},
        {.name = "pipeline.microbatches",
            .group = Group,
            .label = LS_TR("Parameters", "Micro-batches"),
            .help = LS_TR("Parameters",
                "Parts of a batch that follow each other through the stages: more of them leave less idle time."),
            .type = Type::Integer,
            .range = {1, 4096},
            .standard = std::int64_t{4},
            .appliesWhen = WhenPipeline},
        {.name = "pipeline.schedule",
            .group = Group,
            .label = LS_TR("Parameters", "Pipeline schedule"),
            .help = LS_TR("Parameters", "In which order a stage works on the micro-batches."),
            .type = Type::Choice,
            .choices = {{"gpipe", LS_TR("Parameters", "Fill-drain (GPipe)"),
                            LS_TR("Parameters", "All forward passes, then all backward passes: the simplest.")},
                {"1f1b", LS_TR("Parameters", "1F1B"),
                    LS_TR("Parameters",
                        "One forward, one backward in turn: no more activations in memory than there are stages.")},
                {"interleaved", LS_TR("Parameters", "Interleaved 1F1B"),
                    LS_TR("Parameters", "Each rank has several smaller parts: less idle time, more messages.")}},
            .standard = std::string("1f1b"),
            .appliesWhen = WhenPipeline},
        {.name = "pipeline.virtual",
            .group = Group,
            .label = LS_TR("Parameters", "Parts a rank"),
            .help = LS_TR("Parameters", "Into how many parts each rank's share of the net is cut again."),
            .type = Type::Integer,
            .range = {2, 64},
            .standard = std::int64_t{2},
            .appliesWhen = {{"strategy.name", {"pipeline", "grid"}}, {"pipeline.schedule", {"interleaved"}}}},
        {.name = "pipeline.transport",
            .group = Group,
            .label = LS_TR("Parameters", "Transport"),
            .help = LS_TR("Parameters", "How the parts hand each other activations and gradients. The numbers are the same."),
            .type = Type::Choice,
            .choices = {{"p2p", LS_TR("Parameters", "Send and receive"),
                            LS_TR("Parameters", "Messages between neighbours, over the backend of the ranks.")},
                {"rpc", LS_TR("Parameters", "Remote calls (RPC)"),
                    LS_TR("Parameters",
                        "LibTorch's RPC agent: each part calls the next one as a function on another rank, whose answer "
                        "is the gradient.")}},
            .standard = std::string("p2p"),
            .appliesWhen = WhenPipeline},
        {.name = "pipeline.cut",
            .group = Group,
            .label = LS_TR("Parameters", "Cut of the net"),
            .help = LS_TR("Parameters",
                "Layers with parameters in each part, such as 1,3; empty balances them by their arithmetic."),
            .unit = LS_TR("Parameters", "layers"),
            .type = Type::IntegerList,
            .level = Level::Advanced,
            .range = {1, 1023},
            .standard = std::vector<std::int64_t>(),
            .appliesWhen = WhenPipeline},
    };
}

} // namespace lockstep::experiment
