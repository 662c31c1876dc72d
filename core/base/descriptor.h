// File descriptors that close themselves, waiting for them with a deadline, and calls that a signal does not cut short.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
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

/// The result of a system call, which is repeated where a signal interrupts it: SIGSTOP and SIGCONT do that as well, to
/// a socket with a time limit even without a handler.
template <typename Call>
[[nodiscard]] auto uninterrupted(const Call& call)
{
    auto result = call();
    while (result == -1 && errno == EINTR) {
        result = call();
    }
    return result;
}

/// Whether all of it was written; errno says why not.
[[nodiscard]] bool writeAll(int descriptor, std::string_view bytes);
/// As many bytes as there are, up to `size`; fewer only at the end of the file, -1: an error.
[[nodiscard]] std::ptrdiff_t readAll(int descriptor, char* to, std::size_t size);
/// The same as a text, at most `most` bytes; empty also after an error.
[[nodiscard]] std::string readUpTo(int descriptor, std::size_t most);

/// True if `events` of poll(2) came before the deadline.
[[nodiscard]] bool waitFor(int descriptor, short events, std::chrono::steady_clock::time_point deadline);
/// Connects a socket that does not block. An error code, 0 when connected.
[[nodiscard]] int connectBy(
    int socket, const sockaddr* address, unsigned length, std::chrono::steady_clock::time_point deadline);
/// Whether a call with this error code may be repeated: there was nothing to do just now.
[[nodiscard]] bool isTemporary(int code);

} // namespace lockstep
