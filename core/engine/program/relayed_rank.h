// One rank that a relay has started: its process, its connection and its output.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/relay_messages.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct pollfd;

namespace lockstep::engine {

struct RelayedCommand {
    std::int32_t rank = 0;
    std::string program{}; ///< empty: this one
    std::vector<std::string> arguments{};
    std::map<std::string, std::string> environment{}; ///< besides that of this process
};

class RelayedRank {
public:
    struct End {
        bool isKilled = false;
        int number = 0; ///< exit code or signal
    };
    /// Data, Output or Errors, or their end: no bytes.
    using Take = std::function<void(wire::RelayKind, std::span<const std::byte>)>;

    /// In its own process group; the kernel ends it with this process.
    [[nodiscard]] static Result<RelayedRank> start(const RelayedCommand& command);

    [[nodiscard]] std::int32_t rank() const { return m_rank; }
    [[nodiscard]] int process() const { return m_process; }
    [[nodiscard]] bool isAlive() const { return !m_end; }
    /// Once its process has ended and everything it sent has been read.
    [[nodiscard]] bool isDone() const { return m_end && !isOpen(); }
    [[nodiscard]] const std::optional<End>& end() const { return m_end; }
    [[nodiscard]] bool isConnected() const { return m_connection.isOpen(); }

    /// To the whole group.
    void signal(int number) const;
    /// To the rank, as soon as it takes them.
    void send(std::span<const std::byte> bytes);
    /// Nothing more is sent to it.
    void closeConnection();

    /// `mayRead`: what it sends can be passed on.
    void addTo(std::vector<pollfd>& polled, bool mayRead) const;
    /// Passes on what there is, a roomful of each source at most, and sees whether it has ended. No room: nothing can
    /// be passed on now.
    void serve(const Take& take, std::span<std::byte> room);

private:
    RelayedRank() = default;
    [[nodiscard]] bool isOpen() const { return isConnected() || m_output.isOpen() || m_errors.isOpen(); }
    void write();
    void read(Descriptor& descriptor, wire::RelayKind kind, const Take& take, std::span<std::byte> room);
    void seeEnd();

    std::int32_t m_rank = 0;
    int m_process = -1;
    Descriptor m_watch; ///< pidfd
    Descriptor m_connection;
    Descriptor m_output;
    Descriptor m_errors;
    std::vector<std::byte> m_unsent;
    std::optional<End> m_end;
    std::int64_t m_heardNs = 0; ///< its end, or the last that was read after it
};

} // namespace lockstep::engine
