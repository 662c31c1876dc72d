// The ranks that share a device: the handles that they exchange in the host's shared memory, the memory that they open
// to each other, how they wait for the device, and how the whole group fails at once. Private to this folder.
#pragma once

#include "engine/comm/device/device.h"
#include "engine/comm/group_family.h"
#include "engine/comm/message_header.h"
#include "engine/comm/shm/shm_rounds.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::comm {

/// What one rank says about its messages to and from one peer.
struct alignas(64) IpcChannel {
    // As the sender, which writes the handles before its first `put`.
    DeviceHandle memory;
    std::array<DeviceHandle, 2> filled;
    std::array<MessageHeader, 2> headers; ///< of the message that the piece belongs to, by parity of the piece
    alignas(64) std::atomic<std::uint64_t> put; ///< pieces queued so far
    // As the receiver, which writes the handles before its first `took`.
    std::array<DeviceHandle, 2> taken;
    alignas(64) std::atomic<std::uint64_t> took;
};

struct alignas(64) IpcPage {
    DeviceHandle memory;
    std::array<DeviceHandle, 2> events;
    std::uint64_t limit; ///< bytes of a slot that this rank's device allows
    std::array<char, 1024> failure; ///< packInto(); empty if the last step that all ranks tried has worked here
    std::atomic<std::uint32_t> hasClosed; ///< the rank has closed all that it had opened

    /// One for each rank, right behind the page.
    [[nodiscard]] IpcChannel& channel(int peer) { return reinterpret_cast<IpcChannel*>(this + 1)[peer]; }
};

/// Memory of every rank of the group, opened in this one, by rank; null where a rank has none.
using PeerMemory = std::vector<std::byte*>;
using EventPair = std::array<DeviceEvent*, 2>;

class IpcPeers {
public:
    /// `host` is the communicator over shared memory that `rounds` belong to.
    IpcPeers(
        Communicator& host, ShmRounds& rounds, std::shared_ptr<Device> device, bool spinsOnFlags, FamilyPlace place);
    ~IpcPeers();
    IpcPeers(const IpcPeers&) = delete;
    IpcPeers& operator=(const IpcPeers&) = delete;

    /// Every rank calls it first.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] bool isOpen() const { return m_pages != nullptr; }
    [[nodiscard]] int rank() const { return m_host.rank(); }
    [[nodiscard]] int size() const { return m_host.size(); }
    [[nodiscard]] Device& device() { return *m_device; }
    [[nodiscard]] Meeting& meeting() { return m_rounds.meeting(); }
    [[nodiscard]] IpcPage& page(int rank) const;
    [[nodiscard]] const FamilyPlace& place() const { return m_place; }
    /// Errors that are found later are reported for this collective.
    void begin(Collective what) { m_last = what; }

    /// Every rank passes the result of the step that all have just tried; all get the same error if any has failed.
    [[nodiscard]] Result<void> agree(const Result<void>& mine);
    /// Every rank allocates `bytes` and opens what the others have allocated.
    [[nodiscard]] Result<PeerMemory> shareMemory(std::size_t bytes);
    /// Every rank calls it; frees this rank's memory once no rank has it open.
    [[nodiscard]] Result<void> closeMemory(PeerMemory& memory);
    void closeOpened(const PeerMemory& memory);
    void freeOwn(const PeerMemory& memory);
    [[nodiscard]] Result<void> createEvents(EventPair& events, std::array<DeviceHandle, 2>& handles);
    /// Does nothing if they are open already.
    [[nodiscard]] Result<void> openEvents(EventPair& events, const std::array<DeviceHandle, 2>& handles);
    void destroyEvents(const EventPair& events);

    /// Waits until the device has done everything.
    [[nodiscard]] Result<void> synchronize();
    /// Waits for the device and meanwhile checks the peers in every group of this rank, whose work is queued on the
    /// same stream. `patience`: added to the time limit.
    [[nodiscard]] Result<void> await(
        Collective what, const std::function<bool()>& isDone, std::chrono::milliseconds patience = {});
    /// The device's first failure, as one of the whole group.
    [[nodiscard]] Result<void> state();
    /// Breaks the group with `cause`, or with the death of a rank where that is the reason for it.
    [[nodiscard]] Error failed(Collective what, const Text& cause);
    /// Ends the device's waits for flags.
    void stopFlags();
    /// Call after an error. Aborts the device if its work does not end soon, because it waits for a dead rank.
    void giveUp();
    [[nodiscard]] bool hasFailed() const { return m_place.family->hasFailed() || m_device->isAborted(); }
    /// Every rank calls it when it has closed what it had opened. False if a rank does not come in time.
    [[nodiscard]] bool haveAllClosed();

    /// Frees what open() allocated, once all have closed.
    void free();

    /// Host memory that the device's waits for flags read and write.
    struct FlagWords {
        std::uint32_t missing = 0; ///< 1 + the rank whose flag has not come in time
        std::uint32_t stop = 0; ///< not 0: no flag will be set any more
    };
    [[nodiscard]] FlagWords& flagWords() { return *m_words; }

private:
    Communicator& m_host;
    ShmRounds& m_rounds;
    std::shared_ptr<Device> m_device;
    bool m_spinsOnFlags;
    FamilyPlace m_place;
    std::shared_ptr<SharedArray> m_pages;
    FlagWords* m_words = nullptr;
    bool m_hasGivenUp = false;
    Collective m_last = Collective::Barrier;
};

} // namespace lockstep::comm
