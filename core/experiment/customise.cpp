#include "experiment/json_values.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>
#include <charconv>

namespace lockstep::experiment {

namespace {

Result<std::vector<Variant>> keep(const std::vector<Variant>& variants, std::span<const std::string> only)
{
    std::vector<Variant> kept;
    for (const Variant& variant : variants) {
        if (std::find(only.begin(), only.end(), variant.name) != only.end()) {
            kept.push_back(variant);
        }
    }
    for (const std::string& name : only) {
        const bool known
            = std::any_of(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == name; });
        if (!known) {
            std::string allowed;
            for (const Variant& variant : variants) {
                allowed += (allowed.empty() ? "" : ", ") + variant.name;
            }
            return Error{"--only: " + name
                + " is not a variant; allowed: " + (allowed.empty() ? "none, this spec has no variants" : allowed)};
        }
    }
    return kept;
}

/// The variants differ by a key when some have another value of it, or none.
bool differsBetween(const std::vector<Variant>& variants, const std::string& name)
{
    const auto valueIn = [&](const Variant& variant) {
        const auto found = variant.values.find(name);
        return found == variant.values.end() ? std::string("(base)") : toText(found->second);
    };
    return std::any_of(variants.begin(), variants.end(),
        [&](const Variant& variant) { return valueIn(variant) != valueIn(variants.front()); });
}

Result<void> setRepeats(Spec& spec, const std::string& text)
{
    int repeats = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), repeats);
    if (status != std::errc{} || end != text.data() + text.size() || repeats < 1 || repeats > 100) {
        return Error{"repeats: " + text + " is not an integer in [1, 100]"};
    }
    spec.repeats = repeats;
    return {};
}

Result<void> setOne(Spec& spec, const Override& change)
{
    if (change.name == "repeats") {
        return setRepeats(spec, change.text);
    }
    const Parameter* row = findParameter(change.name);
    if (row == nullptr) {
        return unknownParameter(change.name);
    }
    LOCKSTEP_TRY_ASSIGN(const auto value, parseValue(*row, change.text));
    if (spec.variants.size() > 1 && differsBetween(spec.variants, change.name)) {
        std::string names;
        for (const Variant& variant : spec.variants) {
            names += (names.empty() ? "" : ", ") + variant.name;
        }
        return Error{
            change.name + ": the variants (" + names + ") differ by it; choose one with --only NAME to set it"};
    }
    for (Variant& variant : spec.variants) {
        variant.values.erase(change.name);
    }
    spec.base[change.name] = value;
    return {};
}

} // namespace

Result<Spec> customise(Spec spec, std::span<const Override> overrides, std::span<const std::string> only)
{
    if (!only.empty()) {
        LOCKSTEP_TRY_ASSIGN(spec.variants, keep(spec.variants, only));
    }
    for (const Override& change : overrides) {
        LOCKSTEP_TRY(setOne(spec, change));
    }
    return spec;
}

} // namespace lockstep::experiment
