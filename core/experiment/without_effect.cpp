#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>

namespace lockstep::experiment {

namespace {

constexpr std::string_view InSingleProcesses
    = LS_TR("Messages", "has no effect in this experiment: it runs single processes");
constexpr std::string_view InExperiment = LS_TR("Messages", "has no effect in this experiment: it applies where %1");
constexpr std::string_view InVariants = LS_TR("Messages", "has no effect in %1: it applies where %2");

/// A run of the variant before and after what does not apply was reset.
struct Draft {
    const Variant* variant;
    Assignment given;
    Assignment effective;
};

std::vector<Draft> draftsOf(const Spec& spec, const std::vector<Variant>& variants)
{
    std::vector<Draft> drafts;
    for (const Variant& variant : variants) {
        RunSpec run{spec.experiment, variant.name, 0, withDefaults(spec.base, variant.values)};
        Draft draft{&variant, run.settings, {}};
        dropInapplicable(run);
        draft.effective = std::move(run.settings);
        drafts.push_back(std::move(draft));
    }
    return drafts;
}

} // namespace

Error SettingWithoutEffect::error() const
{
    if (name == "world_size") {
        return refusal(name, InSingleProcesses);
    }
    const Text when = whenItApplies(*findParameter(name));
    return isInEvery ? refusal(name, InExperiment, {when})
                     : refusal(name, InVariants, {verbatim(listed(variants)), when});
}

bool isWithoutEffect(const Error& error)
{
    return error.pattern == InSingleProcesses || error.pattern == InExperiment || error.pattern == InVariants;
}

Text SettingWithoutEffect::textOfRun() const
{
    return refusal(name, LS_TR("Messages", "has no effect in this run: it applies where %1"),
        {whenItApplies(*findParameter(name))});
}

std::vector<SettingWithoutEffect> settingsWithoutEffect(const Spec& spec, std::span<const std::string> asked)
{
    const std::vector<Variant> one{{spec.experiment, {}}};
    const std::vector<Variant>& variants = spec.variants.empty() ? one : spec.variants;
    const std::vector<Draft> drafts = draftsOf(spec, variants);
    std::vector<SettingWithoutEffect> settings;
    for (const Parameter& row : parameters()) {
        SettingWithoutEffect setting{std::string(row.name)};
        if (setting.name == "world_size") {
            continue; // validate() looks at it
        }
        const bool isAsked = std::find(asked.begin(), asked.end(), setting.name) != asked.end();
        for (const Draft& draft : drafts) {
            const bool isOwn = draft.variant->values.contains(setting.name);
            if ((isAsked || isOwn) && draft.given.at(setting.name) != draft.effective.at(setting.name)) {
                setting.variants.push_back(draft.variant->name);
                setting.isOwn = setting.isOwn || isOwn;
            }
        }
        setting.isInEvery = setting.variants.size() == drafts.size();
        if (!setting.variants.empty()) {
            settings.push_back(std::move(setting));
        }
    }
    return settings;
}

Result<void> refuseWithoutEffect(std::span<const SettingWithoutEffect> settings)
{
    const auto refused = std::find_if(settings.begin(), settings.end(),
        [](const SettingWithoutEffect& each) { return each.isInEvery || each.isOwn; });
    return refused == settings.end() ? Result<void>() : refused->error();
}

void addNotes(std::vector<RunSpec>& runs, std::span<const SettingWithoutEffect> settings)
{
    for (RunSpec& run : runs) {
        for (const SettingWithoutEffect& each : settings) {
            if (std::find(each.variants.begin(), each.variants.end(), run.name) != each.variants.end()) {
                run.notes.push_back(each.textOfRun());
            }
        }
    }
}

} // namespace lockstep::experiment
