#include "engine/program/run_spec.h"

#include "plan/check.h"

namespace lockstep::engine {

Result<experiment::RunSpec> readRunSpec(const std::string& json, std::int32_t ranks)
{
    LOCKSTEP_TRY_ASSIGN(auto run, experiment::parseRunSpec(json, ranks));
    LOCKSTEP_TRY(experiment::validate(run));
    experiment::dropInapplicable(run);
    LOCKSTEP_TRY(plan::check(run));
    return run;
}

} // namespace lockstep::engine
