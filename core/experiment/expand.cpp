#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace lockstep::experiment {

namespace {

Error named(const RunSpec& run, const Error& error)
{
    return run.name == run.experiment ? error : ofVariant(error, run.name);
}

} // namespace

Assignment withDefaults(const Assignment& base, const Assignment& variant)
{
    Assignment settings;
    for (const Parameter& row : parameters()) {
        settings[std::string(row.name)] = row.standard;
    }
    for (const Assignment* layer : {&base, &variant}) {
        for (const auto& [name, value] : *layer) {
            settings[name] = value;
        }
    }
    // A program says which strategy it needs.
    const bool isNamed = base.contains("strategy.name") || variant.contains("strategy.name");
    if (!isNamed && settings["rank.program"] != Value(std::string())) {
        settings["strategy.name"] = std::string("own");
    }
    return settings;
}

void dropInapplicable(RunSpec& run)
{
    // A parameter that is reset may be the condition of another.
    for (bool changes = true; changes;) {
        changes = false;
        for (const Parameter& row : parameters()) {
            const std::string name(row.name);
            const auto found = run.settings.find(name); // a record of an older version may lack it
            if (found != run.settings.end() && found->second != row.standard && !applies(row, run.settings)) {
                run.settings.set(name, row.standard);
                changes = true;
            }
        }
    }
}

std::vector<std::size_t> placesOf(std::span<const Variant> variants)
{
    std::set<std::size_t> taken;
    std::vector<std::optional<std::size_t>> places;
    const auto take
        = [&taken](std::size_t place) { return taken.insert(place).second ? std::optional(place) : std::nullopt; };
    for (const Variant& variant : variants) {
        places.push_back(variant.place ? take(*variant.place) : std::nullopt);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = places[i] ? places[i] : take(i);
    }
    std::vector<std::size_t> all;
    std::size_t next = 0;
    for (const std::optional<std::size_t>& place : places) {
        while (!place && !take(next)) {
            ++next;
        }
        all.push_back(place.value_or(next));
    }
    return all;
}

Result<std::vector<RunSpec>> expand(const Spec& spec)
{
    std::vector<RunSpec> runs;
    const std::vector<Variant> one{{spec.experiment, {}}};
    const std::vector<Variant>& variants = spec.variants.empty() ? one : spec.variants;
    const std::vector<std::size_t> places = placesOf(variants);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const Variant& variant = variants[i];
        for (int repeat = 0; variant.isEnabled && repeat < spec.repeats; ++repeat) {
            RunSpec run{spec.experiment, variant.name, repeat, withDefaults(spec.base, variant.values)};
            run.title = spec.about.title;
            run.question = spec.about.question;
            const Value seed = run.settings->train.seed + repeat;
            run.settings.set(nameOf(&TrainSettings::seed), seed);
            if (auto inRange = checkValue(parameterOf(&TrainSettings::seed), seed); !inRange) {
                return named(run, inRange.error());
            }
            if (auto valid = validate(run); !valid) {
                return named(run, valid.error());
            }
            dropInapplicable(run);
            run.place = places[i];
            runs.push_back(std::move(run));
        }
    }
    if (runs.empty()) {
        return refusal("variants", LS_TR("Messages", "none is enabled; choose some with --only NAME"));
    }
    return runs;
}

std::size_t baselineOf(std::span<const std::string> names)
{
    const auto found = std::find(names.begin(), names.end(), BaselineName);
    return found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin());
}

std::vector<std::size_t> orderBySeed(std::span<const RunSpec> runs)
{
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(
        order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return runs[a].repeat < runs[b].repeat; });
    return order;
}

} // namespace lockstep::experiment
