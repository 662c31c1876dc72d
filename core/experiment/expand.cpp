#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace lockstep::experiment {

namespace {

template <typename T>
const T& setting(const Assignment& settings, std::string_view name)
{
    const auto found = settings.find(std::string(name));
    assert(found != settings.end() && std::holds_alternative<T>(found->second));
    return std::get<T>(found->second);
}

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

bool RunSpec::boolean(std::string_view key) const
{
    return setting<bool>(settings, key);
}
std::int64_t RunSpec::integer(std::string_view key) const
{
    return setting<std::int64_t>(settings, key);
}
double RunSpec::real(std::string_view key) const
{
    return setting<double>(settings, key);
}
const std::string& RunSpec::text(std::string_view key) const
{
    return setting<std::string>(settings, key);
}
const std::vector<double>& RunSpec::reals(std::string_view key) const
{
    return setting<std::vector<double>>(settings, key);
}
const std::vector<std::int64_t>& RunSpec::integers(std::string_view key) const
{
    return setting<std::vector<std::int64_t>>(settings, key);
}

void dropInapplicable(RunSpec& run)
{
    // A parameter that is reset may be the condition of another.
    for (bool changes = true; changes;) {
        changes = false;
        for (const Parameter& row : parameters()) {
            Value& value = run.settings[std::string(row.name)];
            if (value != row.standard && !applies(row, run.settings)) {
                value = row.standard;
                changes = true;
            }
        }
    }
}

Result<std::vector<RunSpec>> expand(const Spec& spec)
{
    std::vector<RunSpec> runs;
    const std::vector<Variant> one{{spec.experiment, {}}};
    for (const Variant& variant : spec.variants.empty() ? one : spec.variants) {
        for (int repeat = 0; variant.isEnabled && repeat < spec.repeats; ++repeat) {
            RunSpec run{spec.experiment, variant.name, repeat, withDefaults(spec.base, variant.values)};
            run.settings["train.seed"] = run.integer("train.seed") + repeat;
            if (auto inRange = checkValue(*findParameter("train.seed"), run.settings["train.seed"]); !inRange) {
                return named(run, inRange.error());
            }
            if (auto valid = validate(run); !valid) {
                return named(run, valid.error());
            }
            dropInapplicable(run);
            runs.push_back(std::move(run));
        }
    }
    if (runs.empty()) {
        return Error{"variants: none is enabled; choose some with --only NAME"};
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
