#include "experiment/command_of.h"

#include "experiment/parameter.h"
#include "experiment/vary.h"

#include <algorithm>
#include <optional>
#include <set>

namespace lockstep::experiment {

namespace {

constexpr std::size_t MostVaried = 4; ///< all orders of these are tried

/// What follows `lockstep run PRESET`.
struct Options {
    std::vector<std::string> only;
    std::vector<Override> overrides;
    std::vector<VariedParameter> varied;
};

bool areEqual(const std::vector<RunSpec>& a, const std::vector<RunSpec>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RunSpec& one, const RunSpec& other) {
        return one.name == other.name && one.repeat == other.repeat && one.settings == other.settings;
    });
}

bool gives(const Spec& preset, const Options& options, const std::vector<RunSpec>& runs)
{
    auto spec = customise(preset, options.overrides, options.only);
    if (spec) {
        spec = vary(*std::move(spec), options.varied);
    }
    const auto expanded = spec ? expand(*spec) : Result<std::vector<RunSpec>>(spec.error());
    return expanded && areEqual(*expanded, runs);
}

std::vector<Override> overridesOver(const Spec& preset, const Spec& spec)
{
    std::vector<Override> overrides;
    const Assignment before = withDefaults(preset.base, {});
    const Assignment after = withDefaults(spec.base, {});
    for (const Parameter& row : parameters()) {
        const std::string name(row.name);
        if (before.at(name) != after.at(name)) {
            overrides.push_back({name, toText(after.at(name))});
        }
    }
    // What has no effect would be refused.
    std::vector<std::string> names;
    for (const Override& each : overrides) {
        names.push_back(each.name);
    }
    for (const SettingWithoutEffect& each : settingsWithoutEffect(spec, names)) {
        std::erase_if(overrides, [&](const Override& o) { return each.isInEvery && o.name == each.name; });
    }
    if (preset.repeats != spec.repeats) {
        overrides.push_back({"repeats", std::to_string(spec.repeats)});
    }
    return overrides;
}

/// Parameters that every variant sets, with their values in order of appearance.
std::vector<VariedParameter> columnsOf(const Spec& spec)
{
    std::vector<VariedParameter> columns;
    for (const Parameter& row : parameters()) {
        VariedParameter column{&row, {}};
        for (const Variant& variant : spec.variants) {
            const auto value = variant.values.find(std::string(row.name));
            if (value == variant.values.end()) {
                continue; // it may not apply there
            }
            if (std::find(column.values.begin(), column.values.end(), value->second) == column.values.end()) {
                column.values.push_back(value->second);
            }
        }
        if (!column.values.empty()) {
            columns.push_back(std::move(column));
        }
    }
    return columns;
}

/// Those of the preset from which variants of these names can have been made.
std::vector<std::string> originsOf(const Spec& preset, const Spec& spec)
{
    std::vector<std::string> origins;
    for (const Variant& origin : preset.variants) {
        const bool isOrigin = std::any_of(spec.variants.begin(), spec.variants.end(), [&](const Variant& variant) {
            return variant.name == origin.name || variant.name.starts_with(origin.name + " ");
        });
        if (isOrigin) {
            origins.push_back(origin.name);
        }
    }
    return origins;
}

std::optional<Options> shortOptions(const Spec& preset, const Spec& spec, const std::vector<RunSpec>& runs)
{
    Options options{{}, overridesOver(preset, spec), {}};
    const std::vector<std::string> origins = originsOf(preset, spec);
    if (origins.empty() != preset.variants.empty()) {
        return std::nullopt;
    }
    for (const bool takesAll : {true, false}) {
        options.only = takesAll ? std::vector<std::string>() : origins;
        options.varied.clear();
        if (gives(preset, options, runs)) {
            return options;
        }
        options.varied = columnsOf(spec);
        std::erase_if(options.varied, [&](const VariedParameter& each) {
            return origins.size() > 1
                && std::any_of(preset.variants.begin(), preset.variants.end(),
                    [&](const Variant& v) { return v.values.contains(std::string(each.parameter->name)); });
        });
        if (options.varied.size() > MostVaried) {
            continue;
        }
        const auto byPlace
            = [](const VariedParameter& a, const VariedParameter& b) { return a.parameter < b.parameter; };
        std::sort(options.varied.begin(), options.varied.end(), byPlace);
        do {
            if (gives(preset, options, runs)) {
                return options;
            }
        } while (std::next_permutation(options.varied.begin(), options.varied.end(), byPlace));
    }
    return std::nullopt;
}

std::string lineOf(const std::string& preset, const Options& options)
{
    std::string line = "lockstep run " + preset;
    line += options.only.empty() ? "" : " --only " + shellQuoted(listed(options.only, {}, ","));
    for (const Override& each : options.overrides) {
        line += " --set " + shellQuoted(each.name + "=" + each.text);
    }
    for (const VariedParameter& each : options.varied) {
        line += " --vary "
            + shellQuoted(std::string(each.parameter->name) + "=" + valuesText(*each.parameter, each.values));
    }
    return line;
}

} // namespace

std::string shellQuoted(const std::string& text)
{
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("_=.,:/+-").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlain)) {
        return text;
    }
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return result + "'";
}

std::string commandOf(const Spec& spec)
{
    Spec enabled = spec;
    std::erase_if(enabled.variants, [](const Variant& variant) { return !variant.isEnabled; });
    const auto runs = expand(enabled);
    const auto start = preset(spec.experiment);
    if (runs && start) {
        if (const auto options = shortOptions(*start, enabled, *runs)) {
            return lineOf(spec.experiment, *options);
        }
    }
    // A line of JSON never is the word that ends the document.
    return "lockstep run /dev/stdin <<'END'\n" + toJson(spec) + "\nEND";
}

} // namespace lockstep::experiment
