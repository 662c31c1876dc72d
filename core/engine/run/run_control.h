// Pause, resume, stop and changes of stragglers, applied at the start of a step: the same one on every rank. Also
// the blocks of steps of a run that takes turns with others: between two blocks the ranks hold, asleep until a command
// comes.
#pragma once

#include "engine/ranks/control_board.h"
#include "engine/telemetry/recorder.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace lockstep::engine {

class RunControl {
public:
    enum class Verdict { Go, Stop, PeerLost };
    /// The step at which all ranks know what rank 0 publishes at the start of the given one.
    using AgreedStep = std::function<std::int64_t(std::int64_t)>;
    /// Applies commands other than pause, resume, stop and those of turns; false if unknown.
    using Apply = std::function<bool(const wire::Control&)>;
    /// Called when the ranks begin to hold: gives what was measured since the last call (steps, wallNs and samples).
    using TakeBlock = std::function<wire::Held()>;

    RunControl(
        Recorder& recorder, ControlBoard& board, int rank, AgreedStep agreedStep, Apply apply, TakeBlock takeBlock);
    ~RunControl();
    RunControl(const RunControl&) = delete;
    RunControl& operator=(const RunControl&) = delete;

    /// Applies what is due at `step`; does not return while the run is paused or holds.
    [[nodiscard]] Verdict beforeStep(std::int64_t step);
    /// Whether the last call waited.
    [[nodiscard]] bool hasPaused() const { return m_hasPaused; }
    /// Whether the workbench runs it in blocks: then it continues after its last step until Stop.
    [[nodiscard]] bool takesTurns() const { return m_turn.has_value(); }
    /// The run's own steps are done, `step` the last of them: what follows is measured only.
    void endOwnSteps(std::int64_t step);

private:
    enum class State { Running, Paused, Stopped };

    struct Turn {
        std::int64_t lastStep = 0;
        std::int64_t number = 0;
        std::int64_t startNs = 0; ///< 0: not begun
    };

    /// Rank 0: passes on what the workbench has sent.
    void publish(std::int64_t step);
    void carryOut(const wire::Control& control, std::int64_t step);
    void report(const wire::Control& control, std::int64_t step, bool isForEveryRank);
    [[nodiscard]] bool mustHold(std::int64_t step) const { return m_turn && step > m_turn->lastStep; }
    /// Whether every rank waits, or will wait, before this step.
    [[nodiscard]] bool isWaiting(std::int64_t step) const
    {
        return m_state == State::Paused || (m_state == State::Running && mustHold(step));
    }
    void beginHold(std::int64_t step);
    void endHold();

    Recorder& m_recorder;
    ControlBoard& m_board;
    int m_rank;
    AgreedStep m_agreedStep;
    Apply m_apply;
    TakeBlock m_takeBlock;
    std::deque<wire::Control> m_unpublished;
    State m_state = State::Running;
    std::optional<Turn> m_turn;
    bool m_isHeld = false;
    bool m_isOver = false; ///< its own steps are done
    bool m_hasPaused = false;
};

} // namespace lockstep::engine
