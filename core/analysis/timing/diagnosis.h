// Which rank the others waited for, from the last calls of each (wire::CallBatch).
#pragma once

#include "base/call.h"
#include "base/text.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// As wire::CallRow.
struct RecordedCall {
    Call call = Call::Barrier;
    std::int64_t step = 0;
    std::int64_t number = 0;
    std::int32_t group = 0;
    std::uint64_t members = 0;
    std::int32_t peer = -1;
    std::int64_t waitedNs = 0; ///< since when its rank waits for it; 0: it was started, and not waited for
    std::int64_t leftNs = 0; ///< 0: it has not returned
};

/// The last calls of one rank, oldest first.
struct RankCallHistory {
    std::int32_t rank = 0;
    std::int64_t timeNs = 0; ///< when they were read
    std::vector<RecordedCall> calls;
};

/// A call that a rank never entered.
struct MissedCall {
    std::int32_t rank = 0; ///< that is missing
    Call call = Call::Barrier; ///< that it did not enter
    std::int64_t number = 0;
    std::int64_t step = 0; ///< that those who wait are in
    std::vector<std::int32_t> members{}; ///< of its group
    std::int32_t peer = -1; ///< of a message: who waits
    bool isOfAll = true; ///< the group has all ranks
    double waitedSeconds = 0.0; ///< by the rank that has waited longest
};

/// Ranks wait for each other: the missing one is a rank that others wait for and that itself waits for none, in the
/// earliest step, and there since the earliest time. Where every rank waits, it is any. Nothing if no rank waits. Of
/// several messages that the rank did not enter in its first step, no earlier step shows which came next: it is any.
[[nodiscard]] std::optional<MissedCall> missedCall(std::span<const RankCallHistory> ranks);

/// "rank 2 never entered all_reduce number 41, the others waited 30 s".
[[nodiscard]] Text sentence(const MissedCall& missed);

} // namespace lockstep::analysis
