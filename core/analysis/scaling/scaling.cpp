#include "analysis/scaling/scaling.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/scaling/estimate.h"
#include "analysis/scaling/scaling_links.h"
#include "analysis/statistics/run_groups.h"
#include "experiment/choices.h"
#include "plan/local_sgd.h"
#include "plan/memory.h"
#include "plan/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep::analysis {

namespace {

/// Differences of speed-ups by less, relative to what is expected, are not named: neither a prediction nor what the
/// cores can explain is exact.
constexpr double SmallRatio = 0.1;

/// How far the default target is below the single process's accuracy.
constexpr double TargetBelowSingle = 0.01;

bool isSingle(const RunRecord& run)
{
    const auto strategy = experiment::choice<experiment::Strategy>(run.spec);
    return strategy == experiment::Strategy::Single || (experiment::hasReplicas(run.spec) && ranksOf(run) == 1);
}

Scaling kindOf(const RunRecord& run)
{
    return experiment::isBatchOfEachRank(run.spec) ? Scaling::Weak : Scaling::Strong;
}

/// Whether a setting may differ along a curve: it says how many ranks there are, or does not affect speed.
bool differsAlong(std::string_view key)
{
    static const std::array<std::string_view, 5> Keys{nameOf(&experiment::RankSettings::worldSize),
        nameOf(&experiment::RankSettings::strategy), nameOf(&experiment::TrainSettings::seed),
        nameOf(&experiment::TrainSettings::targetAccuracy), nameOf(&experiment::TrainSettings::logEvery)};
    return std::find(Keys.begin(), Keys.end(), key) != Keys.end() || key.starts_with("checkpoint.");
}

/// The settings that are equal along a curve.
experiment::Assignment settingsAlong(const RunRecord& run)
{
    experiment::Assignment settings = run.spec.settings;
    std::erase_if(settings, [](const auto& entry) { return differsAlong(entry.first); });
    return settings;
}

/// Whether both have the settings of one curve. Where every rank has its own batch, what adapts training to the larger
/// global batch may differ, too.
bool areAlong(const RunRecord& single, const RunRecord& other)
{
    static const std::array<std::string_view, 3> OfLargeBatches{nameOf(&experiment::TrainSettings::batchOf),
        nameOf(&experiment::OptimizerSettings::scaleLr), nameOf(&experiment::OptimizerSettings::warmup)};
    const bool isWeak = kindOf(other) == Scaling::Weak;
    const auto& expected = single.spec.settings;
    auto found = expected.begin(); // both are in the order of their keys
    for (const auto& [key, value] : other.spec.settings) {
        if (differsAlong(key)
            || (isWeak && std::find(OfLargeBatches.begin(), OfLargeBatches.end(), key) != OfLargeBatches.end())) {
            continue;
        }
        while (found != expected.end() && found->first < key) {
            ++found;
        }
        const bool isEqual = found != expected.end() && found->first == key && found->second == value;
        // A single process has no link to emulate.
        if (!isEqual && !key.starts_with("link.")) {
            return false;
        }
    }
    return true;
}

std::size_t differences(const experiment::Assignment& a, const experiment::Assignment& b)
{
    return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&b](const auto& entry) {
        const auto found = b.find(entry.first);
        return found == b.end() || found->second != entry.second;
    }));
}

/// What is equal along a curve.
struct Along {
    experiment::Assignment settings;
    int ranksPerHost = 0;

    bool operator==(const Along&) const = default;
};

/// What of it is not the same in all the others.
std::string apartFrom(const Along& mine, const std::vector<const Along*>& others)
{
    std::string text;
    const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    for (const auto& [key, value] : mine.settings) {
        const bool differs
            = std::any_of(others.begin(), others.end(), [&, &key = key, &value = value](const Along* each) {
                  const auto found = each->settings.find(key);
                  return found == each->settings.end() || found->second != value;
              });
        if (differs) {
            add(key + " " + experiment::toText(value));
        }
    }
    const bool isApart = std::any_of(
        others.begin(), others.end(), [&](const Along* each) { return each->ranksPerHost != mine.ranksPerHost; });
    if (isApart) {
        add(mine.ranksPerHost == 0 ? "one host" : "ranks per host " + std::to_string(mine.ranksPerHost));
    }
    return text;
}

double phaseMs(const RunRecord& run, Phase phase)
{
    return run.ranks.empty() ? NotMeasured : phaseMsOf(run.ranks.front())[static_cast<std::size_t>(phase)];
}

/// Accuracy that every repeat of the single process reached, less a point, in whole percent; or what the spec asks for.
double targetOf(const Group& single)
{
    const double asked = single.runs.front()->spec.settings->train.targetAccuracy;
    if (asked > 0.0) {
        return asked;
    }
    double reached = single.runs.front()->summary.bestTestAccuracy;
    for (const RunRecord* run : single.runs) {
        reached = run->summary.bestTestAccuracy < reached ? run->summary.bestTestAccuracy : reached;
    }
    return std::floor((reached - TargetBelowSingle) * 100.0 + 1e-9) / 100.0;
}

