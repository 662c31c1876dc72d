// A run of a user's own program, which knows nothing of the workbench: its ranks join when they like, and its exit code
// says how it ended, whatever was seen of it. Session thread only.
#pragma once

#include "experiment/spec.h"
#include "launch/ranks/rank_process.h"
#include "wire/messages.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace lockstep::launch {

struct SessionOptions;

/// How a rank ended that is not explained by its goodbye. `lastStep`: 0 before the first.
[[nodiscard]] Text causeOfLoss(
    const RankProcess& process, bool hasSaidGoodbye, const experiment::RunSpec& run, std::int64_t lastStep);

class ProgramRun {
public:
    ProgramRun(const experiment::RunSpec& run, const SessionOptions& options);

    /// Of any other run nothing below says anything.
    [[nodiscard]] bool isOwn() const { return m_isOwn; }
    /// The script makes its ranks.
    [[nodiscard]] bool isOpen() const { return m_isOpen; }

    /// True for the first rank that connects.
    [[nodiscard]] bool join() { return !std::exchange(m_hasJoined, true); }
    /// What its watcher found is worded; every other message stays as it is.
    [[nodiscard]] wire::Message worded(const wire::Message& message) const;
    /// Whether this end of a rank is none to worry about: exit code 0, or a crash after its goodbye, as while libraries
    /// are being unloaded.
    [[nodiscard]] bool endedAsItWanted(const RankProcess& process, const std::optional<wire::Goodbye>& goodbye) const;
    /// What is to be said of it when it has finished: of a crash after the last step, or why nothing was seen of it.
    [[nodiscard]] Text lastWord(const Text& crash, bool hasSteps) const;

private:
    const experiment::RunSpec& m_run;
    bool m_isOwn;
    bool m_isOpen;
    bool m_hasJoined = false;
};

} // namespace lockstep::launch
