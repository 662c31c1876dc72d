// Encoded frames to be sent, in order: some in memory, the rest in a temporary file without a name, which vanishes with
// the process, however that ends. Sending thread only.
#pragma once

#include "base/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace lockstep::engine {

class Outbox {
public:
    /// `spillFolder` empty: TMPDIR, else /tmp.
    Outbox(std::size_t memoryBytes, std::string spillFolder);

    /// Appends a frame. It is never lost: where the file cannot take it (a full disk), it stays in memory.
    void push(std::vector<std::byte> frame);

    /// The next bytes to send, empty if there are none.
    [[nodiscard]] std::span<const std::byte> front();
    /// The first `bytes` bytes of front() have been sent.
    void pop(std::size_t bytes);

    void clear();

    [[nodiscard]] bool isEmpty() const { return waitingBytes() == 0; }
    [[nodiscard]] std::size_t waitingBytes() const { return m_headBytes + m_tailBytes + spilledBytes(); }
    /// The file could not be read back, so frames are missing and nothing more can be sent in order.
    [[nodiscard]] bool isBroken() const { return m_isBroken; }
    [[nodiscard]] std::size_t spilledBytes() const { return static_cast<std::size_t>(m_fileEnd - m_fileBegin); }

private:
    void readBack();
    bool spill(std::span<const std::byte> frame);
    bool openFile();
    void emptyFile();

    std::size_t m_memoryBytes;
    std::string m_spillFolder;
    // In sending order: m_head, then the file, then m_tail (used only while the file cannot be written).
    std::deque<std::vector<std::byte>> m_head;
    std::size_t m_headBytes = 0; ///< not counting what of the first frame is sent
    std::size_t m_sentOfFirst = 0;
    Descriptor m_file;
    std::int64_t m_fileBegin = 0;
    std::int64_t m_fileEnd = 0;
    std::deque<std::vector<std::byte>> m_tail;
    std::size_t m_tailBytes = 0;
    bool m_isBroken = false;
};

} // namespace lockstep::engine