/// The single process of the same seed, of several the one nearest in time; null where there is none.
const RunRecord* partnerOf(const RunRecord& run, const Group& single)
{
    const RunRecord* nearest = nullptr;
    const auto apart = [&run](const RunRecord* each) { return std::abs(each->createdNs - run.createdNs); };
    for (const RunRecord* each : single.runs) {
        const bool hasSeed = each->spec.settings->train.seed == run.spec.settings->train.seed;
        if (hasSeed && (nearest == nullptr || apart(each) < apart(nearest))) {
            nearest = each;
        }
    }
    return nearest;
}

double speedUpOf(const RunRecord& run, const Group& single)
{
    if (std::find(single.runs.begin(), single.runs.end(), &run) != single.runs.end()) {
        return 1.0;
    }
    const RunRecord* partner = partnerOf(run, single);
    const double base = partner != nullptr ? samplesPerSecondOf(partner->summary)
                                           : estimateOf(&Summary::samplesPerSecondTypical, single.runs).mean;
    return samplesPerSecondOf(run.summary) / base;
}

/// Samples of a step over all ranks.
std::int64_t batchOf(const RunRecord& run)
{
    return is(run.spec, experiment::OptimizerName::Gd) ? run.summary.trainSamples : experiment::globalBatch(run.spec);
}

/// A seed that ran twice is measured twice, but learned the same.
Group oneOfEachSeed(const Group& group)
{
    Group result{group.name, {}, group.key};
    for (const RunRecord* run : group.runs) {
        addRepeat(result.runs, run, [](const RunRecord* each) -> const RunRecord& { return *each; });
    }
    return result;
}

/// ScalingPoint::mostSpeedUp.
double mostSpeedUpOf(const RunRecord& run, const RunRecord& single)
{
    const double ranks = ranksOf(run);
    if (run.summary.cores <= 0 || single.summary.cores <= 0 || processorOf(run) == Processor::Gpu) {
        return ranks;
    }
    const auto usedBy = [](double processes, const RunRecord& of) {
        return std::min(
            processes * static_cast<double>(of.spec.settings->rank.threads), static_cast<double>(of.summary.cores));
    };
    return usedBy(ranks, run) / usedBy(1.0, single);
}

/// The geometric mean, as everywhere else; the half-width as positiveOf() takes it.
Interval meanRatio(const Interval& logs)
{
    return {std::exp(logs.mean), std::exp(logs.mean) * logs.halfWidth, logs.n};
}

ScalingPoint pointOf(const Group& group, const Group& single, double target)
{
    const RunRecord& first = *group.runs.front();
    ScalingPoint point;
    point.ranks = ranksOf(first);
    point.runs = group.ids();
    point.msPerStep = estimateOf(&Summary::msPerStepTypical, group.runs);
    point.samplesPerSecond = estimateOf(&Summary::samplesPerSecondTypical, group.runs);
    point.speedUp = meanRatio(group.mean([&](const RunRecord& run) { return std::log(speedUpOf(run, single)); }));
    point.efficiency = {point.speedUp.mean / point.ranks, point.speedUp.halfWidth / point.ranks, point.speedUp.n};
    point.communicateMs = estimateOf(&Summary::commMsPerStepTypical, group.runs).mean;
    point.waitMs = estimateOf(&Summary::waitMsPerStepTypical, group.runs).mean;
    point.computeMs = point.msPerStep.mean - point.communicateMs - (std::isfinite(point.waitMs) ? point.waitMs : 0.0);
    point.secondsToTarget = group.mean([&](const RunRecord& run) { return secondsTo(run, target); });
    point.accuracy = estimateOf(&Summary::testAccuracy, oneOfEachSeed(group).runs);
    point.batch = batchOf(first);
    point.steps = first.summary.steps;
    point.mostSpeedUp = mostSpeedUpOf(first, *single.runs.front());
    return point;
}

