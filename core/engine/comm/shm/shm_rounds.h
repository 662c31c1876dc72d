// The rounds of a group over shared memory. In each round every rank writes its own slots, all ranks meet, and then
// each reads the others' slots. Slots have two parities, so one meeting a round is enough: a rank writes a slot again
// only after the next meeting, which every rank that read the slot has attended.
#pragma once

#include "engine/comm/call_signature.h"
#include "engine/comm/communicator.h"
#include "engine/comm/shm/meeting.h"
#include "engine/comm/shm/region.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lockstep::comm {

class ShmRounds {
public:
    ShmRounds(Region& region, int rank, std::chrono::milliseconds timeout);

    /// Begins an operation; its first meeting compares what the ranks call. `place`: of a shared array that is reduced.
    /// Writes the last arrival to `times`.
    [[nodiscard]] Result<void> begin(const Operation& op, const OperationTimes& times, const SharedPlace& place = {});
    [[nodiscard]] Result<void> meet(const Operation& op);
    /// Call once the operation is over, also after an error: the next begin() measures from here.
    void end();

    /// The slots of this round: a rank's input and its results.
    [[nodiscard]] std::byte* given(int rank) const { return m_region.given(rank, m_parity); }
    [[nodiscard]] std::byte* made(int rank) const { return m_region.made(rank, m_parity); }
    [[nodiscard]] static constexpr std::size_t slotBytes() { return SlotBytes; }
    [[nodiscard]] static constexpr std::size_t pieceBytes() { return SlotBytes; }

    [[nodiscard]] Meeting& meeting() { return m_meeting; }

private:
    [[nodiscard]] Result<void> compareSignatures();

    Region& m_region;
    int m_rank;
    Meeting m_meeting;
    std::uint64_t m_operations = 0;
    unsigned m_parity = 0;
    bool m_hasMet = false; ///< in this operation
    std::int64_t m_lastExitNs = 0;
};

/// The rounds of a communicator over shared memory; null for any other.
[[nodiscard]] ShmRounds* roundsOf(Communicator& communicator);

} // namespace lockstep::comm
