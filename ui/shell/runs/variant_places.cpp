#include "ui/shell/runs/variant_places.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

/// Of a run that was resumed ("ring from 400"), the variant's.
std::string variantOf(const experiment::RunSpec& spec)
{
    const bool isResumed = !spec.settings->checkpoint.from.empty();
    return isResumed ? spec.name.substr(0, spec.name.rfind(" from ")) : spec.name;
}

/// Repeats, and a run that was resumed, are of the same variant.
bool isSameVariant(const experiment::RunSpec& a, const experiment::RunSpec& b)
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

} // namespace

void VariantPlaces::begin(const std::string& experiment, const std::map<std::string, std::size_t>& places)
{
    if (!places.empty() || experiment != m_experiment) {
        m_experiment = experiment;
        m_places = places;
    }
}

std::size_t VariantPlaces::ofStarted(const experiment::RunSpec& run, const std::vector<Taken>& taken)
{
    const auto known = usual(run, taken);
    const std::size_t place = known ? *known : ofStored(run, taken);
    m_places[variantOf(run)] = place;
    return place;
}

std::size_t VariantPlaces::ofStored(const experiment::RunSpec& run, const std::vector<Taken>& taken) const
{
    const auto isFree = [&](std::size_t place) {
        return std::ranges::all_of(
            taken, [&](const Taken& each) { return each.place != place || isSameVariant(*each.run, run); });
    };
    if (const auto known = usual(run, taken); known && isFree(*known)) {
        return *known;
    }
    std::size_t place = 0;
    while (!isFree(place)) {
        ++place;
    }
    return place;
}

/// The one that its experiment was started with last, else that of its runs that are drawn, else that of the preset.
std::optional<std::size_t> VariantPlaces::usual(const experiment::RunSpec& run, const std::vector<Taken>& taken) const
{
    const std::string variant = variantOf(run);
    const auto known = m_places.find(variant);
    if (run.experiment == m_experiment && known != m_places.end()) {
        return known->second;
    }
    const auto same = std::ranges::find_if(taken,
        [&](const Taken& each) { return each.run->experiment == run.experiment && variantOf(*each.run) == variant; });
    if (same != taken.end()) {
        return same->place;
    }
    if (const auto spec = experiment::preset(run.experiment)) {
        for (std::size_t i = 0; i < spec->variants.size(); ++i) {
            if (spec->variants[i].name == variant) {
                return i;
            }
        }
    }
    return std::nullopt;
}

} // namespace lockstep::ui
