#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <cassert>

namespace lockstep::experiment {

namespace {

constexpr std::int64_t StandardDigits = 8000;

template <typename T>
const T& setting(const Assignment& settings, std::string_view name)
{
    const auto found = settings.find(std::string(name));
    assert(found != settings.end() && std::holds_alternative<T>(found->second));
    return std::get<T>(found->second);
}

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
    return settings;
}

Error named(const RunSpec& run, const Error& error)
{
    return run.name == run.experiment ? error : Error{error.message + " (variant " + run.name + ")"};
}

} // namespace

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

Result<void> validate(const RunSpec& run)
{
    if (const std::int64_t world = run.integer("world_size"); world > 1) {
        return Error{"world_size: " + std::to_string(world) + " does not fit strategy.name " + run.text("strategy.name")
            + ", which needs 1"};
    }
    if (run.text("dataset.name") == "idx" && run.text("dataset.path").empty()) {
        return Error{"dataset.path: an idx data set needs the folder of its four files"};
    }
    const bool wholeBatch = run.text("optimizer.name") == "gd";
    const std::int64_t asked = run.integer("dataset.train_samples");
    const std::int64_t known = asked == 0 && run.text("dataset.name") == "digits" ? StandardDigits : asked;
    if (!wholeBatch && known != 0 && run.integer("train.batch") > known) {
        return Error{"train.batch: " + std::to_string(run.integer("train.batch")) + " is more than the "
            + std::to_string(known) + " training samples"};
    }
    return {};
}

Result<std::vector<RunSpec>> expand(const Spec& spec)
{
    std::vector<RunSpec> runs;
    const std::vector<Variant> one{{spec.experiment, {}}};
    for (const Variant& variant : spec.variants.empty() ? one : spec.variants) {
        for (int repeat = 0; repeat < spec.repeats; ++repeat) {
            RunSpec run{spec.experiment, variant.name, repeat, withDefaults(spec.base, variant.values)};
            run.settings["train.seed"] = run.integer("train.seed") + repeat;
            if (auto inRange = checkValue(*findParameter("train.seed"), run.settings["train.seed"]); !inRange) {
                return named(run, inRange.error());
            }
            if (auto valid = validate(run); !valid) {
                return named(run, valid.error());
            }
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

} // namespace lockstep::experiment
