// What ranks compare before they move data: backends that skip this hang or overwrite memory when the calls differ.
#pragma once

#include "engine/comm/communicator.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::comm {

/// Where the array of an all-reduce lies among those that the ranks share.
struct SharedPlace {
    std::int32_t array = -1; ///< index of the shared array; -1 for other memory
    std::int64_t offset = 0; ///< in it, in bytes

    auto operator<=>(const SharedPlace&) const = default;
};

/// What all ranks of a collective must have in common.
struct CallSignature {
    Collective what = Collective::Barrier;
    DataType type = DataType::Float32;
    Reduction reduction = Reduction::Sum;
    Space space = Space::Host;
    std::int32_t root = -1;
    SharedPlace place{};
    std::int64_t count = 0;

    auto operator<=>(const CallSignature&) const = default;
};

/// Leaves `space` and `place` at their defaults.
inline CallSignature signatureOf(const Operation& op)
{
    // Of in and out, the array that has the same size on every rank.
    const bool countsOut
        = op.what == Collective::Scatter || op.what == Collective::ReduceScatter || op.what == Collective::Broadcast;
    CallSignature signature{.what = op.what};
    signature.root = hasRoot(op.what) ? op.root : -1;
    if (op.what != Collective::Barrier) {
        signature.type = countsOut ? op.out.type : op.in.type;
        signature.count = countsOut ? op.out.count : op.in.count;
    }
    if (isReducing(op.what)) {
        signature.reduction = op.reduction;
    }
    return signature;
}

inline std::string textOf(const CallSignature& call)
{
    std::string text(nameOf(call.what));
    if (call.what != Collective::Barrier) {
        text += " of " + std::to_string(call.count) + " " + std::string(nameOf(call.type));
    }
    if (call.space == Space::Device) {
        text += " in the GPU's memory";
    }
    if (call.place.array >= 0) {
        text += " from byte " + std::to_string(call.place.offset) + " of shared array "
            + std::to_string(call.place.array);
    }
    if (isReducing(call.what)) {
        text += " (" + std::string(nameOf(call.reduction)) + ")";
    }
    return call.root >= 0 ? text + ", root " + std::to_string(call.root) : text;
}

/// `all` by rank. The error names the first rank that differs from rank 0, so every rank reports the same.
[[nodiscard]] inline Result<void> requireSame(std::span<const CallSignature> all)
{
    const auto odd
        = std::find_if(all.begin(), all.end(), [&](const CallSignature& call) { return call != all.front(); });
    return odd == all.end()
        ? Result<void>()
        : failure(LS_TR("Messages", "the ranks call different operations: %1 calls %2, %3 calls %4"),
            {rankName(0), verbatim(textOf(all.front())), rankName(odd - all.begin()), verbatim(textOf(*odd))});
}

} // namespace lockstep::comm
