// Pause, resume and stop, taken at the start of a step.
#pragma once

#include "engine/telemetry/recorder.h"

#include <cstdint>

namespace lockstep::engine {

class RunControl {
public:
    enum class Verdict { Go, Stop, PeerLost };

    explicit RunControl(Recorder& recorder);

    /// Applies what has come in, with `step` as the step of its effect; does not return while the run is paused.
    [[nodiscard]] Verdict beforeStep(std::int64_t step);
    /// Whether the last call waited.
    [[nodiscard]] bool hasPaused() const { return m_hasPaused; }

private:
    enum class State { Running, Paused, Stopped };

    void apply(const wire::Control& control, std::int64_t step);

    Recorder& m_recorder;
    State m_state = State::Running;
    bool m_hasPaused = false;
};

} // namespace lockstep::engine
