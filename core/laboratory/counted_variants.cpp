#include "laboratory/counted_variants.h"

#include "analysis/answers/standing.h"
#include "analysis/numbers.h"
#include "analysis/study/parameter_study.h"
#include "base/translate.h"

#include <algorithm>
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
    return pair;
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

analysis::Finding comparisonOf(std::string_view kind, const analysis::Figure& figure, const CountedPair& pair,
    const analysis::FigureDifference& difference, Judgement judgement)
{
    const bool isOpen = judgement == Judgement::CannotBeTold;
    const bool isInPoints = difference.isInPoints;
    const std::size_t repeats = std::min(pair.variant.runs.size(), pair.against.runs.size());
    analysis::Finding sentence;
    sentence.kind = kind;
    sentence.pattern = judgement == Judgement::NotMeasured
        ? LS_TR("Findings", "%1 of %2 against %3: there are no finished runs of both yet.")
        : !isOpen && isInPoints      ? LS_TR("Findings", "%1 of %2 against %3: %4 points.")
        : !isOpen                    ? LS_TR("Findings", "%1 of %2 against %3: %4 %.")
        : repeats == 1 && isInPoints ? LS_TR("Findings", "With one repeat: %1 of %2 against %3: %4 points.")
        : repeats == 1               ? LS_TR("Findings", "With one repeat: %1 of %2 against %3: %4 %.")
        : isInPoints                 ? LS_TR("Findings", "With %5 repeats: %1 of %2 against %3: %4 points.")
                                     : LS_TR("Findings", "With %5 repeats: %1 of %2 against %3: %4 %.");
    sentence.arguments = {std::string(figure.label), pair.variant.name, pair.against.name, signedText(difference),
        std::to_string(repeats)};
    sentence.labels = {0};
    sentence.moreRepeats = isOpen ? analysis::moreRepeatsFor(figure, difference) : 0;
    sentence.addRuns(pair.variant.ids());
    sentence.addRuns(pair.against.ids());
    return sentence;
}

std::string signedText(const analysis::FigureDifference& difference)
{
    const analysis::EstimateTexts texts = analysis::differenceTexts(difference);
    std::string text;
    for (const char each : texts.mean + texts.interval()) {
        text += each == '-' ? std::string("−") : std::string(1, each);
    }
    return text;
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
