#include "analysis/statistics/run_groups.h"

#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "experiment/variant_name.h"

#include "analysis/numbers.h"
#include "base/translate.h"
#include "plan/grid.h"
#include "plan/net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace lockstep::analysis {

namespace {

/// Not the seed, nor the checkpoint from which a resumed run goes on.
bool isOfVariant(const std::string& setting)
{
    return setting != nameOf(&experiment::TrainSettings::seed)
        && setting != nameOf(&experiment::CheckpointSettings::from);
}

/// What makes two runs repeats of one variant.
experiment::Assignment ofVariant(const RunRecord& run)
{
    experiment::Assignment settings = run.spec.settings;
    std::erase_if(settings, [](const auto& setting) { return !isOfVariant(setting.first); });
    return settings;
}

/// A run that does not know is taken as one on one host.
bool haveSameHosts(const RunRecord& a, const RunRecord& b)
{
    constexpr std::int64_t One = 1;
    return std::max(One, a.summary.hosts) == std::max(One, b.summary.hosts);
}

/// The first setting in which the two differ.
const std::pair<const std::string, experiment::Value>* firstDifference(
    const experiment::Assignment& settings, const experiment::Assignment& others)
{
    const auto found = std::ranges::find_if(settings, [&others](const auto& setting) {
        const auto other = others.find(setting.first);
        return isOfVariant(setting.first) && (other == others.end() || other->second != setting.second);
    });
    return found == settings.end() ? nullptr : &*found;
}

/// Adds to a group's names what differs from another group of the same name: `SGD, learning rate 0.01`, in the key
/// `SGD, optimizer.lr 0.01`. A label, or a name that language::named() has set apart, stays as it is.
void nameApart(Group& group, const Group& other)
{
    const RunRecord& run = *group.runs.front();
    const Text words = settingApart(run, *other.runs.front());
    if (words.empty()) {
        return;
    }
    const auto* setting = firstDifference(run.spec.settings, other.runs.front()->spec.settings);
    group.key
        += ", " + (setting == nullptr ? words.english : setting->first + " " + experiment::toText(setting->second));
    if (run.label.empty() && variantName(run) == variantName(*other.runs.front())) {
        group.name += ", " + words.english;
    }
}

/// Sums and means that differ only in a factor: the same messages.
bool sendTheSame(const Group& a, const Group& b)
{
    const auto isSum = [](const Group& group) {
        return is(
            group.runs.front()->spec, experiment::Rule::Mean, experiment::Rule::WeightedMean, experiment::Rule::Sum);
    };
    return isSum(a) && isSum(b) && differOnlyIn(a, b, {nameOf(&experiment::AggregationSettings::rule)});
}

} // namespace

Text settingApart(const RunRecord& run, const RunRecord& other)
{
    if (const auto* setting = firstDifference(run.spec.settings, other.spec.settings)) {
        return experiment::settingInWords(setting->first, run.spec.settings);
    }
    return haveSameHosts(run, other) ? Text() : Text(LS_TR("VariantTitles", "%1 hosts"), {run.summary.hosts});
}

std::vector<RunId> idsOf(std::initializer_list<const Group*> groups)
{
    std::vector<RunId> all;
    for (const Group* group : groups) {
        std::ranges::copy(group->ids(), std::back_inserter(all));
    }
    return all;
}

int ranksOf(const RunRecord& run)
{
    const bool isScripts = is(run.spec, experiment::Strategy::Own) && run.spec.settings->rank.worldSize == 0;
    if (isScripts && !run.ranks.empty()) {
        return static_cast<int>(run.ranks.size()); // its script made them
    }
    const auto ranks = experiment::worldSizeOf(run.spec);
    return ranks ? *ranks : 1;
}

double delayMsOf(const RunRecord& run, std::int32_t rank)
{
    const experiment::StragglerSettings& straggler = run.spec.settings->straggler;
    const bool isSlow
        = straggler.ranks.empty() || std::ranges::find(straggler.ranks, std::int64_t{rank}) != straggler.ranks.end();
    return isSlow && !run.summary.interference.any() ? straggler.delayMs : 0.0;
}

int ranksOfCall(const RunRecord& run)
{
    return ranksOf(run) / static_cast<int>(run.spec.settings->sweep.groups);
}

