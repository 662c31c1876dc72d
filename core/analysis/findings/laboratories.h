// The findings of each laboratory about finished runs; all_findings.h combines them. Private to core/analysis.
#pragma once

#include "analysis/finding.h"
#include "analysis/scaling/scaling.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// The experiment whose runs differ by what each rank sees.
inline constexpr std::string_view PartitioningExperiment = "partitioning";

/// Of several ranks that aggregate arrays.
[[nodiscard]] std::vector<Finding> aggregationFindings(std::span<const RunRecord> runs);
/// Of sweeps over collectives; `isAlone`: else they are there for the predictions of training beside them, which say
/// what the links are.
[[nodiscard]] std::vector<Finding> collectivesFindings(std::span<const RunRecord> runs, bool isAlone);
/// Which of two parameters changes the test accuracy more, or the training loss where no run has an accuracy.
[[nodiscard]] std::vector<Finding> influenceFindings(std::span<const RunRecord> runs);
/// Savings and costs of synchronizing less often: runs whose ranks train locally, against those that synchronize most
/// often.
[[nodiscard]] std::vector<Finding> localFindings(std::span<const RunRecord> runs);
/// That the machine was busy with other work, where it was. `areTimesWithheld`: as answers.h has it.
[[nodiscard]] std::vector<Finding> machineFindings(std::span<const RunRecord> runs, bool areTimesWithheld);
/// Sets wasMachineBusy of sentences about times that compare different numbers of ranks of which one was disturbed:
/// other work slows each number differently.
void markBusy(std::vector<Finding>& findings, std::span<const RunRecord> runs);
/// Of runs that report their memory.
[[nodiscard]] std::vector<Finding> memoryFindings(std::span<const RunRecord> runs);
/// What each way of dividing a net between ranks costs in time, traffic and memory, beside the single process.
[[nodiscard]] std::vector<Finding> modelParallelFindings(std::span<const RunRecord> runs);
/// Of runs with curves: losses, accuracies and how fast they are reached; who is first only unless times are asked for
/// and said: seconds to a loss are steps at these times.
[[nodiscard]] std::vector<Finding> optimizerFindings(std::span<const RunRecord> runs, bool areTimesAsked);
/// That each of several variants ran once, where each did; `haveIntervals`: and that intervals are not between runs.
[[nodiscard]] std::vector<Finding> oneRepeatFindings(std::span<const RunRecord> runs, bool haveIntervals);
/// Of data that were partitioned into shares, also against a single process that trains the same.
[[nodiscard]] std::vector<Finding> partitionFindings(std::span<const RunRecord> runs);
/// Of nets that were cut by layers.
[[nodiscard]] std::vector<Finding> pipelineFindings(std::span<const RunRecord> runs);
/// What Amdahl and the measured links predict for a curve's ranks here, and for more; nothing without a model.
[[nodiscard]] std::vector<Finding> predictionFindings(const ScalingCurve& curve);
/// Where the links behind a study's predictions were measured, and that they say nothing about other links.
[[nodiscard]] std::vector<Finding> linkFindings(const ScalingStudy& study);
/// Of runs that continue others: what they do not share with a run that was never interrupted.
[[nodiscard]] std::vector<Finding> resumedFindings(std::span<const RunRecord> runs);
/// Of a run with ranks that were slowed by hand: what a step took before, meanwhile and afterwards.
[[nodiscard]] std::vector<Finding> slowedFindings(const RunRecord& run);
/// Of runs that differ in their number of ranks. `scales`: scalesByExperiment() of them; ignores experiments of which
/// no run scales.
[[nodiscard]] std::vector<Finding> scalingFindings(
    std::span<const RunRecord> runs, const std::map<std::string, Scales>& scales, Interfered which);
/// Of asynchronous parameter servers.
[[nodiscard]] std::vector<Finding> stalenessFindings(std::span<const RunRecord> runs);
/// One for each difference between times that has an interval.
[[nodiscard]] std::vector<Finding> timingFindings(std::span<const RunRecord> runs);
/// Of runs whose losses were compared with those of a single process (`verify`).
[[nodiscard]] std::vector<Finding> verificationFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
