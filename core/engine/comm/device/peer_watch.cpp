#include "engine/comm/device/peer_watch.h"

#include <utility>

namespace lockstep::comm {

namespace {

constexpr std::chrono::milliseconds WatchEvery{100};

} // namespace

PeerWatch::PeerWatch(DeadPeer deadPeer, OnStuck onStuck)
    : m_deadPeer(std::move(deadPeer))
    , m_onStuck(std::move(onStuck))
    , m_thread([this] { run(); })
{ }

PeerWatch::~PeerWatch()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_end.notify_all();
    m_thread.join();
}

bool PeerWatch::waitFor(std::chrono::milliseconds time)
{
    std::unique_lock lock(m_mutex);
    return !m_end.wait_for(lock, time, [this] { return m_isEnding; });
}

void PeerWatch::run()
{
    Text dead;
    while (dead.empty()) {
        if (!waitFor(WatchEvery)) {
            return;
        }
        dead = m_deadPeer();
    }
    if (waitFor(Patience)) {
        m_onStuck(dead);
    }
}

} // namespace lockstep::comm
