#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view PipelineGroup = LS_TR("Parameters", "Pipeline");
const std::vector<Condition> WhenPipeline = {{"strategy.name", {"pipeline", "grid"}}};

/// How the net and the batch are split.
std::vector<Parameter> partRows()
{
    return {
        {.name = "pipeline.stages",
            .fills = &PipelineSettings::stages,
            .group = PipelineGroup,
            .label = LS_TR("Parameters", "Stages"),
            .help = LS_TR("Parameters", "Number of parts that the net is split into by layers, one per rank."),
            .unit = LS_TR("Parameters", "ranks"),
            .type = Type::Integer,
            .range = {1, 64},
            .standard = std::int64_t{2},
            .appliesWhen = {{"strategy.name", {"pipeline"}}},
            .mustAgree = true},
        {.name = "pipeline.microbatches",
            .fills = &PipelineSettings::microBatches,
            .group = PipelineGroup,
            .label = LS_TR("Parameters", "Micro-batches"),
            .help
            = LS_TR("Parameters", "Number of parts that each batch is split into; more of them leave less idle time."),
            .type = Type::Integer,
            .range = {1, 4096},
            .standard = std::int64_t{4},
            .appliesWhen = WhenPipeline,
            .mustAgree = true},
    };
}

std::vector<Parameter> pipelineScheduleRows()
{
    return {
        {.name = "pipeline.schedule",
            .fills = &PipelineSettings::schedule,
            .group = PipelineGroup,
            .label = LS_TR("Parameters", "Pipeline schedule"),
            .help = LS_TR("Parameters", "The order in which a stage processes micro-batches."),
            .type = Type::Choice,
            .choices
            = {{"gpipe", LS_TR("Parameters", "Fill-drain (GPipe)"),
                   LS_TR("Parameters", "All forward passes, then all backward passes: the simplest schedule.")},
                {"1f1b", LS_TR("Parameters", "1F1B"),
                    LS_TR("Parameters",
                        "Alternates forward and backward: holds the activations of no more micro-batches than there "
                        "are stages.")},
                {"interleaved", LS_TR("Parameters", "Interleaved 1F1B"),
                    LS_TR("Parameters", "Each rank holds several smaller parts: less idle time, more messages.")}},
            .standard = std::string("1f1b"),
            .appliesWhen = WhenPipeline,
            .mustAgree = true},
        {.name = "pipeline.virtual",
            .fills = &PipelineSettings::virtualStages,
            .group = PipelineGroup,
            .label = LS_TR("Parameters", "Parts per rank"),
            .help = LS_TR("Parameters", "Number of parts of the net that each rank holds."),
            .type = Type::Integer,
            .range = {2, 64},
            .standard = std::int64_t{2},
            .appliesWhen = {{"strategy.name", {"pipeline", "grid"}}, {"pipeline.schedule", {"interleaved"}}},
            .mustAgree = true},
    };
}

Parameter pipelineTransportRow()
{
    return {.name = "pipeline.transport",
        .fills = &PipelineSettings::transport,
        .group = PipelineGroup,
        .label = LS_TR("Parameters", "Transport"),
        .help = LS_TR("Parameters", "How the parts exchange activations and gradients. The results are the same."),
        .type = Type::Choice,
        .choices = {{"p2p", LS_TR("Parameters", "Send and receive"),
                        LS_TR("Parameters", "Messages between neighbouring ranks, over the chosen backend.")},
            {"rpc", LS_TR("Parameters", "Remote calls (RPC)"),
                LS_TR("Parameters",
                    "LibTorch's RPC agent: each part calls the next one as a function on another rank, which "
                    "returns the gradient.")}},
        .standard = std::string("p2p"),
        .appliesWhen = WhenPipeline};
}

Parameter pipelineCutRow()
{
    return {.name = "pipeline.cut",
        .fills = &PipelineSettings::cut,
        .group = PipelineGroup,
        .label = LS_TR("Parameters", "Cut of the net"),
        .help
        = LS_TR("Parameters", "Layers with parameters in each part, such as 1,3; empty balances the parts by FLOPs."),
        .unit = LS_TR("Parameters", "layers"),
        .type = Type::IntegerList,
        .level = Level::Advanced,
        .range = {1, 1023},
        .standard = std::vector<std::int64_t>(),
        .appliesWhen = WhenPipeline,
        .mustAgree = true};
}

} // namespace

std::vector<Parameter> pipelineParameters()
{
    return joinRows({partRows(), pipelineScheduleRows(), {pipelineTransportRow()}, {pipelineCutRow()}});
}

} // namespace lockstep::experiment
