#include "analysis/report/compose.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

namespace lockstep::report {

namespace {

using analysis::RunRecord;
using experiment::Assignment;
using SpecJson = nlohmann::ordered_json;

/// The settings with which a variant's repeats began: each repeat adds its number to the seed.
Assignment settingsOf(const RunRecord& run)
{
    Assignment settings = run.spec.settings;
    settings["train.seed"] = run.spec.integer("train.seed") - run.spec.repeat;
    return settings;
}

struct Variants {
    std::vector<std::pair<std::string, Assignment>> list;
    int repeats = 1;
};

/// Runs of equal settings are one variant; names that others have too get a number.
Variants variantsOf(const std::vector<const RunRecord*>& runs)
{
    Variants variants;
    std::map<std::string, int> taken;
    for (const RunRecord* run : runs) {
        variants.repeats = std::max(variants.repeats, run->spec.repeat + 1);
        const Assignment settings = settingsOf(*run);
        const bool isThere
            = std::ranges::any_of(variants.list, [&](const auto& each) { return each.second == settings; });
        if (!isThere) {
            const int number = ++taken[run->spec.name];
            variants.list.emplace_back(run->spec.name + (number > 1 ? "-" + std::to_string(number) : ""), settings);
        }
    }
    return variants;
}

/// What all have, less the defaults.
Assignment commonOf(const Variants& variants)
{
    Assignment common = variants.list.front().second;
    std::erase_if(common, [&](const auto& setting) {
        const experiment::Parameter* row = experiment::findParameter(setting.first);
        return row == nullptr || row->standard == setting.second
            || !std::ranges::all_of(variants.list, [&](const auto& each) {
                   const auto found = each.second.find(setting.first);
                   return found != each.second.end() && found->second == setting.second;
               });
    });
    return common;
}

/// Of a variant: what it does not share, less the defaults.
Assignment ownOf(const Assignment& settings, const Assignment& common)
{
    Assignment own = settings;
    std::erase_if(own, [&](const auto& setting) {
        const experiment::Parameter* row = experiment::findParameter(setting.first);
        return row == nullptr || row->standard == setting.second || common.contains(setting.first);
    });
    return own;
}

SpecJson specJson(const std::string& experiment, const std::vector<const RunRecord*>& runs)
{
    const Variants variants = variantsOf(runs);
    experiment::Spec spec;
    spec.experiment = experiment;
    spec.base = commonOf(variants);
    spec.repeats = variants.repeats;
    for (const auto& [name, settings] : variants.list) {
        spec.variants.push_back({name, ownOf(settings, spec.base)});
    }
    return SpecJson::parse(experiment::toJson(spec));
}

} // namespace

std::string specOf(std::span<const RunRecord> runs)
{
    std::vector<std::string> experiments;
    std::map<std::string, std::vector<const RunRecord*>> byExperiment;
    for (const RunRecord& run : runs) {
        if (!byExperiment.contains(run.spec.experiment)) {
            experiments.push_back(run.spec.experiment);
        }
        byExperiment[run.spec.experiment].push_back(&run);
    }
    SpecJson list = SpecJson::array();
    for (const std::string& experiment : experiments) {
        list.push_back(specJson(experiment, byExperiment[experiment]));
    }
    return list.size() == 1 ? list.front().dump(2) : list.dump(2);
}

} // namespace lockstep::report
