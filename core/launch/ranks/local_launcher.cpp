#include "launch/ranks/local_launcher.h"

#include "launch/own/own_program.h"
#include "launch/ranks/control_memory.h"
#include "launch/ranks/local_process.h"
#include "launch/ranks/ready_process.h"
#include "store/output_folder.h"

namespace lockstep::launch {

std::vector<RankProcess*> ThisMachine::start(const RankStart& start)
{
    if (isOwnProgram(start.spec)) {
        return startOwnProgram(start);
    }
    std::vector<RankProcess*> processes;
    for (std::int32_t rank = 0; rank < start.where.worldSize; ++rank) {
        const QProcessEnvironment environment = rankEnvironment(start.where, start.spec, rank);
        if (start.ready != nullptr) {
            processes.push_back(start.ready->fork(rank, experiment::toJson(start.spec), environment, this));
            continue;
        }
        auto* process = new LocalProcess(rank, this);
        process->start({.program = start.program, .environment = environment});
        processes.push_back(process);
    }
    return processes;
}

/// Once they run, only they have the shared memory.
std::vector<RankProcess*> ThisMachine::startOwnProgram(const RankStart& start)
{
    const ControlMemory memory;
    const auto own = ownProgram(start.spec);
    const QString modules = pythonFolder(start.storeFolder);
    std::vector<RankProcess*> processes;
    for (std::int32_t rank = 0; rank < start.where.worldSize; ++rank) {
        auto* process = new LocalProcess(rank, this);
        process->keepOutput(store::outputFileOf(start.storeFolder, start.where.run, rank));
        process->start({.program = start.program,
            .arguments = own ? own->arguments : QStringList(),
            .environment = ownEnvironment(start.where, start.spec, rank, modules, memory.descriptor()),
            .inherited = memory.descriptor()});
        processes.push_back(process);
    }
    return processes;
}

} // namespace lockstep::launch
