// What the store has said of a group's ranks: how many calls each has begun, and which are gone. Pure.
#pragma once

#include "base/text.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lockstep::rendezvous {

class OtherRanks {
public:
    OtherRanks() = default;
    OtherRanks(std::int32_t self, std::int32_t size);

    /// By rank; as many as there are ranks.
    [[nodiscard]] std::vector<std::uint64_t>& calls() { return m_calls; }
    void lose(std::int32_t rank, bool hasLeft, const Text& reason);

    /// The reason of a rank that was lost, else of one that left, among equals of `partner`; empty if there is none.
    [[nodiscard]] Text deadPeers(std::int32_t partner) const;
    /// Whether somebody was lost, other than by leaving in order.
    [[nodiscard]] bool hasLost() const;
    /// `here: 0, 1; missing: 2`, where this rank has begun `ownCalls`.
    [[nodiscard]] Text whoIsMissing(std::uint64_t ownCalls) const;
    /// Whether a rank has left this rank's call unfinished while another has not begun it.
    [[nodiscard]] bool hasLeftForMissing(std::uint64_t ownCalls) const;

private:
    struct Loss {
        bool hasLeft = false;
        Text reason{};
    };

    [[nodiscard]] bool hasCome(std::size_t rank, std::uint64_t ownCalls) const;

    std::int32_t m_self = 0;
    std::vector<std::uint64_t> m_calls;
    std::map<std::int32_t, Loss> m_lost;
};

} // namespace lockstep::rendezvous
