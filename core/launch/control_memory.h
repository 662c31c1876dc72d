// Memory that the ranks of a user's own program share: rank 0 passes commands on through it (lockstep.py, _Board). It
// has no name: ranks inherit its descriptor.
#pragma once

namespace lockstep::launch {

class ControlMemory {
public:
    ControlMemory();
    ~ControlMemory();
    ControlMemory(const ControlMemory&) = delete;
    ControlMemory& operator=(const ControlMemory&) = delete;

    /// -1 if the system gives none: then rank 0 alone carries commands out. Closed at exec; a child clears that flag.
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    int m_descriptor = -1;
};

} // namespace lockstep::launch
