#include "rendezvous/store/loss_listeners.h"

#include <utility>

namespace lockstep::rendezvous {

int LossListeners::add(std::function<void()> onLost)
{
    const std::lock_guard lock(m_mutex);
    if (m_hasLost) {
        onLost();
    }
    m_listeners.emplace(++m_last, std::move(onLost));
    return m_last;
}

void LossListeners::remove(int number)
{
    const std::lock_guard lock(m_mutex);
    m_listeners.erase(number);
}

void LossListeners::tell()
{
    const std::lock_guard lock(m_mutex);
    m_hasLost = true;
    for (const auto& [number, onLost] : m_listeners) {
        onLost();
    }
}

} // namespace lockstep::rendezvous
