#include "analysis/table/grouping.h"

#include "analysis/numbers.h"
#include "analysis/statistics/paired_rounds.h"
#include "analysis/statistics/statistics.h"
#include "analysis/study/changed_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace lockstep::analysis {

namespace {

using Runs = std::vector<const RunRecord*>;

std::int64_t seedOf(const RunRecord& run)
{
    return run.spec.settings->train.seed;
}

/// Runs with equal ones may be repeats. Whole specs are compared only then: a spec has a hundred settings.
using RepeatKey = std::tuple<std::string, std::string, std::size_t>;

RepeatKey repeatKeyOf(const RunRecord& run)
{
    std::size_t hash = 0;
    const auto add = [&hash](std::size_t value) { hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2); };
    const std::string& seed = nameOf(&experiment::TrainSettings::seed);
    for (const auto& [name, value] : run.spec.settings) {
        if (name != seed) {
            std::visit(
                [&]<typename T>(const T& held) {
                    if constexpr (requires { std::hash<T>()(held); }) {
                        add(std::hash<T>()(held));
                    } else {
                        add(held.size());
                    }
                },
                value);
        }
    }
    return {run.spec.experiment, run.spec.name, hash};
}

/// Of the runs those that count.
Runs countedOf(const Runs& runs, Interfered which)
{
    std::map<RepeatKey, std::vector<Runs>> variants;
    for (const RunRecord* run : runs) {
        const bool isLeftOut = which == Interfered::LeaveOut && run->summary.interference.any();
        if (run->status != RunStatus::Finished || isLeftOut) {
            continue;
        }
        std::vector<Runs>& alike = variants[repeatKeyOf(*run)];
        const auto same
            = std::ranges::find_if(alike, [run](const Runs& each) { return areRepeats(*each.front(), *run); });
        Runs& repeats = same == alike.end() ? alike.emplace_back() : *same;
        const auto again
            = std::ranges::find(repeats, seedOf(*run), [](const RunRecord* each) { return seedOf(*each); });
        if (again == repeats.end()) {
            repeats.push_back(run);
        } else if (run->createdNs >= (*again)->createdNs) {
            *again = run;
        }
    }
    Runs counted;
    for (const RunRecord* run : runs) {
        const auto found = variants.find(repeatKeyOf(*run));
        if (found != variants.end() && std::ranges::any_of(found->second, [run](const Runs& each) {
                return std::ranges::find(each, run) != each.end();
            })) {
            counted.push_back(run);
        }
    }
    return counted;
}

std::vector<const experiment::Parameter*> mixedIn(const Runs& counted, std::span<const Column* const> by)
{
    std::vector<const experiment::Parameter*> mixed;
    for (const SettingDifference& difference : settingDifferences(counted)) {
        const bool isKey
            = std::ranges::any_of(by, [&](const Column* column) { return column->parameter == difference.parameter; });
        if (!isKey) {
            mixed.push_back(difference.parameter);
        }
    }
    return mixed;
}

std::string keyText(const std::vector<Cell>& key, std::span<const Column* const> by)
{
    std::string text;
    for (std::size_t i = 0; i < key.size(); ++i) {
        text += (i == 0 ? "" : ", ") + readableText(*by[i], key[i]);
    }
    return text;
}

std::vector<RowGroup> groupsByVariant(std::span<const RunRecord* const> runs)
{
    std::vector<RowGroup> groups;
    std::map<RepeatKey, std::vector<std::size_t>> places;
    for (const RunRecord* run : runs) {
        std::vector<std::size_t>& alike = places[repeatKeyOf(*run)];
        const auto same = std::ranges::find_if(
            alike, [&](std::size_t place) { return areRepeats(*groups[place].runs.front(), *run); });
        if (same == alike.end()) {
            alike.push_back(groups.size());
            RowGroup group;
            group.name = run->label.empty() ? run->spec.name : run->label;
            groups.push_back(std::move(group));
            groups.back().runs.push_back(run);
        } else {
            groups[*same].runs.push_back(run);
        }
    }
    return groups;
}

std::vector<RowGroup> groupsByColumns(std::span<const RunRecord* const> runs, std::span<const Column* const> by)
{
    std::vector<RowGroup> groups;
    std::map<std::vector<Cell>, std::size_t> places;
    for (const RunRecord* run : runs) {
        std::vector<Cell> key;
        for (const Column* column : by) {
            key.push_back(cellOf(*column, *run));
        }
        const auto [place, isNew] = places.try_emplace(key, groups.size());
        if (isNew) {
            RowGroup group;
            group.name = keyText(key, by);
            group.key = std::move(key);
            groups.push_back(std::move(group));
        }
        groups[place->second].runs.push_back(run);
    }
    return groups;
}

/// A figure of each run that counts, if `isLog` its logarithm.
std::vector<double> figuresOf(const RowGroup& group, const Column& column, bool isLog)
{
    std::vector<double> values;
    for (const RunRecord* run : group.counted) {
        const double value = numberOf(cellOf(column, *run));
        values.push_back(isLog ? std::log(value) : value);
    }
    return values;
}

