#include "launch/choose_launcher.h"

#include "launch/own/own_program.h"
#include "launch/own/watched_program.h"
#include "launch/ranks/awaited_ranks.h"
#include "launch/ranks/local_launcher.h"
#include "launch/ranks/mpirun.h"
#include "launch/ranks/script_ranks.h"
#include "launch/ssh/ssh_launcher.h"

namespace lockstep::launch {

bool usesMpirun(const experiment::RunSpec& spec, std::int32_t worldSize)
{
    return worldSize > 1 && is(spec, experiment::Backend::Mpi);
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
    if (makesItsRanks(spec) && options.ranks == 0) {
        return new ScriptRanks(parent);
    }
    if (usesMpirun(spec, worldSize) && !isOwnProgram(spec)) {
        return new Mpirun(worldSize, parent);
    }
    return new ThisMachine(parent);
}

} // namespace lockstep::launch
