#include "engine/train/run_control.h"

#include "base/clock.h"

#include <chrono>
#include <thread>

namespace lockstep::engine {

namespace {

constexpr std::chrono::milliseconds PausedPoll{5};

} // namespace

RunControl::RunControl(Recorder& recorder)
    : m_recorder(recorder)
{ }

RunControl::Verdict RunControl::beforeStep(std::int64_t step)
{
    m_hasPaused = false;
    while (true) {
        if (m_recorder.isPeerLost()) {
            return Verdict::PeerLost;
        }
        while (const auto control = m_recorder.pollControl()) {
            apply(*control, step);
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

void RunControl::apply(const wire::Control& control, std::int64_t step)
{
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
        m_recorder.log(wire::LogLevel::Warning, "a control command came that strategy.name single does not know");
        return;
    }
    m_recorder.applied({.command = control.command,
        .step = step,
        .timeNs = monotonicNs(),
        .rank = control.rank,
        .value = control.value});
}

} // namespace lockstep::engine
