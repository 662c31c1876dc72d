// Specs: JSON that a user wrote, that came over the control socket, or that lies in a run's file.
#include "fuzz.h"

#include "experiment/spec.h"
#include "plan/check.h"

using namespace lockstep;
using namespace lockstep::fuzz;

namespace {

constexpr std::size_t MostRuns = 8; ///< of one spec, for speed

/// What a rank does with the spec of its run, and that it gets the run that was meant.
void readRun(const experiment::RunSpec& run)
{
    static_cast<void>(plan::check(run));
    static_cast<void>(experiment::worldSizeOf(run));
    const auto again = experiment::parseRunSpec(experiment::toJson(run));
    require(again.isOk(), "a run that was expanded can be read from its JSON");
    require(again->settings == run.settings, "its settings are the same");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static_cast<void>(experiment::parseRunSpec(text));
    const auto spec = experiment::parseSpec(text);
    if (!spec) {
        return 0;
    }
    const std::string json = experiment::toJson(*spec);
    const auto same = experiment::parseSpec(json);
    require(same && experiment::toJson(*same) == json, "a spec that was read reads the same once written");
    static_cast<void>(experiment::settingsWithoutEffect(*spec, {}));
    const auto runs = experiment::expand(*spec);
    for (std::size_t i = 0; runs && i < std::min(MostRuns, runs->size()); ++i) {
        readRun((*runs)[i]);
    }
    return 0;
}
