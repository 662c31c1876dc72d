#include "engine/run/run_control.h"

#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

namespace lockstep::engine {

namespace {

/// Until the other ranks have read what the board holds.
constexpr std::chrono::milliseconds BoardFullPoll{5};
constexpr std::int64_t NoLimit = std::numeric_limits<std::int64_t>::max();

} // namespace

RunControl::RunControl(
    Recorder& recorder, ControlBoard& board, int rank, AgreedStep agreedStep, Apply apply, TakeBlock takeBlock)
    : m_recorder(recorder)
    , m_board(board)
    , m_rank(rank)
    , m_agreedStep(std::move(agreedStep))
    , m_apply(std::move(apply))
    , m_takeBlock(std::move(takeBlock))
{
    m_recorder.setWaiter([&board] { board.ring(); });
}

RunControl::~RunControl()
{
    m_recorder.setWaiter({});
}

RunControl::Verdict RunControl::beforeStep(std::int64_t step)
{
    m_hasPaused = false;
    m_board.announce(step);
    while (true) {
        const std::uint32_t bell = m_board.bell();
        if (m_recorder.isPeerLost()) {
            return Verdict::PeerLost;
        }
        if (m_rank == 0) {
            publish(step);
        }
        // Where all ranks wait, what was published for a step after the wait takes effect here: the board is read in
        // order, and what ends the wait may stand behind it.
        while (const auto control = m_board.take(isWaiting(step) ? NoLimit : step)) {
            carryOut(*control, step);
        }
        if (m_state == State::Stopped) {
            endHold();
            return Verdict::Stop;
        }
        if (m_state == State::Running && !mustHold(step)) {
            endHold();
            return Verdict::Go;
        }
        if (m_state == State::Running) {
            beginHold(step);
        }
        if (m_board.isRankLost()) {
            endHold();
            return Verdict::Go; // the step's first collective names the rank
        }
        m_hasPaused = true;
        if (m_unpublished.empty()) {
            m_board.sleepUntilRung(bell);
        } else {
            std::this_thread::sleep_for(BoardFullPoll);
        }
    }
}

void RunControl::endOwnSteps(std::int64_t step)
{
    m_isOver = true;
    if (m_turn && m_turn->lastStep == NoLimit) {
        m_turn->lastStep = step;
    }
}

void RunControl::publish(std::int64_t step)
{
    while (const auto control = m_recorder.pollControl()) {
        m_unpublished.push_back(*control);
    }
    while (!m_unpublished.empty()) {
        const std::int64_t effect = isWaiting(step) ? step : m_agreedStep(step);
        if (!m_board.publish(m_unpublished.front(), effect)) {
            return; // another time: the slowest rank has to read first
        }
        m_unpublished.pop_front();
    }
}

void RunControl::beginHold(std::int64_t step)
{
    if (m_isHeld) {
        return;
    }
    m_isHeld = true;
    const wire::Held measured = m_takeBlock();
    const bool isBlock = m_turn->startNs != 0; // else the run has just begun, or was cut short
    wire::Held held = isBlock ? measured : wire::Held{};
    held.step = step - 1;
    held.timeNs = monotonicNs();
    held.block = isBlock ? m_turn->number : 0;
    held.startNs = m_turn->startNs;
    m_turn->startNs = 0;
    if (m_rank == 0) {
        m_board.setPaused(true);
    }
    m_recorder.held(held);
}

void RunControl::endHold()
{
    if (!m_isHeld) {
        return;
    }
    m_isHeld = false;
    if (m_turn->lastStep != NoLimit) {
        m_turn->startNs = monotonicNs();
    }
    if (m_rank == 0) {
        m_board.setPaused(m_state == State::Paused);
    }
    m_recorder.endHold();
}

void RunControl::carryOut(const wire::Control& control, std::int64_t step)
{
    switch (control.command) {
    case wire::Command::Pause:
        m_state = m_state == State::Stopped ? m_state : State::Paused;
        return report(control, step, true);
    case wire::Command::Resume:
        m_state = m_state == State::Stopped ? m_state : State::Running;
        return report(control, step, true);
    case wire::Command::Stop:
        m_state = State::Stopped;
        if (!m_isOver) {
            report(control, step, true);
        }
        return;
    case wire::Command::RunSteps: {
        const auto steps = static_cast<std::int64_t>(control.value);
        m_turn = {.lastStep = steps < 0 && !m_isOver ? NoLimit : step - 1 + std::max<std::int64_t>(0, steps),
            .number = std::max(0, control.rank)};
        return;
    }
    case wire::Command::SetStraggler:
    case wire::Command::SetLink:
    case wire::Command::Checkpoint:
    case wire::Command::SetStragglerFactor:
    case wire::Command::SetLinkBandwidth:
        if (!m_apply(control)) {
            m_recorder.log(wire::LogLevel::Warning,
                LS_TR("Messages", "a control command came that this run's strategy does not know"));
            return;
        }
        return report(control, step, false);
    }
}

/// All ranks apply it at the same step, so one reports it; each rank reports its own pause and resume.
void RunControl::report(const wire::Control& control, std::int64_t step, bool isForEveryRank)
{
    if (m_rank == 0) {
        m_board.setPaused(m_state == State::Paused || m_isHeld);
    }
    if (isForEveryRank || m_rank == 0) {
        m_recorder.applied({.command = control.command,
            .step = step,
            .timeNs = monotonicNs(),
            .rank = control.rank,
            .value = control.value});
    }
}

} // namespace lockstep::engine
