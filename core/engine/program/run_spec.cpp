#include "engine/program/run_spec.h"

#include "base/translate.h"
#include "datasets/registry.h"
#include "plan/check.h"

#include <fmt/format.h>

#include <optional>

namespace lockstep::engine {

namespace {

/// What the spec's writer read was another data set.
Error otherData(const experiment::DataFacts& said, const experiment::DataFacts& found)
{
    const auto text = [](const experiment::DataFacts& facts) {
        return fmt::format("{} x {} x {}", facts.channels, facts.rows, facts.columns);
    };
    return refusal(nameOf(&experiment::DatasetSettings::path),
        LS_TR("Refusals",
            "the spec was made for %1 classes of %2 images, but the files here have %3 classes of %4; use the same "
            "files, or remove `data` from the spec"),
        {said.classes, verbatim(text(said)), found.classes, verbatim(text(found))});
}

} // namespace

Result<experiment::RunSpec> readRunSpec(const std::string& json, std::int32_t ranks)
{
    LOCKSTEP_TRY_ASSIGN(auto run, experiment::parseRunSpec(json, ranks));
    LOCKSTEP_TRY(experiment::validate(run));
    experiment::dropInapplicable(run);
    const std::optional<experiment::DataFacts> said = run.data;
    LOCKSTEP_TRY(datasets::describe(run));
    if (said && run.data && !said->hasSameNetAs(*run.data)) {
        return otherData(*said, *run.data);
    }
    LOCKSTEP_TRY(plan::check(run));
    return run;
}

} // namespace lockstep::engine
