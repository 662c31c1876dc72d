// Memory that the ranks of a user's own program share: rank 0 passes commands on through it (lockstep.py, _Board).
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace lockstep::launch {

/// It has no name: ranks inherit its descriptor, or open it by this process's.
class ControlMemory {
public:
    ControlMemory()
        : m_descriptor(memfd_create("lockstep-control", MFD_CLOEXEC))
    {
        // A count, 64 entries of 32 bytes, and what each of at most 64 ranks has read, as in lockstep.py.
        constexpr long Bytes = 8 + 64 * 32 + 64 * 8;
        if (m_descriptor >= 0 && ftruncate(m_descriptor, Bytes) != 0) {
            close(std::exchange(m_descriptor, -1));
        }
    }
    ~ControlMemory()
    {
        if (m_descriptor >= 0) {
            close(m_descriptor);
        }
    }
    ControlMemory(const ControlMemory&) = delete;
    ControlMemory& operator=(const ControlMemory&) = delete;

    /// -1 if the system gives none: then rank 0 alone carries commands out. Closed at exec; a child clears that flag.
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

} // namespace lockstep::launch
