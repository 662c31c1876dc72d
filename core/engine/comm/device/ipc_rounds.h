// The rounds of ranks that share a device: in each, every rank queues the writing of its slots, records its event and
// meets the others, and then its stream waits for their events. Why no slot is overwritten too early is explained in
// ipc_communicator.h. Private to this folder.
#pragma once

#include "engine/comm/device/ipc_communicator.h"
#include "engine/comm/device/ipc_peers.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::comm {

class IpcRounds {
public:
    IpcRounds(IpcPeers& peers, ShmRounds& host, const IpcOptions& options);

    /// Every rank calls it. Fails where the device cannot be shared.
    [[nodiscard]] Result<void> open();
    /// Grows the slots for the operation that begins, if they are too small. Every rank calls it.
    [[nodiscard]] Result<void> begin(const Operation& op, OperationTimes& times, bool needsSlots);
    /// Ends the round: all ranks have queued their part, and this rank's stream waits for it.
    [[nodiscard]] Result<void> meet(const Operation& op);

    /// The slots of this round: a rank's input and its results.
    [[nodiscard]] std::byte* given(int rank) const;
    [[nodiscard]] std::byte* made(int rank) const;
    [[nodiscard]] std::size_t slotBytes() const { return m_slotBytes; }
    /// The most that slotBytes() may become.
    [[nodiscard]] std::size_t slotLimit() const { return m_slotLimit; }
    /// A slot has no room for the rank's own share.
    [[nodiscard]] std::size_t pieceBytes() const;
    [[nodiscard]] std::size_t bytesOfAllRanks() const { return m_slotsOfAllRanks; }

    /// In this order, and free() once all ranks have closed.
    void closeOpened();
    void free();

private:
    [[nodiscard]] Result<void> openEvents();
    [[nodiscard]] Result<void> openFlags();
    [[nodiscard]] std::size_t wantedSlot(const Operation& op) const;
    [[nodiscard]] Result<void> growSlots(Collective what, std::size_t bytes);
    [[nodiscard]] Result<void> meetByFlags(const Operation& op);
    /// Keeps the host at most a few rounds ahead of the device. The device's queue is finite, and queueing into a full
    /// one blocks without end once a peer is dead.
    [[nodiscard]] Result<void> stayClose(const Operation& op);

    IpcPeers& m_peers;
    ShmRounds& m_host;
    bool m_spinsOnFlags;
    std::vector<EventPair> m_events; ///< by rank, then parity
    EventPair m_laps{}; ///< local events of this rank, see stayClose()
    PeerMemory m_flags;
    PeerMemory m_slots;
    std::size_t m_slotBytes = 0;
    std::size_t m_madeBytes = 0;
    std::size_t m_slotLimit = 0;
    std::size_t m_slotsOfAllRanks;
    std::uint32_t m_round = 0;
    unsigned m_parity = 0;
    bool m_hasMet = false; ///< in this operation
};

} // namespace lockstep::comm
