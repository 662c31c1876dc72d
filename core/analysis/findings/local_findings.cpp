#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/spec.h"
#include "plan/local_sgd.h"

#include <algorithm>
#include <cmath>

namespace lockstep::analysis {

namespace {

struct Synchronized {
    Group group;
    std::int64_t every = 1; ///< steps; 1 where gradients are aggregated
    MeanEstimate bytes; ///< that a rank sends per step
    MeanEstimate ms; ///< per step
    MeanEstimate accuracy; ///< of the test set

    [[nodiscard]] std::string text(double Summary::*figure) const { return estimateText(figure, group.runs); }
};

Synchronized synchronizedOf(const Group& group)
{
    const RunRecord& first = *group.runs.front();
    const plan::StepPlan steps = plan::stepPlan(first.spec, std::max<std::int64_t>(1, first.summary.trainSamples));
    return {group, experiment::trainsLocally(first.spec) ? plan::stepsBetweenSynchronizations(first.spec, steps) : 1,
        estimateOf(&Summary::bytesPerStep, group.runs), estimateOf(&Summary::msPerStepTypical, group.runs),
        estimateOf(&Summary::testAccuracy, group.runs)};
}

bool areComparable(const Synchronized& a, const Synchronized& b)
{
    return a.group.runs.front()->summary.steps == b.group.runs.front()->summary.steps
        && differOnlyIn(a.group, b.group,
            {nameOf(&experiment::RankSettings::strategy), "local.", nameOf(&experiment::AggregationSettings::what),
                nameOf(&experiment::AggregationSettings::every)});
}

std::string_view patternOf(Apart apart)
{
    if (apart == Apart::Unknown) {
        return LS_TR("Findings",
            "%1 synchronizes every %2 steps. Each rank sends %3 per step (%4: %5), a step takes %6 ms (%4: %7 ms). The "
            "test accuracy is %8 (%4: %9). Some of them ran once: add repeats to see how much of this is chance.");
    }
    if (apart == Apart::No) {
        return LS_TR("Findings",
            "%1 synchronizes every %2 steps. Each rank sends %3 per step (%4: %5), a step takes %6 ms (%4: %7 ms). The "
            "test accuracies, %8 and %9, cannot be told apart.");
    }
    return LS_TR("Findings",
        "%1 synchronizes every %2 steps. Each rank sends %3 per step (%4: %5), a step takes %6 ms (%4: %7 ms). The "
        "test accuracies differ: %8 against %9.");
}

Finding findingOf(const Synchronized& local, const Synchronized& often)
{
    const Interval accuracy = differenceOf(local.group, often.group, testAccuracyOf);
    return {.kind = "local.synchronizes",
        .pattern = patternOf(isApart(accuracy)),
        .arguments = {local.group.name, grouped(local.every), bytesText(local.bytes.mean), often.group.name,
            bytesText(often.bytes.mean), local.text(&Summary::msPerStepTypical), often.text(&Summary::msPerStepTypical),
            local.text(&Summary::testAccuracy), often.text(&Summary::testAccuracy)},
        .figures = {{"every_steps", static_cast<double>(local.every)}, {"bytes_per_step", local.bytes.mean},
            {"bytes_ratio", local.bytes.mean / often.bytes.mean}, {"ms_per_step", local.ms.mean},
            {"accuracy", local.accuracy.mean}, {"points", (local.accuracy.mean - often.accuracy.mean) * 100.0},
            {"pairs", static_cast<double>(accuracy.n)}},
        .runs = idsOf({&local.group, &often.group})};
}

} // namespace

std::vector<Finding> localFindings(std::span<const RunRecord> runs)
{
    std::vector<Synchronized> all;
    for (const Group& group : groupsOf(runs)) {
        const RunRecord& first = *group.runs.front();
        if (experiment::hasReplicas(first.spec) && ranksOf(first) > 1
            && first.spec.settings->aggregation.algorithm != experiment::Algorithm::ParameterServerAsync) {
            all.push_back(synchronizedOf(group));
        }
    }
    std::vector<Finding> findings;
    for (const Synchronized& local : all) {
        const Synchronized* often = nullptr;
        for (const Synchronized& each : all) {
            if (each.every < local.every && areComparable(each, local)
                && (often == nullptr || each.every < often->every)) {
                often = &each;
            }
        }
        if (often != nullptr && std::isfinite(local.bytes.mean) && std::isfinite(often->bytes.mean)
            && std::isfinite(local.accuracy.mean) && std::isfinite(often->accuracy.mean)) {
            findings.push_back(findingOf(local, *often));
        }
    }
    return findings;
}

} // namespace lockstep::analysis
