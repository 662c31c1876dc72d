// A process of this machine for each rank: started, forked from a ready process, or of one's own program. Session
// thread only.
#pragma once

#include "session/launch/rank_launcher.h"

namespace lockstep::session {

class ThisMachine final : public RankLauncher {
    Q_OBJECT

public:
    using RankLauncher::RankLauncher;

    [[nodiscard]] std::vector<RankProcess*> start(const RankStart& start) override;

private:
    [[nodiscard]] std::vector<RankProcess*> startOwnProgram(const RankStart& start);
};

} // namespace lockstep::session
