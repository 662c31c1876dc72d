// A process of this machine for each rank: started, forked from a ready process, or of a user's own program. Session
// thread only.
#pragma once

#include "launch/ranks/rank_launcher.h"

namespace lockstep::launch {

class ThisMachine final : public RankLauncher {
    Q_OBJECT

public:
    using RankLauncher::RankLauncher;

    [[nodiscard]] std::vector<RankProcess*> start(const RankStart& start) override;

private:
    [[nodiscard]] std::vector<RankProcess*> startOwnProgram(const RankStart& start);
};

} // namespace lockstep::launch
