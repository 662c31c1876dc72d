// Watches for the death of a peer in the place of a thread that a device's library may block. The queue of a GPU is
// finite: a thread that queues behind work which waits for a dead peer blocks inside the library once the queue is
// full, and does not look at its peers any more.
#pragma once

#include "base/text.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

namespace lockstep::comm {

class PeerWatch {
public:
    /// A thread that is not blocked finds the death itself within this time, and ends the watch. Who has started the
    /// ranks gives them a second to say why they end.
    static constexpr std::chrono::milliseconds Patience{750};

    using DeadPeer = std::function<Text()>;
    using OnStuck = std::function<void(const Text& dead)>;

    /// `deadPeer`: Communicator::deadPeer(). `onStuck` is called at most once, on a thread of the watch, if the watch
    /// still exists after Patience; it should end the process. Both must not touch the device.
    PeerWatch(DeadPeer deadPeer, OnStuck onStuck);
    PeerWatch(const PeerWatch&) = delete; ///< its thread holds it
    PeerWatch& operator=(const PeerWatch&) = delete;

private:
    void run(const std::stop_token& stop);

    DeadPeer m_deadPeer;
    OnStuck m_onStuck;
    std::jthread m_thread; ///< the destructor waits for a call of m_onStuck
};

} // namespace lockstep::comm
