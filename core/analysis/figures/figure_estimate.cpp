#include "analysis/figures/figure_estimate.h"

#include "analysis/numbers.h"
#include "analysis/statistics/paired_rounds.h"
#include "analysis/statistics/run_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

using RunSpan = std::span<const RunRecord* const>;

std::vector<const RunRecord*> measuredRuns(const Figure& figure, RunSpan runs)
{
    std::vector<const RunRecord*> measured;
    std::ranges::copy_if(
        runs, std::back_inserter(measured), [&figure](const RunRecord* run) { return std::isfinite(figure.of(*run)); });
    return measured;
}

MeanEstimate estimated(Estimator estimator, const std::vector<double>& values)
{
    switch (estimator) {
    case Estimator::Logit:
        return shareWithInterval(values);
    case Estimator::Geometric:
        if (std::ranges::min(values) > 0.0) {
            return geometricMean(values);
        }
        break; // 0 has no logarithm
    case Estimator::Arithmetic:
        break;
    }
    return positiveWithInterval(values);
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

/// Of two runs that took turns; empty where they did not, and for a figure that blocks do not have.
std::vector<double> roundsOf(const Figure& figure, const RunRecord& baseline, const RunRecord& run)
{
    double Summary::*const member = figure.otherwise != nullptr ? figure.otherwise : figure.member;
    return member == &Summary::msPerStep       ? logRatios(baseline, run, &MeasuredBlock::msPerStep)
        : member == &Summary::samplesPerSecond ? logRatios(baseline, run, &MeasuredBlock::samplesPerSecond)
                                               : std::vector<double>();
}

std::size_t keptBlocks(const RunRecord& run)
{
    return static_cast<std::size_t>(std::ranges::count(run.blocks, false, &MeasuredBlock::isLeftOut));
}

/// The interval of 95 % widened to one of `comparisons`, about the ratio of the two bars: that is the mean of the
/// rounds only where these are all blocks of both.
FigureDifference ofRounds(RelativeDifference rounds, double ratioOfBars, bool areAll, std::size_t comparisons)
{
    if (!areAll) {
        const double moved = ratioOfBars / (1.0 + rounds.difference);
        rounds.difference = ratioOfBars - 1.0;
        rounds.low = (1.0 + rounds.low) * moved - 1.0;
        rounds.high = (1.0 + rounds.high) * moved - 1.0;
    }
    const std::size_t values = rounds.n / std::max<std::size_t>(1, rounds.merged);
    const std::size_t degrees = std::max<std::size_t>(1, values - 1);
    const double wider = studentT(1.0 - 0.025 / static_cast<double>(comparisons), degrees) / studentT975(degrees);
    const double middle = std::log1p(rounds.difference);
    const auto end = [&](double of) { return std::expm1(middle + (std::log1p(of) - middle) * wider); };
    return {rounds.difference, end(rounds.low), end(rounds.high), rounds.n, false, true, true, rounds.merged};
}

std::string differenceNumber(const FigureDifference& of, double value)
{
    const double shown = value * 100.0;
    const std::string text = of.isInPoints ? onePlace(shown)
        : of.hasInterval()                 ? withDecimals(shown, decimalsFor((of.high - of.low) * 50.0, shown))
                                           : threeDigits(shown);
    return shown > 0.0 && text.find_first_of("123456789") != std::string::npos ? "+" + text : text;
}

} // namespace

std::vector<double> logRatios(const RunRecord& a, const RunRecord& b, double MeasuredBlock::*figure)
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
            ratios.push_back(std::log(other->*figure / one->*figure));
        }
    }
    return ratios;
}

bool isMeasured(RunSpan runs, const Figure& figure)
{
    return std::ranges::all_of(runs, [&](const RunRecord* run) { return std::isfinite(figure.of(*run)); });
}

MeanEstimate estimateOf(const Figure& figure, RunSpan runs)
{
    std::vector<double> values;
    for (const RunRecord* run : measuredRuns(figure, runs)) {
        values.push_back(figure.of(*run));
    }
    if (values.empty()) {
        return {NotMeasured, NotMeasured, NotMeasured, 0};
    }
    MeanEstimate estimate = estimated(figure.estimator, values);
    const auto [least, most] = std::ranges::minmax(values);
    estimate.mean = least == most ? least : estimate.mean; // to the last bit
    if (!estimate.hasInterval()) {
        estimate.low = estimate.high = NotMeasured;
    }
    return estimate;
}

MeanEstimate estimateOf(double Summary::*member, RunSpan runs)
{
    return estimateOf(figureOf(member), runs);
}

std::string EstimateTexts::interval() const
{
    return low.empty() ? std::string() : fmt::format(" [{}, {}]", low, high);
}

