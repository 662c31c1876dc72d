// File descriptors that close themselves, and waiting for them with a deadline.
#pragma once

#include <chrono>
#include <utility>

struct sockaddr;

namespace lockstep {

class Descriptor {
public:
    Descriptor() = default;
    /// Takes it over; negative: none.
    explicit Descriptor(int number)
        : m_number(number)
    { }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    { }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor();

    [[nodiscard]] int number() const { return m_number; }
    [[nodiscard]] bool isOpen() const { return m_number >= 0; }
    void close();

private:
    int m_number = -1;
};

/// True if `events` of poll(2) came before the deadline.
[[nodiscard]] bool waitFor(int descriptor, short events, std::chrono::steady_clock::time_point deadline);
/// Connects a socket that does not block. An error code, 0 when connected.
[[nodiscard]] int connectBy(
    int socket, const sockaddr* address, unsigned length, std::chrono::steady_clock::time_point deadline);
/// Whether a call with this error code may be repeated: there was nothing to do just now.
[[nodiscard]] bool isTemporary(int code);

} // namespace lockstep
