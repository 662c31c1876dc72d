// What ranks that share a device tell each other in the host's shared memory: handles, and how far their messages are.
// Private to this folder.
#pragma once

#include "engine/comm/device/device.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace lockstep::comm {

/// One rank's words about itself and one peer: what it has sent there, and what it has taken from there.
struct alignas(64) IpcChannel {
    struct Letter {
        std::int64_t count = 0;
        DataType type = DataType::Float32;
    };

    // As the sender; the handles stand before the first `put`.
    DeviceHandle memory;
    std::array<DeviceHandle, 2> filled;
    std::array<Letter, 2> letters; ///< of the message that the piece belongs to, by parity of the piece
    alignas(64) std::atomic<std::uint64_t> put; ///< pieces queued so far
    // As the receiver; the handles stand before the first `took`.
    std::array<DeviceHandle, 2> taken;
    alignas(64) std::atomic<std::uint64_t> took;
};

struct alignas(64) IpcPage {
    DeviceHandle memory;
    std::array<DeviceHandle, 2> events;
    std::uint64_t limit; ///< bytes of a slot that this rank's device allows
    std::array<char, 240> failure; ///< empty: what all ranks have just tried has worked here
    std::atomic<std::uint32_t> hasClosed; ///< it has closed all that it had opened

    /// Right behind the page, one a rank.
    [[nodiscard]] IpcChannel& channel(int peer) { return reinterpret_cast<IpcChannel*>(this + 1)[peer]; }
};

} // namespace lockstep::comm
