#include "laboratory/counted_variants.h"

#include "analysis/answers/standing.h"
#include "analysis/figures/comparison.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/study/parameter_study.h"
#include "analysis/timing/machine_load.h"
#include "base/translate.h"
#include "language/shown_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace lockstep::laboratory {

std::vector<RunId> CountedVariant::ids() const
{
    std::vector<RunId> result;
    std::ranges::transform(runs, std::back_inserter(result), [](const analysis::RunRecord* run) { return run->id; });
    return result;
}

namespace {

using Pointers = std::vector<const analysis::RunRecord*>;

/// Unlike countsInStudy(), with those that measure collectives: a curve may be of them.
Pointers countedRuns(std::span<const analysis::RunRecord> runs, std::string_view name)
{
    Pointers counted;
    for (const analysis::RunRecord& run : runs) {
        if (run.spec.name == name && run.status == analysis::RunStatus::Finished && !run.summary.interference.any()) {
            counted.push_back(&run);
        }
    }
    return counted;
}

/// Those that are repeats of this one.
CountedVariant repeatsOf(const analysis::RunRecord& chosen, const Pointers& runs)
{
    CountedVariant variant{analysis::variantName(chosen), {}};
    for (const analysis::RunRecord* run : runs) {
        if (areRepeats(chosen, *run)) {
            addRepeat(
                variant.runs, run, [](const analysis::RunRecord* each) -> const analysis::RunRecord& { return *each; });
        }
    }
    return variant;
}

/// How many settings the two have in common.
std::size_t alike(const analysis::RunRecord& a, const analysis::RunRecord& b)
{
    const experiment::Assignment& other = b.spec.settings;
    return static_cast<std::size_t>(std::ranges::count_if(a.spec.settings, [&other](const auto& setting) {
        const auto found = other.find(setting.first);
        return found != other.end() && found->second == setting.second;
    }));
}

void leaveOutUnmeasured(CountedVariant& variant, const analysis::Figure& figure)
{
    std::erase_if(variant.runs, [&figure](const analysis::RunRecord* run) {
        return !std::isfinite(figure.of(*run)) || experiment::isSweep(run->spec);
    });
}

/// Whether a person cannot say from the two names in what this one is not the other.
bool needsMore(const std::string& name, const std::string& other)
{
    return other == name || other.starts_with(name + ",") || other.starts_with(name + "，");
}

void setApart(CountedVariant& variant, CountedVariant& against)
{
    if (variant.runs.empty() || against.runs.empty()) {
        return;
    }
    const auto apart = [](const CountedVariant& one, const CountedVariant& other) {
        const Text more = analysis::settingApart(*one.runs.front(), *other.runs.front());
        return !needsMore(one.name, other.name) || more.empty()
            ? one.name
            : language::inWords({LS_TR("VariantTitles", "%1, %2"), {verbatim(one.name), more}});
    };
    const std::string name = apart(variant, against);
    against.name = apart(against, variant);
    variant.name = name;
}

/// Whether other work on the machine changes it: times, throughputs, and shares of times. Not how long ranks waited for
/// a core, which says so.
bool isOfTime(const analysis::Figure& figure)
{
    constexpr std::array<std::string_view, 7> Shares{"comm_fraction", "comm_fraction_typical", "comms_with_wait",
        "comms_with_wait_typical", "overlap_fraction", "critical_share", "bubble_fraction"};
    return figure.unit == "ms" || figure.unit == "s" || figure.name.starts_with("samples_per_s")
        || std::ranges::find(Shares, figure.name) != Shares.end();
}

std::vector<analysis::Group> groupsFor(std::span<const CountedVariant> variants)
{
    std::vector<analysis::Group> groups;
    std::ranges::transform(variants, std::back_inserter(groups), [](const CountedVariant& each) {
        return analysis::Group{each.name, each.runs};
    });
    std::erase_if(groups, [](const analysis::Group& each) { return each.runs.empty(); });
    return groups;
}

/// `%1` is the label, `%2` the names.
analysis::Finding doubt(std::string_view kind, std::string_view pattern, std::string_view label,
    const std::vector<analysis::Group>& groups, const std::vector<std::string>& names)
{
    analysis::Finding finding{.kind = kind, .pattern = pattern};
    finding.arguments = {std::string(label), analysis::fewOf(names)};
    finding.labels = {0};
    for (const analysis::Group& group : groups) {
        finding.addRuns(group.ids());
    }
    return finding;
}

/// The names of those for which `is` holds.
template <typename Is>
std::vector<std::string> namesWhere(const std::vector<analysis::Group>& groups, Is is)
{
    std::vector<std::string> names;
    for (const analysis::Group& group : groups) {
        if (is(group)) {
            names.push_back(group.name);
        }
    }
    return names;
}

/// More ranks gain at most the cores that they add. Fewer are often faster, as where ranks sleep or share cores.
bool isTooFast(const analysis::Figure& figure, const analysis::Group& fewer, const analysis::Group& group)
{
    return ranksOf(*fewer.runs.front()) < ranksOf(*group.runs.front()) && isFasterThanCoresAllow(figure, fewer, group);
}

} // namespace

