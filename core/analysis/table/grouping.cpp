#include "analysis/table/grouping.h"

#include "analysis/study/changed_settings.h"

#include <algorithm>
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
    const std::string& from = nameOf(&experiment::CheckpointSettings::from);
    for (const auto& [name, value] : run.spec.settings) {
        if (name != seed && name != from) {
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
            group.name = variantName(*run);
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

MeanEstimate estimateOf(const RowGroup& group, const Column& column)
{
    return estimateOf(*column.figure, group.counted);
}

FigureDifference differenceTo(const RowGroup& baseline, const RowGroup& group, const Column& column)
{
    return differenceOf(*column.figure, baseline.counted, group.counted);
}

} // namespace lockstep::analysis
