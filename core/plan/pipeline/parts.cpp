#include "plan/pipeline/parts.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "plan/grid.h"

#include <numeric>

namespace lockstep::plan {

PipelineShape pipelineShape(const experiment::RunSpec& run)
{
    if (is(run, experiment::Strategy::Tensor)) {
        return {1, static_cast<int>(run.settings->train.accumulate), 1};
    }
    if (!is(run, experiment::Strategy::Pipeline, experiment::Strategy::Grid)) {
        return {1, 1, 1};
    }
    const bool isInterleaved = is(run, experiment::PipelineSchedule::Interleaved);
    return {gridShape(run).pipeline, static_cast<int>(run.settings->pipeline.microBatches),
        isInterleaved ? static_cast<int>(run.settings->pipeline.virtualStages) : 1};
}

Result<std::vector<PipelinePart>> pipelineParts(const experiment::RunSpec& run)
{
    const PipelineShape shape = pipelineShape(run);
    const std::vector<NetUnit> units = netUnits(run);
    const auto count = static_cast<std::int64_t>(units.size());
    const std::int64_t parts = std::int64_t{shape.stages} * shape.chunks;
    const std::string stages = is(run, experiment::Strategy::Grid) ? nameOf(&experiment::GridSettings::pipeline)
                                                                   : nameOf(&experiment::PipelineSettings::stages);
    const std::string net(nameOf(run.settings->net.name));
    if (parts > count) {
        return shape.chunks > 1 ? refusal(nameOf(&experiment::PipelineSettings::virtualStages),
                   LS_TR("Refusals", "%1 stages of %2 parts are %3 parts, but %4 has only %5 layers to split"),
                   {shape.stages, shape.chunks, parts, verbatim(net), count})
                                : refusal(stages, LS_TR("Refusals", "%1 is too many; %2 has only %3 layers to split"),
                                    {parts, verbatim(net), count});
    }
    const std::vector<std::int64_t> byHand = parts > 1 ? run.settings->pipeline.cut : std::vector<std::int64_t>();
    if (const std::int64_t sum = std::accumulate(byHand.begin(), byHand.end(), std::int64_t{0});
        !byHand.empty() && sum != count) {
        return refusal(nameOf(&experiment::PipelineSettings::cut),
            LS_TR("Refusals", "the numbers add up to %1, but %2 has %3 layers to split"), {sum, verbatim(net), count});
    }
    const std::vector<std::int64_t> cut = byHand.empty() ? balancedCut(units, parts) : byHand;
    std::vector<PipelinePart> result;
    std::int64_t end = 0; // units so far
    for (const Slice& layers : layersOfStages(units, cut)) {
        const std::int64_t inPart = cut[result.size()];
        end += inPart;
        result.push_back({{end - inPart, inPart}, layers, units[static_cast<std::size_t>(end - 1)]});
    }
    return result;
}

} // namespace lockstep::plan