CountedVariant countedVariant(std::span<const analysis::RunRecord> runs, std::string_view name, Settings which)
{
    const Pointers counted = countedRuns(runs, name);
    if (counted.empty()) {
        return {std::string(name), {}};
    }
    const auto [oldest, newest] = std::ranges::minmax_element(counted, {}, &analysis::RunRecord::createdNs);
    return repeatsOf(which == Settings::First ? **oldest : **newest, counted);
}

CountedVariant countedVariant(
    std::span<const analysis::RunRecord> runs, std::string_view name, const analysis::Figure& figure, Settings which)
{
    CountedVariant variant = countedVariant(runs, name, which);
    leaveOutUnmeasured(variant, figure);
    return variant;
}

CountedPair countedPair(std::span<const analysis::RunRecord> runs, std::string_view variant, std::string_view against,
    const analysis::Figure& figure, Settings which)
{
    CountedPair pair{countedVariant(runs, variant, which), countedVariant(runs, against, which), 0};
    const Pointers others = countedRuns(runs, against);
    if (!pair.variant.runs.empty() && !others.empty()) {
        const analysis::RunRecord& first = *pair.variant.runs.front();
        const auto closeness = [&](const analysis::RunRecord* run) {
            return std::pair(alike(first, *run), which == Settings::First ? -run->createdNs : run->createdNs);
        };
        pair.against = repeatsOf(**std::ranges::max_element(others, {}, closeness), others);
    }
    for (const auto& [each, all] : {std::pair(&pair.variant, countedRuns(runs, variant)), {&pair.against, others}}) {
        pair.others += static_cast<std::size_t>(std::ranges::count_if(all, [&each](const analysis::RunRecord* run) {
            return !each->runs.empty() && !areRepeats(*each->runs.front(), *run);
        }));
        leaveOutUnmeasured(*each, figure);
    }
    setApart(pair.variant, pair.against);
    return pair;
}

std::pair<std::string, std::string> namesApart(
    const experiment::Spec& spec, std::string_view variant, std::string_view against)
{
    const auto all = experiment::expand(spec);
    const auto madeOf = [&all](std::string_view name) {
        analysis::RunRecord record;
        record.spec.name = name;
        if (all) {
            const auto found = std::ranges::find(*all, name, &experiment::RunSpec::name);
            record.spec = found == all->end() ? record.spec : *found;
        }
        return record;
    };
    const std::array runs{madeOf(variant), madeOf(against)};
    CountedVariant one{language::shownName(runs[0].spec), {&runs[0]}};
    CountedVariant other{language::shownName(runs[1].spec), {&runs[1]}};
    setApart(one, other);
    return {one.name, other.name};
}

std::vector<analysis::RunRecord> runsOfStep(
    std::span<const analysis::RunRecord> runs, const WorkState& state, std::string_view step)
{
    const std::vector<RunId> ids = state.runsOf(step);
    std::vector<analysis::RunRecord> found;
    std::ranges::copy_if(runs, std::back_inserter(found),
        [&ids](const analysis::RunRecord& run) { return std::ranges::find(ids, run.id) != ids.end(); });
    return found;
}

std::optional<analysis::Finding> busyDoubt(
    std::string_view kind, std::string_view label, std::span<const CountedVariant> variants)
{
    const std::vector<analysis::Group> groups = groupsFor(variants);
    const auto busy = namesWhere(groups, [](const analysis::Group& group) {
        return group.mean(analysis::inSummary<&analysis::Summary::delayByOthers>).mean >= analysis::BusyMachine;
    });
    return busy.empty()
        ? std::nullopt
        : std::optional(doubt(kind,
            LS_TR("Findings",
                "The machine was busy with other work: do not trust %1 of %2. Measure again on a quiet machine."),
            label, groups, busy));
}

