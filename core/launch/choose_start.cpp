#include "launch/choose_start.h"

#include "launch/ranks/awaited_ranks.h"
#include "launch/ssh/ssh_launcher.h"

namespace lockstep::launch {

namespace {

/// Which flavour of lockstep-rank a host has is said in the file of hosts, or is the same as here.
StartChoice startElsewhere(const SessionOptions& options, const experiment::RunSpec& spec, std::int32_t worldSize)
{
    const auto fits = options.awaits ? checkAwaited(spec) : checkRunOnHosts(options.hosts, spec, worldSize);
    if (!fits) {
        return {.problem = fits.error()};
    }
    const QString program = options.rankProgram.isEmpty() ? findRankProgram() : options.rankProgram;
    return {.choice = {program.isEmpty() ? QStringLiteral("lockstep-rank") : program}};
}

} // namespace

StartChoice chooseStart(const SessionOptions& options, const experiment::RunSpec& spec, std::int32_t worldSize)
{
    if (options.awaits || !options.hosts.empty()) {
        return startElsewhere(options, spec, worldSize);
    }
    const auto choice = programOf(spec, options.rankProgram);
    if (!choice) {
        return {.problem = choice.error()};
    }
    if (choice->program.isEmpty()) {
        return {.problem = noRankProgram(), .cause = FailureCause::Program};
    }
    return {.choice = *choice};
}

} // namespace lockstep::launch