std::optional<ScalingModel> modelOf(const Group& single, const RunRecord& several, LinksOfRun measured)
{
    const std::string algorithm(nameOf(several.spec.settings->aggregation.algorithm));
    if (!determinesModel(measured, several)) {
        return std::nullopt;
    }
    ScalingModel model;
    model.ranksPerHost = ranksPerHostOf(several);
    model.between = std::move(measured.between);
    model.kind = kindOf(several);
    model.parallelMs
        = single
              .mean([](const RunRecord& run) {
                  return phaseMs(run, Phase::Data) + phaseMs(run, Phase::Forward) + phaseMs(run, Phase::Backward);
              })
              .mean;
    const double stepMs = estimateOf(&Summary::msPerStepTypical, single.runs).mean;
    if (!std::isfinite(model.parallelMs) || !(stepMs > 0.0)) {
        return std::nullopt;
    }
    model.serialMs = std::max(0.0, stepMs - model.parallelMs);
    const std::int64_t parameters = estimate(several.spec, {}, Processor::Unknown).parameters;
    model.bytes = static_cast<double>(parameters * plan::numberBytes(several.spec));
    if (experiment::trainsLocally(several.spec)) {
        const plan::StepPlan steps
            = plan::stepPlan(several.spec, std::max<std::int64_t>(1, several.summary.trainSamples));
        model.stepsPerExchange = static_cast<double>(plan::stepsBetweenSynchronizations(several.spec, steps));
    }
    model.algorithm = algorithm;
    model.links = std::move(measured.links);
    model.reach = measured.reach;
    model.areArraysShared = measured.areArraysShared;
    const std::int64_t most = model.kind == Scaling::Strong
        ? batchOf(several)
        : several.summary.trainSamples / std::max<std::int64_t>(1, several.spec.settings->train.batch);
    model.mostRanks = static_cast<int>(std::clamp<std::int64_t>(most, 1, MostPredictedRanks));
    model.threads = static_cast<int>(several.spec.settings->rank.threads);
    const std::int64_t hosts = model.ranksPerHost > 0 ? several.summary.hosts : 1;
    model.cores = static_cast<int>(several.summary.cores / hosts);
    return model;
}

/// A run resumed from a checkpoint has only the last part of its time.
std::vector<RunRecord> comparable(std::span<const RunRecord> runs, Interfered which)
{
    std::vector<RunRecord> finished;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(finished), [which](const RunRecord& run) {
        return (which != Interfered::LeaveOut || !run.summary.interference.any()) && run.status == RunStatus::Finished
            && run.spec.settings->checkpoint.from.empty();
    });
    return finished;
}

} // namespace

Scales scalesOf(std::span<const RunRecord* const> runs)
{
    std::vector<const RunRecord*> alone;
    std::vector<const RunRecord*> several;
    for (const RunRecord* run : runs) {
        if (experiment::isSweep(run->spec)) {
            continue; // measures the link of a prediction
        }
        if (isSingle(*run)) {
            alone.push_back(run);
        } else if (experiment::hasReplicas(run->spec)) {
            several.push_back(run);
        } else {
            return Scales::None;
        }
    }
    if (several.empty()) {
        return Scales::None; // most often: comparing all with each other would take long
    }
    const bool isAny = std::any_of(several.begin(), several.end(), [&alone](const RunRecord* run) {
        return std::any_of(
            alone.begin(), alone.end(), [run](const RunRecord* single) { return areAlong(*single, *run); });
    });
    if (!isAny) {
        return Scales::None;
    }
    const bool isOneSetting = std::all_of(
        alone.begin(), alone.end(), [&alone](const RunRecord* run) { return areAlong(*alone.front(), *run); });
    const bool isOneExperiment = std::all_of(runs.begin(), runs.end(),
        [&](const RunRecord* run) { return run->spec.experiment == runs.front()->spec.experiment; });
    return isOneExperiment && isOneSetting ? Scales::Only : Scales::Some;
}

std::map<std::string, Scales> scalesByExperiment(std::span<const RunRecord> runs)
{
    std::map<std::string, std::vector<const RunRecord*>> experiments;
    for (const RunRecord& run : runs) {
        experiments[run.spec.experiment].push_back(&run);
    }
    std::map<std::string, Scales> scales;
    for (const auto& [name, each] : experiments) {
        scales[name] = scalesOf(each);
    }
    return scales;
}

double secondsTo(const RunRecord& run, double target)
{
    for (std::size_t i = 0; i < run.accuracy.value.size(); ++i) {
        if (run.accuracy.value[i] >= target) {
            const double typical = static_cast<double>(run.accuracy.step[i]) * msPerStepOf(run.summary) / 1e3;
            return std::isfinite(typical) ? typical : run.accuracy.seconds[i];
        }
    }
    return NotMeasured;
}

bool ScalingPoint::isUnexplained() const
{
    const PositiveInterval interval = positiveOf(speedUp);
    return std::isfinite(interval.low) ? interval.low > mostSpeedUp : speedUp.mean > mostSpeedUp * (1.0 + SmallRatio);
}

Agreement agreementOf(double predicted, const Interval& measured)
{
    const PositiveInterval interval = positiveOf(measured);
    if (interval.low >= predicted * (1.0 - SmallRatio) && interval.high <= predicted * (1.0 + SmallRatio)) {
        return Agreement::Agrees;
    }
    return interval.high < predicted ? Agreement::TooOptimistic
        : interval.low > predicted   ? Agreement::TooPessimistic
                                     : Agreement::Unknown;
}

