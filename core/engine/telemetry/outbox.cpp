#include "engine/telemetry/outbox.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace lockstep::engine {

namespace {

constexpr std::size_t ReadBackBytes = 256u << 10;

std::string temporaryFolder()
{
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

} // namespace

Outbox::Outbox(std::size_t memoryBytes, std::string spillFolder)
    : m_memoryBytes(memoryBytes)
    , m_spillFolder(spillFolder.empty() ? temporaryFolder() : std::move(spillFolder))
{ }

void Outbox::push(std::vector<std::byte> frame)
{
    const std::size_t bytes = frame.size();
    // Once a frame is in the file, all later ones have to follow it there: order is what makes this a queue.
    if (spilledBytes() == 0 && m_tail.empty() && m_headBytes + bytes <= m_memoryBytes) {
        m_headBytes += bytes;
        m_head.push_back(std::move(frame));
        return;
    }
    if (m_tail.empty() && spill(frame)) {
        return;
    }
    m_tailBytes += bytes;
    m_tail.push_back(std::move(frame));
}

std::span<const std::byte> Outbox::front()
{
    if (m_head.empty() && spilledBytes() > 0) {
        readBack();
    }
    if (m_head.empty() && spilledBytes() == 0 && !m_tail.empty()) {
        std::swap(m_head, m_tail);
        m_headBytes = std::exchange(m_tailBytes, 0);
    }
    if (m_head.empty()) {
        return {};
    }
    return std::span<const std::byte>(m_head.front()).subspan(m_sentOfFirst);
}

void Outbox::pop(std::size_t bytes)
{
    while (bytes > 0 && !m_head.empty()) {
        const std::size_t left = m_head.front().size() - m_sentOfFirst;
        const std::size_t sent = std::min(left, bytes);
        bytes -= sent;
        m_headBytes -= sent;
        m_sentOfFirst += sent;
        if (sent == left) {
            m_head.pop_front();
            m_sentOfFirst = 0;
        }
    }
}

void Outbox::clear()
{
    m_head.clear();
    m_tail.clear();
    m_headBytes = 0;
    m_tailBytes = 0;
    m_sentOfFirst = 0;
    emptyFile();
}

void Outbox::readBack()
{
    // Any piece of the file will do: the peer puts frames together again.
    const std::size_t wanted = std::min(ReadBackBytes, spilledBytes());
    std::vector<std::byte> piece(wanted);
    std::size_t got = 0;
    while (got < wanted) {
        const ssize_t n = uninterrupted([&] {
            return pread(m_file.number(), piece.data() + got, wanted - got, m_fileBegin + static_cast<off_t>(got));
        });
        if (n <= 0) {
            clear();
            m_isBroken = true;
            return;
        }
        got += static_cast<std::size_t>(n);
    }
    m_fileBegin += static_cast<std::int64_t>(wanted);
    m_headBytes += wanted;
    m_head.push_back(std::move(piece));
    if (spilledBytes() == 0) {
        emptyFile();
    }
}

bool Outbox::spill(std::span<const std::byte> frame)
{
    if (!m_file.isOpen() && !openFile()) {
        return false;
    }
    std::size_t written = 0;
    while (written < frame.size()) {
        const ssize_t n = pwrite(
            m_file.number(), frame.data() + written, frame.size() - written, m_fileEnd + static_cast<off_t>(written));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false; // m_fileEnd has not moved, so the part that was written does not count
        }
        written += static_cast<std::size_t>(n);
    }
    m_fileEnd += static_cast<std::int64_t>(frame.size());
    return true;
}

bool Outbox::openFile()
{
    std::string path = m_spillFolder + "/lockstep-telemetry-XXXXXX";
    m_file = Descriptor(mkostemp(path.data(), O_CLOEXEC));
    if (m_file.isOpen()) {
        unlink(path.c_str());
    }
    return m_file.isOpen();
}

void Outbox::emptyFile()
{
    if (m_file.isOpen() && ftruncate(m_file.number(), 0) != 0) {
        // The bytes stay on disk until the end; they are overwritten, so nothing else changes.
    }
    m_fileBegin = 0;
    m_fileEnd = 0;
}

} // namespace lockstep::engine
