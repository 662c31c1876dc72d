#include "session/launch/rank_launcher.h"

#include "session/launch/awaited_ranks.h"
#include "session/launch/mpirun.h"
#include "session/launch/own_program.h"
#include "session/launch/ssh/ssh_launcher.h"
#include "session/launch/this_machine.h"

namespace lockstep::session {

bool usesMpirun(const experiment::RunSpec& spec, std::int32_t worldSize)
{
    const auto backend = spec.settings.find("comm.backend");
    return worldSize > 1 && backend != spec.settings.end() && backend->second == experiment::Value(std::string("mpi"));
}

RankLauncher* launcherOf(
    const SessionOptions& options, const experiment::RunSpec& spec, std::int32_t worldSize, QObject* parent)
{
    if (options.awaits) {
        return new AwaitedRanks(options.awaits->file, parent);
    }
    if (!options.hosts.empty()) {
        return new SshLauncher(options.hosts, parent);
    }
    if (usesMpirun(spec, worldSize) && !isOwnProgram(spec)) {
        return new Mpirun(worldSize, parent);
    }
    return new ThisMachine(parent);
}

} // namespace lockstep::session
