#include "laboratory/counted_variants.h"

#include "analysis/answers/standing.h"
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

CountedVariant countedVariant(std::span<const analysis::RunRecord> runs, std::string_view name)
{
    std::vector<const analysis::RunRecord*> ofName;
    for (const analysis::RunRecord& run : runs) {
        // Unlike countsInStudy(), with those that measure collectives: a curve may be of them.
        if (run.spec.name == name && run.status == analysis::RunStatus::Finished && !run.summary.interference.any()) {
            ofName.push_back(&run);
        }
    }
    CountedVariant variant{std::string(name), {}};
    if (ofName.empty()) {
        return variant;
    }
    const analysis::RunRecord& newest
        = **std::ranges::max_element(ofName, {}, [](const analysis::RunRecord* run) { return run->createdNs; });
    variant.name = analysis::variantName(newest);
    for (const analysis::RunRecord* run : ofName) {
        if (areRepeats(newest, *run)) {
            addRepeat(
                variant.runs, run, [](const analysis::RunRecord* each) -> const analysis::RunRecord& { return *each; });
        }
    }
    return variant;
}

CountedVariant countedVariant(
    std::span<const analysis::RunRecord> runs, std::string_view name, const analysis::Figure& figure)
{
    CountedVariant variant = countedVariant(runs, name);
    std::erase_if(variant.runs, [&figure](const analysis::RunRecord* run) {
        return !std::isfinite(figure.of(*run)) || experiment::isSweep(run->spec);
    });
    return variant;
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

analysis::Finding comparisonOf(std::string_view kind, const analysis::Figure& figure, const CountedVariant& variant,
    const CountedVariant& against, const analysis::FigureDifference& difference, Judgement judgement)
{
    const bool isOpen = judgement == Judgement::CannotBeTold;
    const std::size_t repeats = std::min(variant.runs.size(), against.runs.size());
    analysis::Finding sentence;
    sentence.kind = kind;
    sentence.pattern = judgement == Judgement::NotMeasured
        ? LS_TR("Findings", "%1 of %2 against %3: there are no finished runs of both yet.")
        : !isOpen      ? LS_TR("Findings", "%1 of %2 against %3 is %4.")
        : repeats == 1 ? LS_TR("Findings", "With one repeat: %1 of %2 against %3 is %4.")
                       : LS_TR("Findings", "With %5 repeats: %1 of %2 against %3 is %4.");
    sentence.arguments = {std::string(figure.label), variant.name, against.name, analysis::differenceText(difference),
        std::to_string(repeats)};
    sentence.labels = {0};
    sentence.moreRepeats = isOpen ? analysis::moreRepeatsFor(figure, difference) : 0;
    sentence.addRuns(variant.ids());
    sentence.addRuns(against.ids());
    return sentence;
}

std::string amountText(const analysis::Figure& figure, double value)
{
    const std::string text = analysis::estimateText(figure, {value, analysis::NotMeasured, analysis::NotMeasured, 1});
    const bool hasUnit = figure.kind == analysis::FigureKind::Share || figure.kind == analysis::FigureKind::Bytes;
    return hasUnit || figure.unit.empty() ? text : text + " " + std::string(figure.unit);
}

} // namespace lockstep::laboratory
