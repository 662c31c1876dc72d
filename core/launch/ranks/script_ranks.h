// A user's own program that makes its ranks itself (mp.spawn, torchrun), or is a single process: one process is
// started, and its processes join as ranks by saying hello. Of such a rank only its connection is known; all end with
// the process that was started. Session thread only.
#pragma once

#include "launch/ranks/control_memory.h"
#include "launch/ranks/local_process.h"
#include "launch/ranks/rank_launcher.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

class ScriptRanks final : public RankLauncher {
    Q_OBJECT

public:
    explicit ScriptRanks(QObject* parent);

    /// Rank 0, which is there before anyone has joined.
    [[nodiscard]] std::vector<RankProcess*> start(const RankStart& start) override;
    [[nodiscard]] std::vector<RankProcess*> join(std::int32_t worldSize) override;

private:
    class Member;

    void onEnded();
    void reportEnd();
    /// To the ranks that are connected: launchers start them in process groups of their own.
    void signalRanks(int signal);

    LocalProcess m_program;
    ControlMemory m_memory; ///< ranks open it as a file of this process
    std::vector<Member*> m_members; ///< by rank
    std::optional<std::int32_t> m_lost; ///< the first whose connection closed without a goodbye
    std::string m_mark; ///< in the environment of every process of the run
};

} // namespace lockstep::launch
