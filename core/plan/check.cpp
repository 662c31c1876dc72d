#include "plan/check.h"

#include "plan/grid.h"
#include "plan/memory.h"
#include "plan/pipeline/parts.h"
#include "plan/placement.h"

namespace lockstep::plan {

namespace {

Result<void> checkCut(const experiment::RunSpec& run)
{
    const std::string& strategy = run.text("strategy.name");
    if (strategy == "tensor" || strategy == "grid") {
        const std::string parameter = strategy == "grid" ? "grid.tensor" : "tensor.size";
        if (auto split = checkSplit(netUnits(run), gridShape(run).tensor, parameter); !split) {
            return split;
        }
    }
    if (strategy != "pipeline" && strategy != "grid") {
        return {};
    }
    if (auto shape = checkShape(*scheduleKind(run.text("pipeline.schedule")), pipelineShape(run)); !shape) {
        return shape;
    }
    const auto parts = pipelineParts(run);
    return parts ? Result<void>() : Result<void>(parts.error());
}

} // namespace

Result<void> check(const experiment::RunSpec& run)
{
    for (auto passes : {checkCut, checkPlacement}) {
        if (auto possible = passes(run); !possible) {
            return possible;
        }
    }
    return checkMemory(run);
}

Result<void> checkAll(std::span<const experiment::RunSpec> runs)
{
    for (const experiment::RunSpec& run : runs) {
        if (auto possible = check(run); !possible) {
            return ofVariant(possible.error(), run.name);
        }
    }
    return {};
}

} // namespace lockstep::plan
