// Pause, resume, stop and changes of the bottleneck, applied at the start of a step: the same one on every rank.
#pragma once

#include "engine/ranks/control_board.h"
#include "engine/telemetry/recorder.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace lockstep::engine {

class RunControl {
public:
    enum class Verdict { Go, Stop, PeerLost };
    /// The step at which all ranks know what rank 0 publishes at the start of the given one.
    using AgreedStep = std::function<std::int64_t(std::int64_t)>;
    /// Applies commands other than pause, resume and stop; false if unknown.
    using Apply = std::function<bool(const wire::Control&)>;

    RunControl(Recorder& recorder, ControlBoard& board, int rank, AgreedStep agreedStep, Apply apply);

    /// Applies what is due at `step`; does not return while the run is paused.
    [[nodiscard]] Verdict beforeStep(std::int64_t step);
    /// Whether the last call waited.
    [[nodiscard]] bool hasPaused() const { return m_hasPaused; }

private:
    enum class State { Running, Paused, Stopped };

    /// Rank 0: passes on what the workbench has sent.
    void publish(std::int64_t step);
    void carryOut(const wire::Control& control, std::int64_t step);

    Recorder& m_recorder;
    ControlBoard& m_board;
    int m_rank;
    AgreedStep m_agreedStep;
    Apply m_apply;
    std::deque<wire::Control> m_unpublished;
    State m_state = State::Running;
    bool m_hasPaused = false;
};

} // namespace lockstep::engine
