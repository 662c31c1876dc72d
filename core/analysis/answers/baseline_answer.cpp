#include "analysis/answers/answer_parts.h"
#include "analysis/numbers.h"
#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::analysis {

namespace {

/// Of more the two furthest apart are named.
constexpr std::size_t MostDifferencesNamed = 3;

struct Against {
    const Group* group = nullptr;
    FigureDifference difference;
};

/// `8 ranks × 6.48 [6.15, 6.82]`, `Adam × 1/70 [1/75, 1/66]`: the multiple that tables have, too. Points with their
/// sign.
std::string namedDifference(const Against& each)
{
    if (!each.difference.isInPoints) {
        return each.group->name + " × "
            + timesText(1.0 + each.difference.difference, 1.0 + each.difference.low, 1.0 + each.difference.high);
    }
    const EstimateTexts texts = differenceTexts(each.difference); // the pattern says that they are points
    return each.group->name + ": " + texts.mean + texts.interval();
}

/// Of `others` variants beside the baseline; of one its name and what both have.
void sayNone(Finding& finding, bool areClose, std::size_t others, const Figure& figure, const Group& baseline,
    const Group& other)
{
    finding.kind = areClose ? "answer.close" : "answer.unknown";
    if (others == 1) {
        finding.pattern = areClose ? LS_TR("Findings", "%1: no difference worth naming between %2 (%3) and %4 (%5).")
                                   : LS_TR("Findings", "%1: whether %2 (%3) and %4 (%5) differ cannot be told.");
        for (const std::string& argument : {valueText(figure, estimateOf(figure, baseline.runs).mean), other.name,
                 valueText(figure, estimateOf(figure, other.runs).mean)}) {
            finding.arguments.push_back(argument);
        }
        return;
    }
    finding.pattern = areClose
        ? LS_TR("Findings", "%1 against %2: no difference worth naming in any of the %3 other variants.")
        : LS_TR("Findings", "%1 against %2: a difference cannot be told in any of the %3 other variants.");
    finding.arguments.push_back(std::to_string(others));
}

/// Of multiples and of differences in points, with no other variants, with close ones, with others.
struct ApartPatterns {
    std::string_view multiples;
    std::string_view points;
};

constexpr ApartPatterns Alone{
    LS_TR("Findings", "%1 against %2: %3."), LS_TR("Findings", "%1 against %2, in points: %3.")};
constexpr ApartPatterns BesideClose{
    LS_TR("Findings", "%1 against %2: %3. The others do not differ by an amount worth naming."),
    LS_TR("Findings", "%1 against %2, in points: %3. The others do not differ by an amount worth naming.")};
constexpr ApartPatterns BesideOthers{
    LS_TR("Findings", "%1 against %2: %3. For the others no difference worth naming can be told."),
    LS_TR("Findings", "%1 against %2, in points: %3. For the others no difference worth naming can be told.")};
/// Of many on one side.
constexpr ApartPatterns Many{
    LS_TR("Findings", "%1 against %2: %5 of the %6 others differ by an amount worth naming, from %3 to %4."),
    LS_TR("Findings",
        "%1 against %2, in points: %5 of the %6 others differ by an amount worth naming. They range from %3 to %4.")};
/// Of many some are above the baseline, some below.
constexpr ApartPatterns ToBothSides{
    LS_TR("Findings",
        "%1 against %2 is higher in some (%3), lower in others (%4). Of the %6 others %5 differ by an amount worth "
        "naming."),
    LS_TR("Findings",
        "%1 against %2, in points, is higher in some (%3), lower in others (%4). Of the %6 others %5 differ by an "
        "amount worth naming.")};

/// Of those above the baseline, or of those below it.
std::string namedSide(const std::vector<Against>& apart, bool isAbove)
{
    std::vector<ValueAndText> named;
    for (const Against& each : apart) {
        if (isAbove == (each.difference.difference > 0.0)) {
            named.emplace_back(each.difference.difference, namedDifference(each));
        }
    }
    return endsOf(std::move(named));
}

/// `apart`: from the lowest to the highest; `others`: the variants beside these, of which `close` hardly differ.
void sayApart(Finding& finding, const std::vector<Against>& apart, std::size_t others, std::size_t close)
{
    finding.kind = "answer.against";
    const bool areMany = apart.size() > MostDifferencesNamed;
    const bool areOnBothSides = apart.front().difference.difference < 0.0 && apart.back().difference.difference > 0.0;
    const ApartPatterns& patterns = areMany && areOnBothSides ? ToBothSides
        : areMany                                             ? Many
        : others == 0                                         ? Alone
        : close == others                                     ? BesideClose
                                                              : BesideOthers;
    finding.pattern = apart.front().difference.isInPoints ? patterns.points : patterns.multiples;
    if (areMany) {
        finding.arguments.push_back(areOnBothSides ? namedSide(apart, true) : namedDifference(apart.front()));
        finding.arguments.push_back(areOnBothSides ? namedSide(apart, false) : namedDifference(apart.back()));
        finding.arguments.push_back(std::to_string(apart.size()));
        finding.arguments.push_back(std::to_string(apart.size() + others));
    } else {
        finding.arguments.push_back(listed(apart, namedDifference));
    }
}

} // namespace

Finding baselineAnswer(const Figure& figure, const Group& baseline, const std::vector<Group>& groups)
{
    std::vector<Against> apart;
    std::size_t close = 0;
    std::size_t known = 0;
    std::vector<std::size_t> moreRepeats; // of those that are unknown
    Finding finding = headlineOf({}, {}, figure);
    finding.arguments.push_back(baseline.name);
    finding.addRuns(baseline.ids());
    for (const Group& group : groups) {
        if (&group == &baseline) {
            continue;
        }
        const Against each{&group, differenceOf(figure, baseline.runs, group.runs)};
        const Certainty certainty = certaintyOf(figure, each.difference);
        known += each.difference.n > 1 || certainty != Certainty::Unknown ? 1 : 0;
        close += certainty == Certainty::Close ? 1 : 0;
        finding.figures.emplace_back(std::string(figure.name) + "_" + group.key, each.difference.difference);
        finding.addRuns(group.ids());
        if (certainty == Certainty::Apart) {
            apart.push_back(each);
        }
        if (certainty == Certainty::Unknown) {
            moreRepeats.push_back(moreRepeatsFor(figure, each.difference));
        }
    }
    std::ranges::stable_sort(apart, {}, [](const Against& each) { return each.difference.difference; });
    const std::size_t others = groups.size() - 1 - apart.size();
    if (known == 0) {
        finding.kind = "answer.one_run";
        finding.pattern = LS_TR("Findings", "%1 against %2: from one run each, no difference can be told.");
        return finding;
    }
    if (apart.empty()) {
        sayNone(finding, close == others, others, figure, baseline,
            &groups.front() == &baseline ? groups.back() : groups.front());
        // That may tell all of these: none where one of them needs too many.
        const bool isKnown = !moreRepeats.empty() && std::ranges::min(moreRepeats) > 0;
        finding.moreRepeats = isKnown ? std::ranges::max(moreRepeats) : 0;
    } else {
        sayApart(finding, apart, others, close);
    }
    return finding;
}

} // namespace lockstep::analysis
