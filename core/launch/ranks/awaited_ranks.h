// Ranks that others start, wherever they like: a file has the address at which the workbench waits
// (wire/workbench_file.h). All that is known of such a rank is its connection. Session thread only.
#pragma once

#include "base/descriptor.h"
#include "launch/ranks/rank_launcher.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::launch {

/// Refuses what others cannot start as a rank: a user's own program.
[[nodiscard]] Result<void> checkAwaited(const experiment::RunSpec& spec);

class AwaitedRank final : public RankProcess {
    Q_OBJECT

public:
    using CutOff = std::function<void(std::int32_t rank)>;
    using Arrived = std::function<void(std::int32_t rank, const wire::Hello& hello)>;
    /// How far each host's clock is ahead of this machine's, by the wall clocks of both: exact only as far as those
    /// agree. What the ranks measure of their clocks is corrected by as much.
    using Shifts = std::shared_ptr<std::map<std::string, std::int64_t>>;
    AwaitedRank(std::int32_t rank, CutOff cutOff, Arrived arrived, Shifts shifts, QObject* parent);

    [[nodiscard]] bool isAlive() const override { return !hasEnded(); }
    [[nodiscard]] bool endedWell() const override { return m_saidGoodbye; }
    [[nodiscard]] Text causeOfEnd() const override { return m_cause; }
    [[nodiscard]] bool isHere() const override { return false; }
    [[nodiscard]] bool mayComeLate() const override { return true; }
    [[nodiscard]] std::int64_t clockShiftNs() const override { return m_shiftNs; }

    void connectionOpened(const wire::Hello& hello) override;
    void connectionClosed(bool hasSaidGoodbye) override;
    /// It ends itself without its workbench.
    void terminate() override;
    void kill() override { terminate(); }

private:
    void end(Text cause);

    CutOff m_cutOff;
    Arrived m_arrived;
    Shifts m_shifts;
    std::int64_t m_shiftNs = 0;
    Text m_cause;
    bool m_saidGoodbye = false;
};

class AwaitedRanks final : public RankLauncher {
    Q_OBJECT

public:
    AwaitedRanks(QString file, QObject* parent);
    /// Removes the file, whose secret is of no more use; so does the end of the last rank.
    ~AwaitedRanks() override;

    [[nodiscard]] std::vector<RankProcess*> start(const RankStart& start) override;

private:
    /// Unless another run has rewritten it.
    void removeFile();

    QString m_file;
    std::string m_text;
    Descriptor m_lock; ///< the file while it is of use: a second workbench does not take it
    std::size_t m_alive = 0;
};

} // namespace lockstep::launch
