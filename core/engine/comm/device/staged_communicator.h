// Arrays in device memory over a communicator that only moves host memory (Gloo, MPI, shared memory): each is copied
// into pinned host memory, sent from there, and copied back. If an array can be cut by elements (broadcast, reduce,
// all_reduce), this goes piece by piece: the next piece leaves the device while this one is being sent.
//
// An operation waits on the host until its input has left the device; the copy of the result to the device is only
// queued.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/device/device.h"

#include <array>
#include <memory>

namespace lockstep::comm {

struct StagedOptions {
    std::size_t pieceBytes = std::size_t{4} << 20; ///< two of them are kept
};

class StagedCommunicator final : public Communicator {
public:
    StagedCommunicator(
        std::unique_ptr<Communicator> host, std::shared_ptr<Device> device, const StagedOptions& options = {});
    ~StagedCommunicator() override;

    [[nodiscard]] std::string_view backend() const override { return m_host->backend(); }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    /// Null in the device's memory.
    [[nodiscard]] Result<std::shared_ptr<SharedArray>> share(std::size_t bytes, Space space = Space::Host) override;
    [[nodiscard]] const std::shared_ptr<Memory>& memory(Space space) const override;
    void setTimeout(std::chrono::milliseconds timeout) override { m_host->setTimeout(timeout); }
    [[nodiscard]] Result<void> checkPeers() override { return m_host->checkPeers(); }
    [[nodiscard]] Text deadPeer() override { return m_host->deadPeer(); }
    void abort() override { m_host->abort(); }

protected:
    Result<void> execute(const Operation& operation, OperationTimes& times) override;
    Result<void> synchronize() override;

private:
    Result<void> inPieces(const Operation& op);
    Result<void> whole(const Operation& op);
    /// Host memory of at least this many bytes; old contents are lost.
    Result<std::byte*> room(std::size_t bytes);
    Result<DeviceEvent*> event(std::size_t number);
    /// Polls until it is over, or the device has failed.
    template <typename IsOver>
    Result<void> await(const IsOver& isOver);

    std::unique_ptr<Communicator> m_host;
    std::shared_ptr<Device> m_device;
    std::shared_ptr<Memory> m_memory;
    StagedOptions m_options;
    std::byte* m_room = nullptr;
    std::size_t m_roomBytes = 0;
    std::array<DeviceEvent*, 2> m_events{}; ///< a half of m_room is ready for the host, by half
};

} // namespace lockstep::comm
