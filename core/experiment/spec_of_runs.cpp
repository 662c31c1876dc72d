#include "experiment/spec_of_runs.h"

#include "experiment/parameter.h"
#include "experiment/variant_name.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lockstep::experiment {

namespace {

struct Variants {
    std::vector<std::pair<std::string, Assignment>> list; ///< by name
    std::vector<std::optional<std::size_t>> places; ///< of their colours
    int repeats = 1;
};

/// The settings with which a variant's repeats began: each repeat adds its number to the seed.
Assignment settingsOf(const RunSpec& run)
{
    Assignment settings = run.settings;
    settings["train.seed"] = run.settings->train.seed - run.repeat;
    return settings;
}

Variants variantsOf(std::span<const RunSpec* const> runs)
{
    Variants variants;
    std::map<std::string, int> taken;
    for (const RunSpec* run : runs) {
        variants.repeats = std::max(variants.repeats, run->repeat + 1);
        Assignment settings = settingsOf(*run);
        if (std::ranges::any_of(variants.list, [&](const auto& each) { return each.second == settings; })) {
            continue;
        }
        const int number = ++taken[run->name];
        variants.list.emplace_back(
            run->name + (number > 1 ? "-" + std::to_string(number) : std::string()), std::move(settings));
        variants.places.push_back(run->place);
    }
    return variants;
}

bool isDefault(const std::string& name, const Value& value)
{
    const Parameter* row = findParameter(name);
    return row != nullptr && row->standard == value;
}

/// What all have, less the defaults.
Assignment commonOf(const Variants& variants)
{
    Assignment common = variants.list.front().second;
    std::erase_if(common, [&](const auto& setting) {
        return isDefault(setting.first, setting.second) || !std::ranges::all_of(variants.list, [&](const auto& each) {
            const auto found = each.second.find(setting.first);
            return found != each.second.end() && found->second == setting.second;
        });
    });
    return common;
}

Spec specOf(std::span<const RunSpec* const> runs)
{
    const Variants variants = variantsOf(runs);
    Spec spec;
    spec.experiment = runs.front()->experiment;
    spec.about.title = runs.front()->title;
    spec.about.question = runs.front()->question;
    spec.base = commonOf(variants);
    spec.repeats = variants.repeats;
    for (std::size_t i = 0; i < variants.list.size(); ++i) {
        const auto& [name, settings] = variants.list[i];
        Assignment own = settings;
        std::erase_if(own, [&](const auto& setting) {
            return isDefault(setting.first, setting.second) || spec.base.contains(setting.first);
        });
        spec.variants.push_back({.name = name, .values = std::move(own), .place = variants.places[i]});
    }
    return spec;
}

} // namespace

std::vector<Spec> specsOfRuns(std::span<const RunSpec> runs)
{
    std::vector<std::string> order;
    std::map<std::string, std::vector<const RunSpec*>> byExperiment;
    for (const RunSpec& run : runs) {
        const std::string key = experimentKey(run);
        auto& list = byExperiment[key];
        if (list.empty()) {
            order.push_back(key);
        }
        list.push_back(&run);
    }
    std::vector<Spec> specs;
    for (const std::string& key : order) {
        specs.push_back(specOf(byExperiment[key]));
    }
    return specs;
}

} // namespace lockstep::experiment
