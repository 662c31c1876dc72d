#include "plan/check.h"

#include "experiment/choices.h"
#include "plan/grid.h"
#include "plan/memory.h"
#include "plan/pipeline/parts.h"
#include "plan/placement.h"

namespace lockstep::plan {

namespace {

Result<void> checkCut(const experiment::RunSpec& run)
{
    using experiment::Strategy;
    if (is(run, Strategy::Tensor, Strategy::Grid)) {
        const std::string parameter = is(run, Strategy::Grid) ? nameOf(&experiment::GridSettings::tensor)
                                                              : nameOf(&experiment::TensorSettings::size);
        LOCKSTEP_TRY(checkSplit(netUnits(run), gridShape(run).tensor, parameter));
    }
    if (!is(run, Strategy::Pipeline, Strategy::Grid)) {
        return {};
    }
    LOCKSTEP_TRY(checkShape(*scheduleKind(nameOf(run.settings->pipeline.schedule)), pipelineShape(run)));
    LOCKSTEP_TRY(pipelineParts(run));
    return {};
}

} // namespace

Result<void> check(const experiment::RunSpec& run)
{
    if (is(run, experiment::Strategy::Own)) {
        return {}; // only the program knows
    }
    for (auto passes : {checkCut, checkPlacement}) {
        LOCKSTEP_TRY(passes(run));
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
