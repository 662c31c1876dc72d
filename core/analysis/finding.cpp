#include "analysis/finding.h"

#include "analysis/aggregation_findings.h"
#include "analysis/collectives_findings.h"
#include "analysis/local_findings.h"
#include "analysis/memory_findings.h"
#include "analysis/model_parallel_findings.h"
#include "analysis/optimizer_findings.h"
#include "analysis/partition_findings.h"
#include "analysis/pipeline_findings.h"
#include "analysis/scaling_findings.h"
#include "analysis/timing_findings.h"
#include "base/text.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::analysis {

namespace {

Finding leftOut(const RunRecord& run)
{
    Finding finding;
    finding.kind = "run.left_out";
    finding.pattern = LS_TR("Findings", "%1 did not finish (%2) and is left out of the comparison.");
    finding.arguments = {run.spec.name, run.message.empty() ? std::string(nameOf(run.status)) : run.message};
    finding.figures = {{"steps", static_cast<double>(run.summary.steps)}};
    finding.runs = {run.id};
    return finding;
}

} // namespace

std::vector<Finding> findings(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> finished;
    std::vector<Finding> result;
    for (const RunRecord& run : runs) {
        if (run.status == RunStatus::Finished) {
            finished.push_back(run);
        } else if (isFinal(run.status)) {
            result.push_back(leftOut(run));
        }
    }
    auto said = scalingFindings(finished);
    const auto isSweep = [](const RunRecord& run) { return is(run.spec, experiment::Strategy::Collectives); };
    std::vector<RunRecord> sweeps;
    std::copy_if(finished.begin(), finished.end(), std::back_inserter(sweeps), isSweep);
    std::erase_if(finished, isSweep);
    const auto measured = collectivesFindings(sweeps);
    said.insert(said.end(), measured.begin(), measured.end());
    // Ranks that train separately have losses on their own samples: these do not show how fast a net learns.
    const auto hasOwnLosses = [](const RunRecord& run) {
        return std::isfinite(run.summary.labelSkew) && experiment::trainsLocally(run.spec);
    };
    const bool isBaseline = std::any_of(finished.begin(), finished.end(), hasOwnLosses);
    std::vector<RunRecord> comparable = finished;
    // And what a single process reaches is said where partitions, or numbers of ranks, are compared with it.
    std::erase_if(comparable, [&](const RunRecord& run) {
        return hasOwnLosses(run) || run.spec.experiment == ScalingExperiment
            || (isBaseline && run.spec.experiment == PartitioningExperiment
                && is(run.spec, experiment::Strategy::Single));
    });
    for (auto& more : {timingFindings(finished), partitionFindings(finished), localFindings(finished), modelParallelFindings(finished),
             pipelineFindings(finished), memoryFindings(finished), aggregationFindings(finished),
             optimizerFindings(comparable)}) {
        said.insert(said.end(), more.begin(), more.end());
    }
    said.insert(said.end(), result.begin(), result.end());
    return said;
}

std::string sentence(const Finding& finding, const Translator& translate)
{
    return filled(translate ? translate(finding.pattern) : std::string(finding.pattern), finding.arguments);
}

} // namespace lockstep::analysis