const MeasuredLink& ScalingModel::linkOf(int ranks, Cores where) const
{
    const auto isCrowded
        = [&](const MeasuredLink& link) { return where == Cores::Enough && cores > 0 && link.ranks > cores; };
    const MeasuredLink* chosen = &links.front();
    for (const MeasuredLink& link : links) {
        chosen = link.ranks <= ranks && !isCrowded(link) ? &link : chosen;
    }
    return *chosen;
}

const MeasuredLink& ScalingModel::linkBetween(int hosts) const
{
    const MeasuredLink* chosen = &between.front();
    for (const MeasuredLink& link : between) {
        chosen = link.ranks <= hosts ? &link : chosen;
    }
    return *chosen;
}

int ScalingModel::ranksOnAHost(int ranks) const
{
    return ranksPerHost == 0 ? ranks : std::min(ranks, ranksPerHost);
}

int ScalingModel::hostsOf(int ranks) const
{
    const int onOne = ranksOnAHost(ranks);
    return (ranks + onOne - 1) / onOne;
}

double ScalingModel::communicateMs(int ranks, Cores where) const
{
    const int inside = ranksOnAHost(ranks);
    double seconds = 0.0;
    if (inside > 1) {
        seconds += algorithmSeconds(algorithm, inside, linkOf(inside, where).fit.link, bytes).value_or(0.0);
    }
    if (const int hosts = hostsOf(ranks); hosts > 1) {
        seconds += algorithmSeconds(algorithm, hosts, linkBetween(hosts).fit.link, bytes).value_or(0.0);
    }
    return seconds * 1e3 / stepsPerExchange;
}

double ScalingModel::stepMs(int ranks, Cores where) const
{
    const bool areShared = where == Cores::AtHand && cores > 0;
    const double share = areShared ? std::max(1.0, static_cast<double>(ranksOnAHost(ranks)) * threads / cores) : 1.0;
    const double own = kind == Scaling::Strong ? parallelMs / ranks : parallelMs;
    return (own + serialMs) * share + communicateMs(ranks, where);
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

int ScalingModel::bestRanks(Cores where) const
{
    int best = 1;
    for (int ranks = 2; ranks <= mostRanks; ranks *= 2) {
        best = speedUp(ranks, where) > speedUp(best, where) ? ranks : best;
    }
    return best;
}

ScalingStudy scalingStudy(std::span<const RunRecord> runs, Interfered which)
{
    const std::vector<RunRecord> finished = comparable(runs, which);
    // Each run is compared with the single process measured nearest in time.
    const std::vector<Group> groups = groupsOf(finished, SameSeed::Each);
    std::vector<const Group*> sweeps;
    std::vector<const Group*> singles;
    std::vector<const Group*> several;
    for (const Group& group : groups) {
        const RunRecord& first = *group.runs.front();
        if (experiment::isSweep(first.spec)) {
            sweeps.push_back(&group);
        } else if (isSingle(first)) {
            singles.push_back(&group);
        } else if (experiment::hasReplicas(first.spec)) {
            several.push_back(&group);
        }
    }
    ScalingStudy study;
    if (singles.empty()) {
        return study;
    }
    std::vector<Along> alongs;
    for (const Group* group : several) {
        const RunRecord& first = *group->runs.front();
        const Along along{settingsAlong(first), ranksPerHostOf(first)};
        const Group& single = **std::min_element(singles.begin(), singles.end(), [&](const Group* a, const Group* b) {
            return differences(along.settings, a->runs.front()->spec.settings)
                < differences(along.settings, b->runs.front()->spec.settings);
        });
        const auto known = std::find(alongs.begin(), alongs.end(), along);
        const auto place = static_cast<std::size_t>(known - alongs.begin());
        const double target = targetOf(single);
        if (known == alongs.end()) {
            alongs.push_back(along);
            study.curves.push_back({kindOf(first), {}, {pointOf(single, single, target)},
                modelOf(single, first, linksOf(first, sweeps)), target});
        }
        study.curves[place].points.push_back(pointOf(*group, single, target));
    }
    for (std::size_t i = 0; i < study.curves.size(); ++i) {
        ScalingCurve& curve = study.curves[i];
        std::sort(curve.points.begin(), curve.points.end(),
            [](const ScalingPoint& a, const ScalingPoint& b) { return a.ranks < b.ranks; });
        std::vector<const Along*> others;
        for (std::size_t j = 0; j < study.curves.size(); ++j) {
            if (i != j && study.curves[j].kind == curve.kind) {
                others.push_back(&alongs[j]);
            }
        }
        curve.apart = apartFrom(alongs[i], others);
        curve.refute();
    }
    return study;
}

} // namespace lockstep::analysis
