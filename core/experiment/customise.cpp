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
            kept.back().isEnabled = true;
        }
    }
    for (const std::string& name : only) {
        const bool known
            = std::any_of(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == name; });
        if (!known) {
            return variants.empty()
                ? refusal("--only", LS_TR("Messages", "%1 is not a variant; allowed: none, this spec has no variants"),
                    {verbatim(name)})
                : refusal("--only", LS_TR("Messages", "%1 is not a variant; allowed: %2"),
                    {verbatim(name), verbatim(listed(variants, &Variant::name))});
        }
    }
    return kept;
}

/// A single process stays one rank, and a variant beside others that share a number of ranks keeps its own, whatever is
/// set for these.
bool keepsItsRanks(const Spec& spec, const Variant& variant)
{
    if (spec.base.contains("world_size") && variant.values.contains("world_size")) {
        return true;
    }
    const auto strategyIn = [](const Assignment& values) -> const Value* {
        const auto found = values.find("strategy.name");
        return found == values.end() ? nullptr : &found->second;
    };
    const Value* own = strategyIn(variant.values);
    const Value* strategy = own != nullptr ? own : strategyIn(spec.base);
    return toText(strategy != nullptr ? *strategy : findParameter("strategy.name")->standard) == "single";
}

/// Those whose value `--set` changes; the others get what they had from the base as their own.
std::vector<Variant*> variantsToChange(Spec& spec, const Parameter& row)
{
    std::vector<Variant*> changed;
    std::vector<Variant*> kept;
    for (Variant& variant : spec.variants) {
        (row.name == "world_size" && keepsItsRanks(spec, variant) ? kept : changed).push_back(&variant);
    }
    if (changed.empty()) {
        return kept; // refused later, by what single processes allow
    }
    const auto ofBase = spec.base.find(std::string(row.name));
    for (Variant* variant : kept) {
        variant->values.try_emplace(std::string(row.name), ofBase == spec.base.end() ? row.standard : ofBase->second);
    }
    return changed;
}

/// The variants differ by a key when some have another value of it, or none.
bool differsBetween(const std::vector<Variant*>& variants, const std::string& name)
{
    const auto valueIn = [&](const Variant* variant) {
        const auto found = variant->values.find(name);
        return found == variant->values.end() ? std::string("(base)") : toText(found->second);
    };
    return std::any_of(variants.begin(), variants.end(),
        [&](const Variant* variant) { return valueIn(variant) != valueIn(variants.front()); });
}

Result<void> setRepeats(Spec& spec, const std::string& text)
{
    int repeats = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), repeats);
    if (status != std::errc{} || end != text.data() + text.size() || repeats < 1 || repeats > 100) {
        return refusal("repeats", LS_TR("Messages", "%1 is not an integer in [1, 100]"), {verbatim(text)});
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
    const std::vector<Variant*> changed = variantsToChange(spec, *row);
    if (changed.size() > 1 && differsBetween(changed, change.name)) {
        return refusal(std::string(change.name),
            LS_TR("Messages", "the variants (%1) differ by it; choose one with --only NAME to set it"),
            {verbatim(listed(spec.variants, &Variant::name))});
    }
    for (Variant* variant : changed) {
        variant->values.erase(change.name);
    }
    spec.base[change.name] = value;
    return {};
}

} // namespace

Result<Spec> customise(Spec spec, std::span<const Override> overrides, std::span<const std::string> only)
{
    const std::vector<std::size_t> places = placesOf(spec.variants); // before some of them go
    for (std::size_t i = 0; i < places.size(); ++i) {
        spec.variants[i].place = places[i];
    }
    if (!only.empty()) {
        LOCKSTEP_TRY_ASSIGN(spec.variants, keep(spec.variants, only));
    } else if (!spec.variants.empty()) {
        std::erase_if(spec.variants, [](const Variant& variant) { return !variant.isEnabled; });
        if (spec.variants.empty()) {
            return refusal("variants", LS_TR("Messages", "none is enabled; choose some with --only NAME"));
        }
    }
    for (const Override& change : overrides) {
        LOCKSTEP_TRY(setOne(spec, change));
    }
    return spec;
}

} // namespace lockstep::experiment
