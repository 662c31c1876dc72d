#include "rendezvous/store/requests.h"

#include <utility>

namespace lockstep::rendezvous {

std::uint64_t Requests::begin()
{
    const std::lock_guard lock(m_mutex);
    m_open.emplace(++m_last, Reply{});
    return m_last;
}

void Requests::complete(std::uint64_t request, Reply reply)
{
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_open.find(request); found != m_open.end()) {
            found->second = std::move(reply);
        }
    }
    m_changed.notify_all();
}

void Requests::fail()
{
    {
        const std::lock_guard lock(m_mutex);
        m_hasFailed = true;
    }
    m_changed.notify_all();
}

Requests::Reply Requests::await(std::uint64_t request, std::chrono::milliseconds limit)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, limit, [&] { return m_open[request].isDone || m_hasFailed; });
    Reply reply = std::move(m_open[request]);
    m_open.erase(request);
    return reply;
}

} // namespace lockstep::rendezvous
