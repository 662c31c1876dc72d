// The bytes between a rank and its workbench, over a plain socket or over TLS. Nothing here waits but beginTls(). One
// thread at a time.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/workbench_file.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

namespace lockstep::engine {

using Clock = std::chrono::steady_clock;

class Stream {
public:
    virtual ~Stream() = default;

    /// What poll(2) can wait on. Receive until nothing comes before waiting: bytes may have been read ahead.
    [[nodiscard]] virtual int descriptor() const = 0;
    /// Gives how many of the bytes were taken; 0: none just now. After an error the connection is lost.
    [[nodiscard]] virtual Result<std::size_t> send(std::span<const std::byte> bytes) = 0;
    /// Gives how many came; 0: none just now. An error where none will come any more.
    [[nodiscard]] virtual Result<std::size_t> receive(std::span<std::byte> bytes) = 0;
    /// Nothing is sent any more; what was sent still arrives.
    virtual void endSending() = 0;
};

[[nodiscard]] std::unique_ptr<Stream> plainStream(Descriptor socket);

/// Shakes hands as the client of TLS 1.3 and sends nothing unless the other side has this certificate.
[[nodiscard]] Result<std::unique_ptr<Stream>> beginTls(
    Descriptor socket, const wire::CertificateDigest& certificate, Clock::time_point deadline);

} // namespace lockstep::engine