bool areRepeats(const RunRecord& a, const RunRecord& b)
{
    const auto isEqual = [](const auto& one, const auto& other) {
        return one.first == other.first && (one.second == other.second || !isOfVariant(one.first));
    };
    return a.spec.name == b.spec.name && haveSameHosts(a, b)
        && std::ranges::equal(a.spec.settings, b.spec.settings, isEqual);
}

bool haveSameData(const RunRecord& a, const RunRecord& b)
{
    const auto dataOf = [](const RunRecord& run) {
        experiment::Assignment settings = run.spec.settings;
        std::erase_if(settings, [](const auto& setting) { return !setting.first.starts_with("dataset."); });
        return settings;
    };
    // What a user's own program trains on, only it knows.
    const auto isOwn = [](const RunRecord& run) { return is(run.spec, experiment::Strategy::Own); };
    return dataOf(a) == dataOf(b) && isOwn(a) == isOwn(b);
}

std::vector<Group> groupsOf(std::span<const RunRecord> runs, SameSeed sameSeed)
{
    std::vector<Group> groups;
    for (const RunRecord& run : runs) {
        const auto found = std::find_if(
            groups.begin(), groups.end(), [&](const Group& group) { return areRepeats(*group.runs.front(), run); });
        if (found != groups.end() && sameSeed == SameSeed::Each) {
            found->runs.push_back(&run);
        } else if (found != groups.end()) {
            addRepeat(found->runs, &run, [](const RunRecord* each) -> const RunRecord& { return *each; });
        } else {
            groups.push_back({variantName(run), {&run}, run.spec.name});
        }
    }
    // Runs with one name but different settings form separate groups, labelled by what differs.
    for (Group& group : groups) {
        for (const Group& other : groups) {
            if (&group != &other && group.runs.front()->spec.name == other.runs.front()->spec.name) {
                nameApart(group, other);
                break;
            }
        }
    }
    return groups;
}

Apart isApart(const Interval& difference)
{
    if (difference.n < 2) {
        return Apart::Unknown;
    }
    return std::abs(difference.mean) > difference.halfWidth ? Apart::Yes : Apart::No;
}

bool hasEachSeedOnce(std::span<const RunRecord* const> runs)
{
    std::set<std::int64_t> seeds;
    return std::ranges::all_of(
        runs, [&seeds](const RunRecord* run) { return seeds.insert(run->spec.settings->train.seed).second; });
}

std::vector<std::pair<const RunRecord*, const RunRecord*>> pairsOfSeeds(
    std::span<const RunRecord* const> a, std::span<const RunRecord* const> b)
{
    if (!hasEachSeedOnce(a) || !hasEachSeedOnce(b)) {
        return {};
    }
    const auto seedOf = [](const RunRecord* run) { return run->spec.settings->train.seed; };
    std::vector<std::pair<const RunRecord*, const RunRecord*>> pairs;
    for (const RunRecord* one : a) {
        if (const auto other = std::ranges::find(b, seedOf(one), seedOf); other != b.end()) {
            pairs.emplace_back(one, *other);
        }
    }
    return pairs.size() == std::min(a.size(), b.size()) ? pairs : decltype(pairs)();
}

PositiveInterval ratioOf(const Interval& logs)
{
    return {std::exp(logs.mean), std::exp(logs.mean - logs.halfWidth), std::exp(logs.mean + logs.halfWidth), logs.n};
}

bool isFarAbove(std::span<const double> others, std::span<const double> first, double usualRange)
{
    constexpr double FarApart = 2.0; // of many variants that are equal, some are a little apart by chance
    return first.size() > 1 && others.size() > 1
        && std::ranges::min(others) - std::ranges::max(first) > FarApart * usualRange;
}

double usualRangeOf(const std::vector<std::vector<double>>& variants)
{
    std::vector<double> ranges;
    for (const std::vector<double>& each : variants) {
        const auto [least, most] = std::ranges::minmax(each);
        ranges.push_back(most - least);
    }
    const auto middle = ranges.begin() + static_cast<std::ptrdiff_t>(ranges.size() / 2);
    std::ranges::nth_element(ranges, middle);
    return *middle;
}

