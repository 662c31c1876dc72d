// The ranks of a run as one job of Open MPI's mpirun, which starts them, passes their output on, and ends all when one
// dies. Session thread only.
#pragma once

#include "base/draft_folder.h"
#include "launch/ranks/local_process.h"
#include "launch/ranks/rank_launcher.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

class Mpirun final : public RankLauncher {
    Q_OBJECT

public:
    /// Empty if there is none in PATH.
    [[nodiscard]] static QString program();

    Mpirun(std::int32_t worldSize, QObject* parent);

    [[nodiscard]] std::vector<RankProcess*> start(const RankStart& start) override;

private:
    class Member;

    void onLine(const wire::LogLine& line);
    void onEnded();

    std::optional<DraftFolder> m_folder; ///< for Open MPI's own files; outlives mpirun
    LocalProcess m_mpirun;
    std::vector<Member*> m_members;
    std::optional<std::int32_t> m_culprit; ///< the rank whose end made mpirun end the others
    Text m_cause;
};

} // namespace lockstep::launch
