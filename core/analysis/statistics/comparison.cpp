#include "analysis/statistics/comparison.h"

#include "analysis/statistics/run_groups.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace lockstep::analysis {

namespace {

constexpr std::string_view MsPerStep = "ms_per_step";
constexpr std::string_view SamplesPerSecond = "samples_per_s";
constexpr std::string_view PerBlock = "block";
constexpr std::string_view PerSeed = "seed";

bool isAsynchronous(const RunRecord& run)
{
    return is(run.spec, experiment::Algorithm::ParameterServerAsync);
}

/// Samples of a step; the whole set for gd.
std::int64_t stepSamples(const RunRecord& run)
{
    return is(run.spec, experiment::OptimizerName::Gd) ? run.summary.trainSamples : experiment::globalBatch(run.spec);
}

std::string_view figureOf(const RunRecord& a, const RunRecord& b)
{
    return isAsynchronous(a) || isAsynchronous(b) || stepSamples(a) != stepSamples(b) ? SamplesPerSecond : MsPerStep;
}

double valueOf(const MeasuredBlock& block, std::string_view figure)
{
    return figure == MsPerStep ? block.msPerStep : block.samplesPerSecond;
}

double valueOf(const RunRecord& run, std::string_view figure)
{
    return figure == MsPerStep ? msPerStepOf(run.summary) : samplesPerSecondOf(run.summary);
}

using BlockPairs = std::vector<std::pair<const MeasuredBlock*, const MeasuredBlock*>>;

/// Blocks of one number belong to one round only if the rounds follow each other in time: runs of two comparisons have
/// the same numbers.
bool followEachOther(const BlockPairs& rounds)
{
    for (std::size_t i = 1; i < rounds.size(); ++i) {
        const auto& [a, b] = rounds[i - 1];
        const auto& [nextA, nextB] = rounds[i];
        if (std::max(a->endNs, b->endNs) > std::min(nextA->startNs, nextB->startNs)) {
            return false;
        }
    }
    return rounds.size() > 1;
}

/// Of one seed of both; nothing where neither ran in turns nor has a time.
struct Pair {
    double logRatio = 0.0;
    RelativeDifference ofRounds;
};

std::optional<Pair> pairOf(const RunRecord& a, const RunRecord& b, std::string_view figure)
{
    const std::vector<double> rounds = logRatios(a, b, figure);
    Pair pair;
    pair.ofRounds = differenceOfRounds(rounds);
    pair.logRatio
        = rounds.empty() ? std::log(valueOf(b, figure) / valueOf(a, figure)) : std::log1p(pair.ofRounds.difference);
    return std::isfinite(pair.logRatio) ? std::optional(pair) : std::nullopt;
}

std::optional<Comparison> compared(const Group& baseline, const Group& group)
{
    Comparison result;
    result.baseline = baseline.name;
    result.run = group.name;
    result.baselineKey = baseline.key;
    result.runKey = group.key;
    result.figure = figureOf(*baseline.runs.front(), *group.runs.front());
    std::vector<double> logs;
    std::optional<Pair> last;
    for (const RunRecord* a : baseline.runs) {
        const auto seed = a->spec.settings->train.seed;
        const auto b = std::find_if(group.runs.begin(), group.runs.end(),
            [seed](const RunRecord* each) { return each->spec.settings->train.seed == seed; });
        const auto pair = b == group.runs.end() ? std::nullopt : pairOf(*a, **b, result.figure);
        if (pair) {
            logs.push_back(pair->logRatio);
            last = pair;
            result.runs.push_back(a->id);
            result.runs.push_back((*b)->id);
        }
    }
    if (!last) {
        return std::nullopt;
    }
    const bool isOfBlocks = logs.size() == 1 && last->ofRounds.n > 0;
    result.unit = isOfBlocks ? PerBlock : PerSeed;
    result.difference = isOfBlocks ? last->ofRounds : differenceOfSeeds(logs);
    return result;
}

} // namespace

std::vector<double> logRatios(const RunRecord& a, const RunRecord& b, std::string_view figure)
{
    std::map<std::int64_t, const MeasuredBlock*> ofA;
    for (const MeasuredBlock& block : a.blocks) {
        ofA[block.number] = &block;
    }
    BlockPairs rounds;
    for (const MeasuredBlock& block : b.blocks) {
        const auto found = ofA.find(block.number);
        if (found != ofA.end() && !found->second->isLeftOut && !block.isLeftOut) {
            rounds.emplace_back(found->second, &block);
        }
    }
    std::vector<double> ratios;
    if (followEachOther(rounds)) {
        for (const auto& [one, other] : rounds) {
            ratios.push_back(std::log(valueOf(*other, figure) / valueOf(*one, figure)));
        }
    }
    return ratios;
}

std::vector<Comparison> comparisons(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> finished;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(finished),
        [](const RunRecord& run) { return run.status == RunStatus::Finished && !experiment::isSweep(run.spec); });
    const std::vector<Group> groups = groupsOf(finished);
    if (groups.size() < 2) {
        return {};
    }
    std::vector<std::string> names;
    for (const Group& group : groups) {
        names.push_back(group.runs.front()->spec.name);
    }
    const Group& baseline = groups[experiment::baselineOf(names)];
    std::vector<Comparison> result;
    for (const Group& group : groups) {
        if (&group == &baseline) {
            continue;
        }
        if (auto one = compared(baseline, group)) {
            result.push_back(std::move(*one));
        }
    }
    return result;
}

} // namespace lockstep::analysis
