// The communicator over a device's shared memory as a class: ipc_communicator.cpp has its collectives, ipc_groups.cpp
// how ranks come to share a device, ipc_messages.cpp messages between two. Private to this folder; users call
// ipc_communicator.h.
#pragma once

#include "engine/comm/device/ipc_communicator.h"
#include "engine/comm/device/ipc_page.h"
#include "engine/comm/group_family.h"
#include "engine/comm/shm/shm_ranks.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::comm {

/// Memory of every rank of the group, opened in this one.
struct OpenedMemory {
    std::vector<std::byte*> of; ///< by rank; null where a rank has none
};

class IpcArray;

class IpcCommunicator final : public Communicator {
public:
    /// `host` is taken over by adopt(), once open() has worked.
    IpcCommunicator(
        ShmCommunicator& host, std::shared_ptr<Device> device, const IpcOptions& options, FamilyPlace place);
    [[nodiscard]] static Result<std::unique_ptr<Communicator>> over(std::unique_ptr<Communicator>& host,
        std::shared_ptr<Device> device, const IpcOptions& options, FamilyPlace place);
    ~IpcCommunicator() override;

    [[nodiscard]] Result<void> open();
    void adopt(std::unique_ptr<Communicator> host) { m_ownedHost = std::move(host); }

    [[nodiscard]] std::string_view backend() const override { return "shm"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    [[nodiscard]] Result<std::unique_ptr<SharedArray>> share(std::size_t bytes, Space space = Space::Host) override;
    [[nodiscard]] const std::shared_ptr<Memory>& memory(Space space) const override;
    void setTimeout(std::chrono::milliseconds timeout) override { m_host.setTimeout(timeout); }
    [[nodiscard]] Result<void> checkPeers() override;
    void abort() override;

protected:
    Result<void> execute(const Operation& operation, OperationTimes& times) override;
    Result<void> synchronize() override;

private:
    /// A stretch of an array, in bytes.
    struct Piece {
        std::size_t begin = 0;
        std::size_t size = 0;
    };
    /// Two ranks' messages, seen from one of them.
    struct Pair {
        std::byte* memory = nullptr; ///< this rank's, or the peer's opened
        std::array<DeviceEvent*, 2> filled{};
        std::array<DeviceEvent*, 2> taken{};
    };

    // Collectives.
    Result<void> carryOutOnDevice(const Operation& op, OperationTimes& times);
    Result<void> runOnDevice(const Operation& op);
    Result<void> alone(const Operation& op);
    Result<void> broadcast(const Operation& op);
    Result<void> allReduceWhole(const Operation& op);
    Result<void> allReduceShared(const Operation& op, IpcArray& array);
    Result<void> reduceInParts(const Operation& op);
    Result<void> reduceScatter(const Operation& op);
    Result<void> gather(const Operation& op);
    Result<void> scatterOrExchange(const Operation& op);
    /// All have queued what they do in this round, and this rank's stream goes on after it.
    Result<void> round(const Operation& op);
    Result<void> roundByFlags(const Operation& op);
    /// Keeps the host from running more than a few rounds ahead of the device: the device's queue is finite, and to
    /// queue into a full one behind a dead peer would wait for ever.
    Result<void> stayClose(const Operation& op);
    [[nodiscard]] Piece shareOf(int rank, const Piece& piece) const;
    [[nodiscard]] std::byte* given(int rank) const;
    [[nodiscard]] std::byte* made(int rank) const;
    void copy(std::byte* to, const std::byte* from, std::size_t bytes);
    [[nodiscard]] std::int32_t sharedArrayOf(const Operation& op) const;

    // Messages.
    Result<void> exchange(const Operation& op);
    Result<void> put(const Operation& op, std::size_t begin, std::size_t size);
    Result<void> get(const Operation& op, std::size_t begin, std::size_t size);
    Result<void> openOutbox(int peer);
    Result<void> openInbox(int peer);
    Result<void> openEvents(std::array<DeviceEvent*, 2>& events, const std::array<DeviceHandle, 2>& handles);
    Result<void> createEvents(std::array<DeviceEvent*, 2>& events, std::array<DeviceHandle, 2>& handles);

    // Coming to share.
    /// Every rank gives `bytes` (0: none) and opens what the others give.
    Result<OpenedMemory> shareMemory(std::size_t bytes);
    Result<void> closeMemory(OpenedMemory& memory);
    /// Whether every rank has managed what all of them have just tried; the same error everywhere if not.
    Result<void> agree(const Result<void>& mine);
    Result<void> growSlots(std::size_t bytes);
    Result<void> makeRoomFor(const Operation& op, OperationTimes& times);
    /// Waits until the device has done everything.
    Result<void> poll();
    /// Waits for something of the device, and looks for deaths meanwhile, in every group of this rank: their work
    /// stands in the same stream.
    Result<void> pollDevice(
        Collective what, const std::function<bool()>& isDone, std::chrono::milliseconds patience = {});
    /// Breaks the group because of what failed here, or because of a rank's death, if that is why it failed.
    [[nodiscard]] Error failed(Collective what, const Error& cause);
    [[nodiscard]] Result<void> stateOfDevice();
    /// After an error: ends what can be ended, and gives the device up if what it waits for will never come.
    void giveUp();
    [[nodiscard]] IpcPage& page(int rank) const;
    void closeAll();

    ShmCommunicator& m_host;
    std::unique_ptr<Communicator> m_ownedHost;
    std::shared_ptr<Device> m_device;
    std::shared_ptr<Memory> m_memory;
    IpcOptions m_options;
    std::unique_ptr<SharedArray> m_pages;

    std::vector<std::array<DeviceEvent*, 2>> m_events; ///< by rank, then parity
    std::array<DeviceEvent*, 2> m_laps{}; ///< of this rank alone, see stayClose()
    OpenedMemory m_flags;
    std::uint32_t* m_missing = nullptr; ///< host memory, where the device says whose flag has not come
    std::uint32_t* m_stop = nullptr; ///< host memory, where the host says that no flag will come any more
    OpenedMemory m_slots;
    std::size_t m_slotBytes = 0;
    std::size_t m_madeBytes = 0;
    std::size_t m_slotLimit = 0;
    std::size_t m_slotsOfAllRanks = 0; ///< bytes
    std::vector<std::shared_ptr<IpcArray>> m_arrays; ///< in the order in which they were made, on every rank
    std::vector<Pair> m_outboxes; ///< by peer
    std::vector<Pair> m_inboxes; ///< by peer

    std::uint32_t m_round = 0;
    unsigned m_parity = 0; ///< of the round that is being written
    bool m_hasMet = false; ///< in this operation
    bool m_hasGivenUp = false;
    FamilyPlace m_place;
    Collective m_last = Collective::Barrier; ///< what an error found later is put down to
};

/// An array that each rank has of its own in the device's memory and the others have opened, with two results at rank
/// 0.
class IpcArray {
public:
    IpcArray(OpenedMemory memory, int rank, std::size_t bytes, std::size_t stride)
        : m_memory(std::move(memory))
        , m_rank(rank)
        , m_bytes(bytes)
        , m_stride(stride)
    { }
    [[nodiscard]] std::byte* of(int rank) const { return m_memory.of[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] std::byte* own() const { return of(m_rank); }
    [[nodiscard]] std::byte* result() const { return of(0) + m_stride * (1 + m_turn); }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    /// A new all-reduce begins; its result goes where the last but one was.
    void begin() { m_turn ^= 1; }
    [[nodiscard]] OpenedMemory& memory() { return m_memory; }

private:
    OpenedMemory m_memory;
    int m_rank;
    std::size_t m_bytes;
    std::size_t m_stride;
    unsigned m_turn = 0;
};

} // namespace lockstep::comm
