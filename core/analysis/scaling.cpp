#include "analysis/scaling.h"

#include "analysis/estimate.h"
#include "analysis/link_fit.h"
#include "analysis/run_groups.h"
#include "plan/steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::analysis {

namespace {

/// What a target is below the single process's accuracy where none is given.
constexpr double TargetBelowSingle = 0.01;

bool isSingle(const RunRecord& run)
{
    const std::string& strategy = run.spec.text("strategy.name");
    return strategy == "single" || (strategy == "data" && ranksOf(run) == 1);
}

Scaling kindOf(const RunRecord& run)
{
    return run.spec.text("train.batch_of") == "rank" ? Scaling::Weak : Scaling::Strong;
}

/// What stays the same along a curve.
experiment::Assignment settingsAlong(const RunRecord& run)
{
    experiment::Assignment settings = run.spec.settings;
    for (const char* key : {"world_size", "strategy.name", "train.seed"}) {
        settings.erase(key);
    }
    return settings;
}

std::size_t differences(const experiment::Assignment& a, const experiment::Assignment& b)
{
    return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&b](const auto& entry) {
        const auto found = b.find(entry.first);
        return found == b.end() || found->second != entry.second;
    }));
}

/// The first of a curve's settings in which it differs from another.
std::string apartFrom(const experiment::Assignment& mine, const experiment::Assignment& others)
{
    for (const auto& [key, value] : mine) {
        const auto found = others.find(key);
        if (found == others.end() || found->second != value) {
            return key + " " + experiment::toText(value);
        }
    }
    return {};
}

double phaseMs(const RunRecord& run, Phase phase)
{
    return run.ranks.empty() ? NotMeasured : run.ranks.front().phaseMs[static_cast<std::size_t>(phase)];
}

/// Accuracy that every repeat of the single process reached, less a point, in whole percent; or what the spec asks for.
double targetOf(const Group& single)
{
    const double asked = single.runs.front()->spec.real("train.target_accuracy");
    if (asked > 0.0) {
        return asked;
    }
    double reached = 1.0;
    for (const RunRecord* run : single.runs) {
        reached = std::min(reached, run->summary.bestTestAccuracy);
    }
    return std::floor((reached - TargetBelowSingle) * 100.0 + 1e-9) / 100.0;
}

double speedUpOf(const RunRecord& run, const Group& single)
{
    const auto sameSeed = std::find_if(single.runs.begin(), single.runs.end(),
        [&run](const RunRecord* each) { return each->spec.repeat == run.spec.repeat; });
    const double base = sameSeed != single.runs.end()
        ? (*sameSeed)->summary.samplesPerSecond
        : single.mean([](const RunRecord& each) { return each.summary.samplesPerSecond; }).mean;
    return run.summary.samplesPerSecond / base;
}

ScalingPoint pointOf(const Group& group, const Group& single, double target)
{
    const RunRecord& first = *group.runs.front();
    ScalingPoint point;
    point.ranks = ranksOf(first);
    point.runs = group.ids();
    point.msPerStep = group.mean([](const RunRecord& run) { return run.summary.msPerStep; });
    point.samplesPerSecond = group.mean([](const RunRecord& run) { return run.summary.samplesPerSecond; });
    point.speedUp = group.mean([&](const RunRecord& run) { return speedUpOf(run, single); });
    point.efficiency = group.mean([&](const RunRecord& run) { return speedUpOf(run, single) / point.ranks; });
    point.communicateMs = group.mean([](const RunRecord& run) { return run.summary.commMsPerStep; }).mean;
    point.waitMs = group.mean([](const RunRecord& run) { return run.summary.waitMsPerStep; }).mean;
    point.computeMs = point.msPerStep.mean - point.communicateMs - point.waitMs;
    point.secondsToTarget = group.mean([&](const RunRecord& run) { return secondsTo(run, target); });
    point.accuracy = group.mean([](const RunRecord& run) { return run.summary.testAccuracy; });
    point.batch = experiment::globalBatch(first.spec);
    point.steps = first.summary.steps;
    return point;
}

