#include "engine/telemetry/stream.h"

#include <cerrno>
#include <sys/socket.h>
#include <utility>

namespace lockstep::engine {

namespace {

class PlainStream final : public Stream {
public:
    explicit PlainStream(Descriptor socket)
        : m_socket(std::move(socket))
    { }

    [[nodiscard]] int descriptor() const override { return m_socket.number(); }
    [[nodiscard]] Result<std::size_t> send(std::span<const std::byte> bytes) override
    {
        // MSG_NOSIGNAL: a closed peer is an error to report, not a fatal SIGPIPE.
        const ssize_t n = ::send(m_socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            return static_cast<std::size_t>(n);
        }
        return isTemporary(errno) ? Result<std::size_t>(std::size_t{0}) : failureOf(systemError());
    }
    [[nodiscard]] Result<std::size_t> receive(std::span<std::byte> bytes) override
    {
        const ssize_t n = recv(m_socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0) {
            return static_cast<std::size_t>(n);
        }
        if (n == 0) {
            return failure(LS_TR("Messages", "it was closed"));
        }
        return isTemporary(errno) ? Result<std::size_t>(std::size_t{0}) : failureOf(systemError());
    }
    void endSending() override { shutdown(m_socket.number(), SHUT_WR); }

private:
    Descriptor m_socket;
};

} // namespace

std::unique_ptr<Stream> plainStream(Descriptor socket)
{
    return std::make_unique<PlainStream>(std::move(socket));
}

} // namespace lockstep::engine
