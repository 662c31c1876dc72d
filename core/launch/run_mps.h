// What one run uses of its session's MPS (mps/mps_share.h), from before its ranks start to its end. Session thread
// only.
#pragma once

#include "launch/mps/mps_share.h"
#include "launch/ranks/rank_program.h"
#include "launch/session.h"

#include <cstdint>
#include <optional>

namespace lockstep::launch {

class RunMps {
public:
    /// `share` may be null: the run uses none. It outlives this.
    explicit RunMps(MpsShare* share)
        : m_share(share)
    { }

    /// Refuses a run that requires MPS (`device.mps` on) where it cannot run.
    [[nodiscard]] Result<void> begin(
        const experiment::RunSpec& run, const SessionOptions& options, const RankChoice& choice, std::int32_t ranks);
    [[nodiscard]] const MpsUse& use() const { return m_use; }
    /// The run has ended. Its failure, if any, with what MPS has to do with it.
    [[nodiscard]] std::optional<Text> end(const std::optional<Text>& failure) const;

private:
    MpsShare* m_share;
    MpsUse m_use;
};

} // namespace lockstep::launch
