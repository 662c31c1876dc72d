// Who is notified when a rank is lost. Any thread.
#pragma once

#include <functional>
#include <map>
#include <mutex>

namespace lockstep::rendezvous {

class LossListeners {
public:
    /// Calls `onLost` at each tell(), at once if there was one already. The number is for remove(), after which it is
    /// not called any more.
    [[nodiscard]] int add(std::function<void()> onLost);
    void remove(int number);
    void tell();

private:
    std::mutex m_mutex;
    std::map<int, std::function<void()>> m_listeners;
    int m_last = 0;
    bool m_hasLost = false;
};

} // namespace lockstep::rendezvous
