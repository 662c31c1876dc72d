#include "rendezvous/store/store_server.h"

#include "rendezvous/store/store_loop.h"

#include <sys/eventfd.h>

namespace lockstep::rendezvous {

Result<std::unique_ptr<StoreServer>> StoreServer::start(
    Socket listener, const Member& self, const wire::Secret& secret, Clock clock)
{
    Socket wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake.isOpen()) {
        return failure(LS_TR("Messages", "eventfd: %1"), {systemError()});
    }
    const std::uint16_t port = ownPort(listener);
    auto loop = std::make_unique<StoreLoop>(std::move(listener), std::move(wake), self, secret, clock);
    return std::unique_ptr<StoreServer>(new StoreServer(std::move(loop), port));
}

StoreServer::StoreServer(std::unique_ptr<StoreLoop> loop, std::uint16_t port)
    : m_loop(std::move(loop))
    , m_port(port)
    , m_thread([this] { m_loop->run(); })
{ }

StoreServer::~StoreServer()
{
    m_loop->stop();
    m_thread.join();
}

void StoreServer::awaitEnd(std::chrono::milliseconds limit) const
{
    const auto end = SocketClock::now() + limit;
    while (!m_loop->isDeserted() && SocketClock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

} // namespace lockstep::rendezvous
