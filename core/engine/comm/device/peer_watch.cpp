#include "engine/comm/device/peer_watch.h"

#include "base/clock.h"

#include <utility>

namespace lockstep::comm {

namespace {

constexpr std::chrono::milliseconds WatchEvery{100};

} // namespace

PeerWatch::PeerWatch(DeadPeer deadPeer, OnStuck onStuck)
    : m_deadPeer(std::move(deadPeer))
    , m_onStuck(std::move(onStuck))
    , m_thread([this](const std::stop_token& stop) { run(stop); })
{ }

void PeerWatch::run(const std::stop_token& stop)
{
    Text dead;
    while (dead.empty()) {
        if (isStoppedWithin(stop, WatchEvery)) {
            return;
        }
        dead = m_deadPeer();
    }
    if (!isStoppedWithin(stop, Patience)) {
        m_onStuck(dead);
    }
}

} // namespace lockstep::comm
