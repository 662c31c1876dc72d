// A call as its ranks compare it, for backends that would hang or overwrite memory where the ranks call different
// things.
#pragma once

#include "engine/comm/communicator.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::comm {

/// What all ranks of a call must have in common, as it is exchanged.
struct CallSignature {
    std::int64_t what = 0;
    std::int64_t type = 0;
    std::int64_t reduction = 0;
    std::int64_t root = -1;
    std::int64_t count = 0;

    auto operator<=>(const CallSignature&) const = default;
};

inline CallSignature signatureOf(const Operation& op)
{
    const bool hasRoot = op.what == Collective::Broadcast || op.what == Collective::Reduce
        || op.what == Collective::Gather || op.what == Collective::Scatter;
    const bool countsOut
        = op.what == Collective::Scatter || op.what == Collective::ReduceScatter || op.what == Collective::Broadcast;
    const bool isBarrier = op.what == Collective::Barrier;
    return {.what = static_cast<std::int64_t>(op.what),
        .type = isBarrier ? 0 : static_cast<std::int64_t>(countsOut ? op.out.type : op.in.type),
        .reduction = isReducing(op.what) ? static_cast<std::int64_t>(op.reduction) : 0,
        .root = hasRoot ? op.root : -1,
        .count = isBarrier ? 0
            : countsOut    ? op.out.count
                           : op.in.count};
}

inline std::string textOf(const CallSignature& call)
{
    const auto what = static_cast<Collective>(call.what);
    std::string text(nameOf(what));
    if (what != Collective::Barrier) {
        text += " of " + std::to_string(call.count) + " " + std::string(nameOf(static_cast<DataType>(call.type)));
    }
    if (isReducing(what)) {
        text += " (" + std::string(nameOf(static_cast<Reduction>(call.reduction))) + ")";
    }
    return call.root >= 0 ? text + ", root " + std::to_string(call.root) : text;
}

/// Of every rank's call, by rank: an error that names the first that differs from rank 0's.
[[nodiscard]] inline Result<void> requireSame(std::span<const CallSignature> all)
{
    const auto odd = std::find_if(all.begin(), all.end(), [&](const CallSignature& call) { return call != all.front(); });
    return odd == all.end() ? Result<void>()
                            : Error{"the ranks do not call the same: rank 0 calls " + textOf(all.front()) + ", rank "
                                  + std::to_string(odd - all.begin()) + " calls " + textOf(*odd)};
}

} // namespace lockstep::comm
