// Messages between two ranks that share a device. The sender owns two buffers. It fills one on its stream, records an
// event and counts the piece in host memory; the receiver's stream waits for that event, copies the piece out, records
// an event and counts in turn, and the sender refills the buffer once its stream has waited for that. Each buffer has
// its own two events; as in a round, a record is called before the wait for it, and not again before that.
//
// A rank alternates between sending and receiving a piece. On the host it waits for a put only until the receiver has
// queued the piece before the last, so a ring of exchanges makes progress. Private to this folder.
#pragma once

#include "engine/comm/device/ipc_peers.h"

#include <cstddef>
#include <vector>

namespace lockstep::comm {

class IpcMessages {
public:
    /// `placeBytes`: the most bytes of one piece.
    IpcMessages(IpcPeers& peers, std::size_t placeBytes);

    /// SendReceive.
    [[nodiscard]] Result<void> exchange(const Operation& op);

    /// In this order, and free() once all ranks have closed.
    void closeOpened();
    void free();

private:
    /// One direction between two ranks, seen from one of them.
    struct Box {
        std::byte* memory = nullptr; ///< this rank's, or the peer's opened
        EventPair filled{};
        EventPair taken{};
    };

    [[nodiscard]] Result<void> put(const Operation& op, std::size_t begin, std::size_t size);
    [[nodiscard]] Result<void> get(const Operation& op, std::size_t begin, std::size_t size);
    [[nodiscard]] Result<void> openOutbox(int peer);
    [[nodiscard]] Result<void> openInbox(int peer);
    void copy(std::byte* to, const std::byte* from, std::size_t bytes);
    /// `opened`, or the failure of the whole group that follows from it.
    [[nodiscard]] Result<void> orFail(const Result<void>& opened);

    IpcPeers& m_peers;
    std::size_t m_placeBytes;
    std::vector<Box> m_outboxes; ///< by peer
    std::vector<Box> m_inboxes; ///< by peer
};

} // namespace lockstep::comm