std::optional<ScalingModel> modelOf(const Group& single, const RunRecord& several, const std::optional<LinkFit>& link)
{
    const std::string& algorithm = several.spec.text("aggregation.algorithm");
    if (!link || !algorithmCost(algorithm, 2)) {
        return std::nullopt;
    }
    ScalingModel model;
    model.kind = kindOf(several);
    model.parallelMs
        = single
              .mean([](const RunRecord& run) {
                  return phaseMs(run, Phase::Data) + phaseMs(run, Phase::Forward) + phaseMs(run, Phase::Backward);
              })
              .mean;
    const double stepMs = single.mean([](const RunRecord& run) { return run.summary.msPerStep; }).mean;
    if (!std::isfinite(model.parallelMs) || !(stepMs > 0.0)) {
        return std::nullopt;
    }
    model.serialMs = std::max(0.0, stepMs - model.parallelMs);
    const double elementBytes = several.spec.text("train.dtype") == "float64" ? 8.0 : 4.0;
    model.bytes = static_cast<double>(estimate(several.spec, {}).parameters) * elementBytes;
    if (several.spec.text("aggregation.what") == "weights") {
        const plan::StepPlan steps
            = plan::stepPlan(several.spec, std::max<std::int64_t>(1, several.summary.trainSamples));
        model.stepsPerExchange = static_cast<double>(plan::stepsBetweenAverages(several.spec, steps));
    }
    model.algorithm = algorithm;
    model.link = *link;
    model.threads = static_cast<int>(several.spec.integer("rank.threads"));
    model.cores = static_cast<int>(several.summary.cores);
    return model;
}

} // namespace

double secondsTo(const RunRecord& run, double target)
{
    for (std::size_t i = 0; i < run.accuracy.value.size(); ++i) {
        if (run.accuracy.value[i] >= target) {
            return run.accuracy.seconds[i];
        }
    }
    return NotMeasured;
}

double ScalingModel::communicateMs(int ranks) const
{
    const auto cost = algorithmCost(algorithm, ranks);
    return ranks < 2 || !cost ? 0.0 : cost->seconds(link.link, bytes) * 1e3 / stepsPerExchange;
}

double ScalingModel::stepMs(int ranks, Cores where) const
{
    const bool areShared = where == Cores::AtHand && cores > 0;
    const double share = areShared ? std::max(1.0, static_cast<double>(ranks) * threads / cores) : 1.0;
    const double own = kind == Scaling::Strong ? parallelMs / ranks : parallelMs;
    return (own + serialMs) * share + communicateMs(ranks);
}

double ScalingModel::speedUp(int ranks, Cores where) const
{
    const double ratio = stepMs(1, where) / stepMs(ranks, where);
    return kind == Scaling::Strong ? ratio : ratio * ranks;
}

double ScalingModel::limit() const
{
    return kind == Scaling::Strong && serialMs > 0.0 ? (parallelMs + serialMs) / serialMs
                                                     : std::numeric_limits<double>::infinity();
}

int ScalingModel::bestRanks() const
{
    int best = 1;
    for (int ranks = 2; ranks <= MostPredictedRanks; ranks *= 2) {
        best = speedUp(ranks, Cores::Enough) > speedUp(best, Cores::Enough) ? ranks : best;
    }
    return best;
}

ScalingStudy scalingStudy(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> finished;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(finished),
        [](const RunRecord& run) { return run.status == RunStatus::Finished; });
    const std::vector<Group> groups = groupsOf(finished);
    std::optional<LinkFit> link;
    std::vector<const Group*> singles;
    std::vector<const Group*> several;
    for (const Group& group : groups) {
        if (group.runs.front()->spec.text("strategy.name") != "collectives") {
            (isSingle(*group.runs.front()) ? singles : several).push_back(&group);
        } else if (!link) {
            link = linkOf(group.runs);
        }
    }
    ScalingStudy study;
    if (singles.empty() || several.empty()) {
        return study;
    }
    std::vector<experiment::Assignment> alongs;
    study.target = targetOf(*singles.front());
    for (const Group* group : several) {
        const RunRecord& first = *group->runs.front();
        const experiment::Assignment along = settingsAlong(first);
        const Group& single = **std::min_element(singles.begin(), singles.end(), [&](const Group* a, const Group* b) {
            return differences(along, a->runs.front()->spec.settings)
                < differences(along, b->runs.front()->spec.settings);
        });
        const auto known = std::find(alongs.begin(), alongs.end(), along);
        const auto place = static_cast<std::size_t>(known - alongs.begin());
        if (known == alongs.end()) {
            alongs.push_back(along);
            study.curves.push_back(
                {kindOf(first), {}, {pointOf(single, single, study.target)}, modelOf(single, first, link)});
        }
        study.curves[place].points.push_back(pointOf(*group, single, study.target));
    }
    for (std::size_t i = 0; i < study.curves.size(); ++i) {
        ScalingCurve& curve = study.curves[i];
        std::sort(curve.points.begin(), curve.points.end(),
            [](const ScalingPoint& a, const ScalingPoint& b) { return a.ranks < b.ranks; });
        for (std::size_t j = 0; j < study.curves.size() && curve.apart.empty(); ++j) {
            if (i != j && study.curves[j].kind == curve.kind) {
                curve.apart = apartFrom(alongs[i], alongs[j]);
            }
        }
    }
    return study;
}

} // namespace lockstep::analysis