Ranking rankingOf(std::vector<const Group*> order, std::span<const Interval> logsToFirst,
    const std::vector<std::vector<double>>& logs)
{
    Ranking ranking;
    ranking.order = std::move(order);
    if (logsToFirst.empty()) {
        return ranking;
    }
    ranking.tied.push_back(ranking.order.front());
    const double usualRange = usualRangeOf(logs);
    bool isKnown = true;
    bool isFirst = true;
    for (std::size_t i = 0; i < logsToFirst.size(); ++i) {
        const Apart apart = isApart(logsToFirst[i]);
        isKnown = isKnown && apart != Apart::Unknown;
        // Pairs of seeds may say the opposite of the means.
        if (apart == Apart::No || (apart == Apart::Yes && logsToFirst[i].mean < 0.0)) {
            isFirst = false;
            if (!isFarAbove(logs[i + 1], logs[0], usualRange)) {
                ranking.tied.push_back(ranking.order[i + 1]);
            }
        }
    }
    ranking.first = !isKnown ? Apart::Unknown : isFirst ? Apart::Yes : Apart::No;
    ranking.secondToFirst = ratioOf(logsToFirst.front());
    return ranking;
}

bool differOnlyIn(const Group& a, const Group& b, std::initializer_list<std::string_view> names)
{
    const auto others = [&](const Group& group) {
        experiment::Assignment settings = ofVariant(*group.runs.front());
        std::erase_if(settings, [&](const auto& setting) {
            return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
                return setting.first == name || (name.ends_with('.') && setting.first.starts_with(name));
            });
        });
        return settings;
    };
    return others(a) == others(b);
}

double communicateMs(const RunRecord& run)
{
    const double wait = waitMsPerStepOf(run.summary);
    return commMsPerStepOf(run.summary) + (std::isfinite(wait) ? wait : 0.0);
}

std::vector<Group> byMessages(const std::vector<Group>& groups)
{
    std::vector<Group> pooled;
    for (const Group& group : groups) {
        const auto same
            = std::ranges::find_if(pooled, [&group](const Group& each) { return sendTheSame(each, group); });
        if (same == pooled.end()) {
            pooled.push_back(group);
        } else {
            same->name += ", " + group.name;
            same->runs.insert(same->runs.end(), group.runs.begin(), group.runs.end());
        }
    }
    return pooled;
}

bool isDivided(const Group& group)
{
    return plan::dividesModel(group.runs.front()->spec);
}

bool haveSameNet(const RunRecord& a, const RunRecord& b)
{
    if (is(a.spec, experiment::Strategy::Own) || is(b.spec, experiment::Strategy::Own)) {
        return false; // only the program knows its net
    }
    const experiment::Settings& one = *a.spec.settings;
    const experiment::Settings& other = *b.spec.settings;
    return one.net.name == other.net.name && one.optimizer.name == other.optimizer.name
        && one.train.dtype == other.train.dtype && one.train.precision == other.train.precision
        && plan::parametersOf(plan::netUnits(a.spec)) == plan::parametersOf(plan::netUnits(b.spec));
}

bool trainSame(const RunRecord& a, const RunRecord& b)
{
    return haveSameNet(a, b) && experiment::globalBatch(a.spec) == experiment::globalBatch(b.spec);
}

std::string variantName(const RunRecord& run)
{
    return !run.label.empty() ? run.label : run.spec.shown.empty() ? run.spec.name : run.spec.shown;
}

std::string displayName(const RunRecord& run)
{
    const bool isNumbered = run.label.empty() && run.spec.repeat > 0;
    return variantName(run) + (isNumbered ? " #" + std::to_string(run.spec.repeat + 1) : "");
}

std::string withInterval(const Interval& interval)
{
    return withInterval(positiveOf(interval));
}

std::string withInterval(const PositiveInterval& interval)
{
    if (!interval.hasInterval()) {
        return threeDigits(interval.mean);
    }
    const auto text = [half = interval.halfWidth()](double value) { return inDigitsOf(half, value); };
    const std::string low = text(interval.low);
    const std::string high = text(interval.high);
    return text(interval.mean) + (low == high ? std::string() : " [" + low + ", " + high + "]");
}

std::vector<std::vector<RunRecord>> byDataSet(std::span<const RunRecord> runs)
{
    std::vector<std::vector<RunRecord>> sets;
    for (const RunRecord& run : runs) {
        const auto same
            = std::find_if(sets.begin(), sets.end(), [&](const auto& set) { return haveSameData(set.front(), run); });
        if (same == sets.end()) {
            sets.push_back({run});
        } else {
            same->push_back(run);
        }
    }
    return sets;
}

} // namespace lockstep::analysis