std::optional<analysis::Finding> doubtOf(
    std::string_view kind, const analysis::Figure& figure, std::span<const CountedVariant> variants)
{
    if (!isOfTime(figure)) {
        return std::nullopt;
    }
    if (auto busy = busyDoubt(kind, figure.label, variants)) {
        return busy;
    }
    const std::vector<analysis::Group> groups = groupsFor(variants);
    const auto tooFast = namesWhere(groups, [&](const analysis::Group& group) {
        return std::ranges::any_of(
            groups, [&](const analysis::Group& other) { return isTooFast(figure, other, group); });
    });
    if (!tooFast.empty()) {
        return doubt(kind,
            LS_TR("Findings",
                "%2 came out faster than the cores allow: do not trust %1. Measure again on a quiet machine."),
            figure.label, groups, tooFast);
    }
    const auto isCrowded = [](const analysis::Group& group) { return sharesCores(*group.runs.front()); };
    const auto crowded = namesWhere(groups, isCrowded);
    if (figure.name != "bubble_fraction" || crowded.empty()) {
        return std::nullopt;
    }
    const analysis::RunRecord& run = *std::ranges::find_if(groups, isCrowded)->runs.front();
    analysis::Finding shared = doubt(kind,
        LS_TR("Findings",
            "%1 of %2 counts waiting for a core, too: %3 ranks share %4 cores. Measure with no more ranks than "
            "cores."),
        figure.label, groups, crowded);
    shared.arguments.push_back(std::to_string(ranksOf(run)));
    shared.arguments.push_back(std::to_string(run.summary.cores));
    return shared;
}

DifferenceWords differenceWords(const analysis::Figure& figure, const analysis::FigureDifference& difference)
{
    if (difference.isInPoints) {
        const analysis::EstimateTexts texts = analysis::differenceTexts(difference);
        std::string amount;
        for (const char each : texts.mean + texts.interval()) {
            amount += each == '-' ? std::string("−") : std::string(1, each);
        }
        return {LS_TR("Findings", "%1 of %2 against %3: %4 points (n = %5)."), amount};
    }
    const bool isLess = difference.difference < 0.0;
    const analysis::FigureDifference above = isLess ? difference.inverse() : difference;
    const bool isStep = figure.name.starts_with("ms_per_step");
    return {isStep && isLess ? LS_TR("Findings", "%1: %2 is %4 times as fast as %3 (n = %5).")
            : isStep         ? LS_TR("Findings", "%1: %2 takes %4 times as long as %3 (n = %5).")
                             : LS_TR("Findings", "%1 of %2 is %4 times that of %3 (n = %5)."),
        ratioText(above), isLess && !isStep};
}

analysis::Finding comparisonOf(std::string_view kind, const analysis::Figure& figure, const CountedPair& pair,
    const analysis::FigureDifference& difference, Judgement judgement)
{
    const DifferenceWords words = differenceWords(figure, difference);
    const std::size_t repeats = std::min(pair.variant.runs.size(), pair.against.runs.size());
    analysis::Finding sentence;
    sentence.kind = kind;
    sentence.pattern = judgement == Judgement::NotMeasured
        ? LS_TR("Findings", "%1 of %2 against %3: there are no finished runs of both yet.")
        : words.pattern;
    sentence.arguments = {std::string(figure.label), words.isSwapped ? pair.against.name : pair.variant.name,
        words.isSwapped ? pair.variant.name : pair.against.name, words.amount, std::to_string(repeats)};
    sentence.labels = {0};
    sentence.moreRepeats = judgement == Judgement::CannotBeTold ? analysis::moreRepeatsFor(figure, difference) : 0;
    sentence.addRuns(pair.variant.ids());
    sentence.addRuns(pair.against.ids());
    return sentence;
}

std::string amountText(const analysis::Figure& figure, double value)
{
    const std::string text = analysis::estimateText(figure, {value, analysis::NotMeasured, analysis::NotMeasured, 1});
    const bool hasUnit = figure.kind == analysis::FigureKind::Share || figure.kind == analysis::FigureKind::Bytes;
    return hasUnit || figure.unit.empty() ? text : text + " " + std::string(figure.unit);
}

std::string numberText(const Reference& of, double value)
{
    const analysis::Figure* figure = analysis::findFigure(of.figure);
    return figure == nullptr || statisticOf(of) != Statistic::Mean ? analysis::threeDigits(value)
                                                                   : amountText(*figure, value / figure->scale);
}

} // namespace lockstep::laboratory
