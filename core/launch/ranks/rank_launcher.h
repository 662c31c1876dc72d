// Where and how the ranks of a run are started: on this machine (this_machine.h), by mpirun (mpirun.h), over ssh or
// srun on other hosts (ssh/ssh_launcher.h), by a user's own program (script_ranks.h), or by others (awaited_ranks.h).
// Session thread only.
#pragma once

#include "experiment/spec.h"
#include "launch/rank_environment.h"
#include "launch/ranks/rank_process.h"
#include "launch/session.h"
#include "wire/workbench_file.h"

#include <QObject>
#include <QString>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lockstep::launch {

class ReadyProcess;

struct RankStart {
    const experiment::RunSpec& spec; ///< outlives the ranks
    Rendezvous where{};
    QString program{}; ///< on this machine
    QString storeFolder{};
    ReadyProcess* ready = nullptr; ///< forks the ranks of this machine; null: they are started
    wire::WorkbenchAddress address{}; ///< for ranks that others start
    std::function<void(std::int32_t rank)> cutOff{}; ///< closes a rank's connection
};

enum class FailureCause {
    Run, ///< what happened in the run
    Refused, ///< its input, by a check or a rank; the error's subject says which parameter
    Program, ///< cannot be started
    Workbench, ///< what all runs need of it: the store, the port, the file that contains the secret
};

class RankLauncher : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// By rank; they live as long as this. Called once.
    [[nodiscard]] virtual std::vector<RankProcess*> start(const RankStart& start) = 0;
    /// The ranks above 0 of a world that a script makes, once one of them has said how many there are. Called once.
    [[nodiscard]] virtual std::vector<RankProcess*> join(std::int32_t /*worldSize*/) { return {}; }

protected:
    /// Of ranks that end together. The one that caused it comes first: its cause is the run's.
    template <typename Member>
    static void reportEnds(const std::vector<Member*>& members, std::optional<std::int32_t> cause)
    {
        const auto report = [](Member* member) {
            if (!member->hasEnded()) {
                member->reportEnd();
            }
        };
        if (cause) {
            report(members[static_cast<std::size_t>(*cause)]);
        }
        std::ranges::for_each(members, report);
    }

Q_SIGNALS:
    /// The ranks cannot be started where they should.
    void failed(const lockstep::Error& reason, lockstep::launch::FailureCause cause);
    void noted(const lockstep::Text& line);
};

} // namespace lockstep::launch
