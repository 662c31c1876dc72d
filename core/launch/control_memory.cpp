#include "launch/control_memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

/// A count, 64 entries of 32 bytes, and what each of at most 64 ranks has read, as in lockstep.py.
constexpr long Bytes = 8 + 64 * 32 + 64 * 8;

} // namespace

ControlMemory::ControlMemory()
    : m_descriptor(memfd_create("lockstep-control", MFD_CLOEXEC))
{
    if (m_descriptor >= 0 && ftruncate(m_descriptor, Bytes) != 0) {
        close(m_descriptor);
        m_descriptor = -1;
    }
}

ControlMemory::~ControlMemory()
{
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
}

} // namespace lockstep::launch
