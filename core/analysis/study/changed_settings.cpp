#include "analysis/study/changed_settings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace lockstep::analysis {

namespace {

using experiment::Assignment;
using experiment::Parameter;

/// An experiment as it is built in.
struct BuiltIn {
    Assignment base;
    std::map<std::string, Assignment> variants;
};

std::map<std::string, BuiltIn, std::less<>> readBuiltIns()
{
    std::map<std::string, BuiltIn, std::less<>> all;
    for (const std::string_view name : experiment::presetNames()) {
        const auto spec = experiment::preset(name);
        if (!spec) {
            continue;
        }
        BuiltIn& builtIn = all[std::string(name)];
        builtIn.base = experiment::withDefaults(spec->base, {});
        for (const experiment::Variant& variant : spec->variants) {
            builtIn.variants[variant.name] = experiment::withDefaults(spec->base, variant.values);
        }
    }
    return all;
}

/// The run's settings without the user's changes.
const Assignment& unchanged(const RunRecord& run)
{
    static const auto all = readBuiltIns();
    static const Assignment defaults = experiment::withDefaults({}, {});
    const auto builtIn = all.find(run.spec.experiment);
    if (builtIn == all.end()) {
        return defaults;
    }
    const std::string name = run.spec.name.substr(0, run.spec.name.rfind(" from ")); // of a resumed run
    const auto variant = builtIn->second.variants.find(name);
    return variant == builtIn->second.variants.end() ? builtIn->second.base : variant->second;
}

/// Empty where it does not apply.
std::string valueText(const RunRecord& run, const Parameter& parameter)
{
    const auto found = run.spec.settings.find(std::string(parameter.name));
    const bool isSet = found != run.spec.settings.end() && isUsed(parameter, run.spec.settings);
    return isSet ? experiment::toText(found->second) : std::string();
}

/// In one walk over both, which are in the same order.
void addDifferentNames(const Assignment& a, const Assignment& b, std::set<std::string_view>& names)
{
    auto one = a.begin();
    auto other = b.begin();
    while (one != a.end() || other != b.end()) {
        const bool isOnlyInA = other == b.end() || (one != a.end() && one->first < other->first);
        const bool isOnlyInB = one == a.end() || (other != b.end() && other->first < one->first);
        if (isOnlyInA || isOnlyInB || one->second != other->second) {
            names.insert(isOnlyInB ? other->first : one->first);
        }
        if (!isOnlyInB) {
            ++one;
        }
        if (!isOnlyInA) {
            ++other;
        }
    }
}

} // namespace

std::vector<SettingDifference> changedSettings(const RunRecord& run)
{
    const Assignment& before = unchanged(run);
    std::vector<SettingDifference> changed;
    for (const Parameter& parameter : experiment::parameters()) {
        const std::string name(parameter.name);
        const auto is = run.spec.settings.find(name);
        const auto was = before.find(name);
        const bool isSame = is == run.spec.settings.end() || (was != before.end() && is->second == was->second);
        if (!isSame && !(parameter.fills == &experiment::TrainSettings::seed) && isUsed(parameter, run.spec.settings)) {
            changed.push_back({&parameter,
                {was == before.end() ? std::string() : experiment::toText(was->second),
                    experiment::toText(is->second)}});
        }
    }
    for (const auto& [name, value] : run.spec.settings) {
        if (experiment::isOwnParameter(name)) {
            changed.push_back({experiment::findParameter(name), {{}, experiment::toText(value)}});
        }
    }
    return changed;
}

std::string changedText(const RunRecord& run)
{
    return listed(changedSettings(run), [](const SettingDifference& change) {
        return std::string(change.parameter->name) + " " + change.values.back();
    });
}

std::vector<const Parameter*> differingParameters(std::span<const RunRecord* const> runs, std::string_view also)
{
    std::set<std::string_view> names;
    for (const RunRecord* run : runs) {
        addDifferentNames(runs.front()->spec.settings, run->spec.settings, names);
    }
    std::vector<const Parameter*> rows;
    for (const Parameter& parameter : experiment::parameters()) {
        if (names.contains(parameter.name) || parameter.name == also) {
            rows.push_back(&parameter);
        }
    }
    for (const std::string_view name : names) {
        if (experiment::isOwnParameter(name)) {
            rows.push_back(experiment::findParameter(name));
        }
    }
    return rows;
}

std::vector<SettingDifference> settingDifferences(std::span<const RunRecord* const> runs)
{
    std::vector<SettingDifference> differences;
    for (const Parameter* parameter : differingParameters(runs)) {
        if (parameter->fills == &experiment::TrainSettings::seed) {
            continue;
        }
        SettingDifference difference{parameter, {}};
        for (const RunRecord* run : runs) {
            difference.values.push_back(valueText(*run, *parameter));
        }
        if (std::adjacent_find(difference.values.begin(), difference.values.end(), std::not_equal_to<>())
            != difference.values.end()) {
            differences.push_back(std::move(difference));
        }
    }
    return differences;
}

} // namespace lockstep::analysis
