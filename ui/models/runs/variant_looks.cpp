#include "ui/models/runs/variant_looks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace lockstep::ui {

namespace {

using analysis::RunRecord;
using experiment::RunSpec;

/// Of a run that was resumed ("ring from 400"), the variant's.
std::string variantOf(const RunSpec& spec)
{
    const bool isResumed = !spec.settings->checkpoint.from.empty();
    return isResumed ? spec.name.substr(0, spec.name.rfind(" from ")) : spec.name;
}

/// Repeats, and a run that was resumed, are of the same variant.
bool isSameVariant(const RunSpec& a, const RunSpec& b)
{
    if (a.experiment != b.experiment || variantOf(a) != variantOf(b)) {
        return false;
    }
    static const std::string& Seed = nameOf(&experiment::TrainSettings::seed);
    return std::all_of(a.settings.begin(), a.settings.end(), [&](const auto& setting) {
        const auto& [name, value] = setting;
        const auto other = b.settings.find(name);
        return name == Seed || name.starts_with("checkpoint.") || (other != b.settings.end() && other->second == value);
    });
}

struct ShownVariant {
    std::vector<std::size_t> runs; ///< their numbers
    std::int64_t newestNs = 0;
    std::optional<std::size_t> place;
};

/// Of a preset's variants, in its order; read once. Empty for any other experiment.
const std::vector<std::string>& presetVariants(const std::string& experiment)
{
    static std::map<std::string, std::vector<std::string>> known;
    const auto [place, isNew] = known.try_emplace(experiment);
    if (const auto preset = isNew ? experiment::preset(experiment) : Result<experiment::Spec>(experiment::Spec{})) {
        std::ranges::transform(preset->variants, std::back_inserter(place->second), &experiment::Variant::name);
    }
    return place->second;
}

/// Of a run of a version that stored none: that of its variant in the preset, if it has one.
std::optional<std::size_t> placeOf(const RunSpec& spec)
{
    if (spec.place) {
        return spec.place;
    }
    const std::vector<std::string>& names = presetVariants(spec.experiment);
    const auto known = std::ranges::find(names, variantOf(spec));
    return known == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(known - names.begin()));
}

std::vector<ShownVariant> variantsOf(const std::vector<const RunRecord*>& runs)
{
    std::vector<ShownVariant> variants;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto known = std::ranges::find_if(variants,
            [&](const ShownVariant& each) { return isSameVariant(runs[each.runs.front()]->spec, runs[i]->spec); });
        if (known == variants.end()) {
            known = variants.insert(variants.end(), {{}, 0, placeOf(runs[i]->spec)});
        }
        known->runs.push_back(i);
        known->newestNs = std::max(known->newestNs, runs[i]->createdNs);
    }
    return variants;
}

} // namespace

std::vector<Look> looksOf(const std::vector<const RunRecord*>& runs, PaletteName palette)
{
    std::vector<ShownVariant> variants = variantsOf(runs);
    std::ranges::stable_sort(
        variants, [](const ShownVariant& a, const ShownVariant& b) { return a.newestNs > b.newestNs; });
    // No place that another variant was given, so that who collides moves none that does not.
    std::set<std::size_t> given;
    for (const ShownVariant& variant : variants) {
        if (variant.place) {
            given.insert(*variant.place);
        }
    }
    std::set<std::size_t> taken;
    std::vector<Look> looks(runs.size());
    for (const ShownVariant& variant : variants) {
        // Another dash of its colour; where none is free, another colour.
        const std::size_t colors = variantColors(palette).size();
        std::size_t place = variant.place.value_or(0);
        const auto isFree = [&](std::size_t each) { return !given.contains(each) && !taken.contains(each); };
        if (!variant.place || taken.contains(place)) {
            while (!isFree(place) && place < colors * DashCount) {
                place += variant.place ? colors : 1;
            }
            if (place >= colors * DashCount) {
                for (place = 0; !isFree(place);) {
                    ++place;
                }
            }
        }
        taken.insert(place);
        for (const std::size_t run : variant.runs) {
            looks[run] = lookOf(palette, place);
        }
    }
    return looks;
}

} // namespace lockstep::ui