EstimateTexts estimateTexts(const Figure& figure, const MeanEstimate& estimate)
{
    if (!std::isfinite(estimate.mean)) {
        return {"–", {}, {}};
    }
    const double half = estimate.hasInterval() ? estimate.halfWidth() : 0.0;
    const auto text = [&](double value) {
        return figure.kind == FigureKind::Share                 ? onePlace(value * 100.0)
            : figure.kind == FigureKind::Bytes                  ? bytesText(value)
            : figure.kind == FigureKind::Count && !(half > 0.0) ? grouped(std::llround(value))
                                                                : inDigitsOf(half, value);
    };
    EstimateTexts texts{text(estimate.mean), {}, {}};
    if (half > 0.0 && text(estimate.low) != text(estimate.high)) { // else narrower than these digits
        texts.low = text(estimate.low);
        texts.high = text(estimate.high);
    }
    return texts;
}

std::string estimateText(const Figure& figure, const MeanEstimate& estimate)
{
    const EstimateTexts texts = estimateTexts(figure, estimate);
    const bool hasSign = figure.kind == FigureKind::Share && std::isfinite(estimate.mean);
    return texts.mean + (hasSign ? " %" : "") + texts.interval();
}

std::string estimateText(double Summary::*member, RunSpan runs)
{
    return estimateText(figureOf(member), estimateOf(member, runs));
}

FigureDifference differenceOf(const Figure& figure, RunSpan baseline, RunSpan runs, std::size_t comparisons)
{
    const Group before{{}, measuredRuns(figure, baseline)};
    const Group after{{}, measuredRuns(figure, runs)};
    FigureDifference result;
    result.isInPoints = figure.kind == FigureKind::Share;
    const auto valueOf = [&](const RunRecord& run) {
        return result.isInPoints ? figure.of(run) : std::log(figure.of(run)); // of 0 and below: no finite number
    };
    const bool hasLogs = std::ranges::all_of(before.valuesOf(valueOf), [](double each) { return std::isfinite(each); })
        && std::ranges::all_of(after.valuesOf(valueOf), [](double each) { return std::isfinite(each); });
    if (before.runs.empty() || after.runs.empty() || !hasLogs) {
        return result;
    }
    const auto areAll = [](const RelativeDifference& rounds, const RunRecord& a, const RunRecord& b) {
        return rounds.n > 0 && rounds.n == keptBlocks(a) && rounds.n == keptBlocks(b);
    };
    if (before.runs.size() == 1 && after.runs.size() == 1) {
        const RunRecord& one = *before.runs.front();
        const RunRecord& other = *after.runs.front();
        const RelativeDifference rounds = differenceOfRounds(roundsOf(figure, one, other));
        if (rounds.n > 0) {
            return ofRounds(rounds, figure.of(other) / figure.of(one), areAll(rounds, one, other), comparisons);
        }
    }
    std::vector<double> pairs;
    for (const auto& [one, other] : pairsOfSeeds(after.runs, before.runs)) {
        const RelativeDifference rounds = differenceOfRounds(roundsOf(figure, *other, *one));
        pairs.push_back(areAll(rounds, *one, *other) ? std::log1p(rounds.difference) : valueOf(*one) - valueOf(*other));
    }
    result.isPaired = !pairs.empty();
    const Interval of = result.isPaired ? meanWithInterval(pairs, comparisons)
                                        : differenceOf(after.mean(valueOf), before.mean(valueOf), comparisons);
    const auto relative = [&](double value) { return result.isInPoints ? value : std::expm1(value); };
    result.difference = relative(of.mean);
    result.low = relative(of.mean - of.halfWidth);
    result.high = relative(of.mean + of.halfWidth);
    result.n = of.n;
    return result;
}

EstimateTexts differenceTexts(const FigureDifference& difference)
{
    const auto text = [&](double value) {
        std::string number = differenceNumber(difference, value);
        return number.starts_with('-') ? "−" + number.substr(1) : number; // no hyphen behind a name, or between numbers
    };
    if (std::isnan(difference.difference)) {
        return {"–", {}, {}};
    }
    return difference.hasInterval() && text(difference.low) != text(difference.high)
        ? EstimateTexts{text(difference.difference), text(difference.low), text(difference.high)}
        : EstimateTexts{text(difference.difference), {}, {}};
}

std::string differenceText(const FigureDifference& difference)
{
    const EstimateTexts texts = differenceTexts(difference);
    if (std::isnan(difference.difference)) {
        return texts.mean;
    }
    return texts.mean + (difference.isInPoints ? " points" : " %") + texts.interval();
}

} // namespace lockstep::analysis
