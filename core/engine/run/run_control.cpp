#include "engine/run/run_control.h"

#include "base/clock.h"

#include <chrono>
#include <thread>
#include <utility>

namespace lockstep::engine {

namespace {

constexpr std::chrono::milliseconds PausedPoll{5};

} // namespace

RunControl::RunControl(Recorder& recorder, ControlBoard& board, int rank, AgreedStep agreedStep, Apply apply)
    : m_recorder(recorder)
    , m_board(board)
    , m_rank(rank)
    , m_agreedStep(std::move(agreedStep))
    , m_apply(std::move(apply))
{ }

RunControl::Verdict RunControl::beforeStep(std::int64_t step)
{
    m_hasPaused = false;
    m_board.announce(step);
    while (true) {
        if (m_recorder.isPeerLost()) {
            return Verdict::PeerLost;
        }
        if (m_rank == 0) {
            publish(step);
        }
        while (const auto control = m_board.take(step)) {
            carryOut(*control, step);
        }
        switch (m_state) {
        case State::Running:
            return Verdict::Go;
        case State::Stopped:
            return Verdict::Stop;
        case State::Paused:
            m_hasPaused = true;
            std::this_thread::sleep_for(PausedPoll);
            break;
        }
    }
}

void RunControl::publish(std::int64_t step)
{
    while (const auto control = m_recorder.pollControl()) {
        m_unpublished.push_back(*control);
    }
    while (!m_unpublished.empty()) {
        // While the run is paused every rank waits, or will wait, before this step.
        const std::int64_t effect = m_state == State::Paused ? step : m_agreedStep(step);
        if (!m_board.publish(m_unpublished.front(), effect)) {
            return; // another time: the slowest rank has to read first
        }
        m_unpublished.pop_front();
    }
}

void RunControl::carryOut(const wire::Control& control, std::int64_t step)
{
    bool isForEveryRank = true;
    switch (control.command) {
    case wire::Command::Pause:
        m_state = m_state == State::Stopped ? m_state : State::Paused;
        break;
    case wire::Command::Resume:
        m_state = m_state == State::Stopped ? m_state : State::Running;
        break;
    case wire::Command::Stop:
        m_state = State::Stopped;
        break;
    case wire::Command::SetStraggler:
    case wire::Command::SetLink:
    case wire::Command::Checkpoint:
    case wire::Command::SetStragglerFactor:
    case wire::Command::SetLinkBandwidth:
        isForEveryRank = false;
        if (!m_apply(control)) {
            m_recorder.log(wire::LogLevel::Warning, "a control command came that this run's strategy does not know");
            return;
        }
        break;
    }
    if (m_rank == 0) {
        m_board.setPaused(m_state == State::Paused);
    }
    // All ranks apply it at the same step, so one reports it; each rank reports its own pause and resume.
    if (isForEveryRank || m_rank == 0) {
        m_recorder.applied({.command = control.command,
            .step = step,
            .timeNs = monotonicNs(),
            .rank = control.rank,
            .value = control.value});
    }
}

} // namespace lockstep::engine
