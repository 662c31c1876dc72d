// Gather and all-gather of ranks that read each other's slots: the same for slots in the host's memory and in a device's.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/shm/region.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lockstep::comm {

/// `copy(to, from, bytes)`; `given(rank)`: that rank's slot in this round; `meet()`: everybody's slot is written, and the next round
/// has other slots.
template <typename Copy, typename Given, typename Meet>
[[nodiscard]] Result<void> gatherThroughSlots(
    const Operation& op, int rank, int ranks, std::size_t slotBytes, const Copy& copy, const Given& given, const Meet& meet)
{
    const std::size_t bytes = op.in.byteCount();
    const bool wantsResult = op.what == Collective::AllGather || rank == op.root;
    std::byte* place = wantsResult ? op.out.bytes() + static_cast<std::size_t>(rank) * bytes : nullptr;
    if (wantsResult) {
        copy(place, op.in.bytes(), bytes);
    }
    // In place the copy above may have moved what `in` pointed at.
    const std::byte* mine = wantsResult ? place : op.in.bytes();
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(slotBytes, bytes - begin);
        if (op.what == Collective::AllGather || rank != op.root) {
            copy(given(rank), mine + begin, size);
        }
        std::array<const std::byte*, MaxRanks> slots{};
        for (int r = 0; r < ranks; ++r) {
            slots[static_cast<std::size_t>(r)] = given(r);
        }
        if (auto met = meet(); !met) {
            return met;
        }
        for (int r = 0; r < ranks && wantsResult; ++r) {
            const auto at = static_cast<std::size_t>(r);
            if (r != rank) {
                copy(op.out.bytes() + at * bytes + begin, slots[at], size);
            }
        }
        begin += size;
    } while (begin < bytes);
    return {};
}

} // namespace lockstep::comm
