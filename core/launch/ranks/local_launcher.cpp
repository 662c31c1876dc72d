#include "launch/ranks/local_launcher.h"

#include "launch/own/own_program.h"
#include "launch/ranks/local_process.h"
#include "launch/ranks/ready_process.h"

#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

/// Memory that the ranks of a user's own program share: rank 0 passes commands on through it (lockstep.py, _Board). It
/// has no name: ranks inherit its descriptor.
class ControlMemory {
public:
    ControlMemory()
        : m_descriptor(memfd_create("lockstep-control", MFD_CLOEXEC))
    {
        // A count, 64 entries of 32 bytes, and what each of at most 64 ranks has read, as in lockstep.py.
        constexpr long Bytes = 8 + 64 * 32 + 64 * 8;
        if (m_descriptor >= 0 && ftruncate(m_descriptor, Bytes) != 0) {
            close(std::exchange(m_descriptor, -1));
        }
    }
    ~ControlMemory()
    {
        if (m_descriptor >= 0) {
            close(m_descriptor);
        }
    }
    ControlMemory(const ControlMemory&) = delete;
    ControlMemory& operator=(const ControlMemory&) = delete;

    /// -1 if the system gives none: then rank 0 alone carries commands out. Closed at exec; a child clears that flag.
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

} // namespace

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
        process->start({.program = start.program,
            .arguments = own ? own->arguments : QStringList(),
            .environment = ownEnvironment(start.where, start.spec, rank, modules, memory.descriptor()),
            .inherited = memory.descriptor()});
        processes.push_back(process);
    }
    return processes;
}

} // namespace lockstep::launch