bool areAllPositive(const RowGroup& group, const Column& column)
{
    return std::ranges::all_of(figuresOf(group, column, false), [](double value) { return !(value <= 0.0); });
}

/// A value of `group` less one of `baseline` for each seed that both have once.
std::vector<double> pairsOf(const RowGroup& baseline, const RowGroup& group, const std::vector<double>& before,
    const std::vector<double>& after)
{
    std::map<std::int64_t, std::vector<std::size_t>> ofSeed;
    for (std::size_t i = 0; i < baseline.counted.size(); ++i) {
        ofSeed[seedOf(*baseline.counted[i])].push_back(i);
    }
    std::map<std::int64_t, int> uses;
    for (const RunRecord* run : group.counted) {
        ++uses[seedOf(*run)];
    }
    std::vector<double> pairs;
    for (std::size_t i = 0; i < group.counted.size(); ++i) {
        const auto found = ofSeed.find(seedOf(*group.counted[i]));
        const bool isOnce = found != ofSeed.end() && found->second.size() == 1 && uses[found->first] == 1;
        if (isOnce && std::isfinite(after[i] - before[found->second.front()])) {
            pairs.push_back(after[i] - before[found->second.front()]);
        }
    }
    return pairs;
}

std::string signedText(double value, const std::string& text)
{
    return (value >= 0.0 ? "+" : "") + text;
}

} // namespace

std::vector<RowGroup> groupRuns(
    std::span<const RunRecord* const> runs, std::span<const Column* const> by, Interfered which)
{
    std::vector<RowGroup> groups = by.empty() ? groupsByVariant(runs) : groupsByColumns(runs, by);
    for (RowGroup& group : groups) {
        group.counted = countedOf(group.runs, which);
        if (!by.empty()) { // repeats of one variant differ in nothing
            group.mixed = mixedIn(group.counted, by);
        }
    }
    return groups;
}

GroupedFigure figureOf(const RowGroup& group, const Column& column)
{
    const std::vector<double> values = figuresOf(group, column, false);
    if (column.kind == CellKind::Share) {
        const ShareInterval share = shareWithInterval(values);
        return {share.mean, share.low, share.high, share.n};
    }
    const PositiveInterval interval = positiveWithInterval(values);
    const bool isWide = interval.low < interval.high; // as in withInterval()
    return {interval.mean, isWide ? interval.low : NotMeasured, isWide ? interval.high : NotMeasured, interval.n};
}

std::string figureText(const Column& column, const GroupedFigure& figure)
{
    if (std::isnan(figure.mean)) {
        return "–";
    }
    if (column.kind == CellKind::Share) {
        return figure.hasInterval() ? fmt::format("{} % [{}, {}]", onePlace(figure.mean * 100.0),
                   onePlace(figure.low * 100.0), onePlace(figure.high * 100.0))
                                    : onePlace(figure.mean * 100.0) + " %";
    }
    const auto text
        = [&](double value) { return column.kind == CellKind::Bytes ? bytesText(value) : threeDigits(value); };
    return figure.hasInterval() ? fmt::format("{} [{}, {}]", text(figure.mean), text(figure.low), text(figure.high))
                                : text(figure.mean);
}

FigureDifference differenceTo(const RowGroup& baseline, const RowGroup& group, const Column& column)
{
    FigureDifference result;
    result.isInPoints = column.kind == CellKind::Share;
    if (!result.isInPoints && !(areAllPositive(baseline, column) && areAllPositive(group, column))) {
        return result;
    }
    const std::vector<double> before = figuresOf(baseline, column, !result.isInPoints);
    const std::vector<double> after = figuresOf(group, column, !result.isInPoints);
    const std::vector<double> pairs = pairsOf(baseline, group, before, after);
    result.isPaired = !pairs.empty() && pairs.size() == std::min(before.size(), after.size());
    const Interval of
        = result.isPaired ? meanWithInterval(pairs) : differenceOf(meanWithInterval(after), meanWithInterval(before));
    const auto told = [&](double value) { return result.isInPoints ? value : std::expm1(value); };
    result.difference = told(of.mean);
    result.low = told(of.mean - of.halfWidth);
    result.high = told(of.mean + of.halfWidth);
    result.n = of.n;
    return result;
}

std::string differenceText(const FigureDifference& difference)
{
    if (std::isnan(difference.difference)) {
        return "–";
    }
    const auto number = [&](double value) {
        return signedText(value, difference.isInPoints ? onePlace(value * 100.0) : threeDigits(value * 100.0));
    };
    std::string text = number(difference.difference) + (difference.isInPoints ? " points" : " %");
    if (difference.hasInterval()) {
        text += fmt::format(" [{}, {}]", number(difference.low), number(difference.high));
    }
    return text;
}

} // namespace lockstep::analysis
