// What the ranks of a run say and how they end.
#include "session/launch/run_job.h"

#include "base/clock.h"

#include <fmt/format.h>

#include <QTimer>

#include <algorithm>
#include <chrono>

namespace lockstep::session {

using analysis::RunStatus;
using namespace std::chrono_literals;

namespace {

/// A dead process's socket is closed by the kernel; only a process that inherited it could keep it open.
constexpr auto DrainLimit = 300ms;
constexpr auto ExitAfterGoodbye = 3s;

} // namespace

/// Not before the first rank has come: what cannot start leaves no trace of the machine.
void RunJob::watch(std::int32_t rank, const wire::Hello& hello)
{
    if (m_monitor == nullptr) {
        return;
    }
    if (!m_isMonitored) {
        m_isMonitored = true;
        connect(m_monitor, &MachineMonitor::described, this,
            [this](const analysis::Machine& machine) { m_collector.add(machine); });
        connect(m_monitor, &MachineMonitor::sampled, this,
            [this](const analysis::MachineSample& sample) { m_collector.add(sample); });
        m_monitor->begin();
    }
    m_monitor->watch(rank, hello);
}

void RunJob::onConnected(std::int32_t rank, const wire::Hello& hello)
{
    m_collector.add(rank, hello);
    watch(rank, hello);
    m_server.connection(rank)->send(wire::Welcome{wire::ProtocolVersion, experiment::toJson(m_record.spec)});
    peer(rank).lastHeard = std::chrono::steady_clock::now();
    if (rank == 0 && m_wantsPause) {
        send({wire::Command::Pause});
    }
}

void RunJob::onMessage(std::int32_t rank, const wire::Message& message)
{
    if (std::holds_alternative<wire::Welcome>(message) || std::holds_alternative<wire::Control>(message)
        || std::holds_alternative<wire::Hello>(message)) {
        fail({fmt::format("rank {} sent a message that a rank does not send at this point", rank)});
        return;
    }
    peer(rank).lastHeard = std::chrono::steady_clock::now();
    m_collector.add(rank, message);
    if (std::holds_alternative<wire::Prepared>(message)) {
        onPrepared(rank);
    } else if (const auto* applied = std::get_if<wire::Applied>(&message)) {
        onApplied(rank, *applied);
    } else if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        onGoodbye(rank, *goodbye);
    }
}

void RunJob::onPrepared(std::int32_t rank)
{
    peer(rank).isPrepared = true;
    if (std::all_of(m_peers.begin(), m_peers.end(), [](const Peer& each) { return each.isPrepared; })) {
        m_startTimer.stop();
        if (m_record.status == RunStatus::Starting) {
            setStatus(RunStatus::Running);
        }
    }
}

void RunJob::onApplied(std::int32_t rank, const wire::Applied& applied)
{
    const bool isPause = applied.command == wire::Command::Pause;
    if (rank != 0 || (!isPause && applied.command != wire::Command::Resume)) {
        return;
    }
    if (isPause && m_record.status == RunStatus::Running) {
        setStatus(RunStatus::Paused);
    } else if (!isPause && m_record.status == RunStatus::Paused) {
        setStatus(RunStatus::Running);
    }
}

void RunJob::onGoodbye(std::int32_t rank, const wire::Goodbye& goodbye)
{
    peer(rank).goodbye = goodbye;
    if (goodbye.outcome == wire::Outcome::Refused) {
        fail({goodbye.message}, Cause::Refused);
    } else if (goodbye.outcome == wire::Outcome::Failed) {
        if (m_failure) {
            note(wire::LogLevel::Error, goodbye.message);
        } else {
            m_isFailureReported = true;
        }
        fail({goodbye.message}, Cause::Failed, Others::Hear);
    }
    QTimer::singleShot(ExitAfterGoodbye, this, [this, rank] {
        const bool mayEnd = !peer(rank).process->endsWithOthers()
            || std::all_of(m_peers.begin(), m_peers.end(), [](const Peer& each) { return each.goodbye.has_value(); });
        if (mayEnd && peer(rank).process->isAlive()) {
            note(wire::LogLevel::Warning, fmt::format("rank {} did not exit after its goodbye: ended", rank));
            peer(rank).isOverdue = true;
            peer(rank).process->terminate();
        }
    });
}

void RunJob::onDisconnected(std::int32_t rank)
{
    if (peer(rank).process->hasEnded()) {
        settle(rank);
        return;
    }
    if (peer(rank).goodbye) {
        return;
    }
    QTimer::singleShot(peer(rank).process->timeToEnd(), this, [this, rank] {
        if (peer(rank).process->isAlive() && !m_stopRequested) {
            fail({fmt::format(
                "rank {} closed its connection after step {} without a goodbye", rank, m_collector.lastStep(rank))});
        }
    });
}

void RunJob::onProcessEnded(std::int32_t rank)
{
    RankConnection* connection = m_server.connection(rank);
    if (connection != nullptr) {
        connection->drain();
    }
    if (m_server.connection(rank) == nullptr) {
        settle(rank);
        return;
    }
    QTimer::singleShot(DrainLimit, this, [this, rank] {
        if (RankConnection* late = m_server.connection(rank)) {
            late->drain();
            late->cutOff();
        }
        settle(rank);
    });
}

void RunJob::settle(std::int32_t rank)
{
    Peer& settled = peer(rank);
    if (settled.isSettled) {
        return;
    }
    settled.isSettled = true;
    const bool wasEnded = (m_failure.has_value() && !m_hearTimer.isActive()) || m_stopRequested;
    const bool saidAll = settled.goodbye
        && (settled.process->endedWell() || settled.isOverdue || settled.goodbye->outcome == wire::Outcome::Failed
            || settled.goodbye->outcome == wire::Outcome::Refused);
    if (saidAll) {
        // Its goodbye has said all.
    } else if (wasEnded || settled.process->wasEndedForAnother()) {
        m_collector.add(RankChange{rank, RankState::Stopped, settled.process->causeOfEnd()});
    } else {
        m_collector.add(RankChange{rank, RankState::Lost, settled.process->causeOfEnd()});
        if (m_isFailureReported) {
            // What another rank has said was about this.
            m_isFailureReported = false;
            m_failure.reset();
        }
        fail({causeOfLoss(rank)}, Cause::Failed, Others::Hear);
    }
    finishIfSettled();
}

std::string RunJob::causeOfLoss(std::int32_t rank) const
{
    const Peer& lost = m_peers.at(static_cast<std::size_t>(rank));
    std::string text = fmt::format("rank {} {}", rank, lost.process->causeOfEnd());
    const std::int64_t step = m_collector.lastStep(rank);
    if (lost.goodbye) {
        text += " after its goodbye";
    } else if (step > 0) {
        text += fmt::format(" after step {}", step);
    } else {
        text += " before its first step";
    }
    if (!lost.goodbye && lost.process->endedWell()) {
        text += " without a goodbye";
    }
    const auto& lines = lost.process->lastLines();
    if (!lines.empty()) {
        text += "; its last lines: ";
        for (std::size_t i = 0; i < lines.size(); ++i) {
            text += (i == 0 ? "" : " | ") + lines[i];
        }
    }
    return text;
}

/// For each rank separately: messages of others do not keep a run alive that one rank never joins. Memory samples
/// count as talking, so a rank may take its time over its data.
void RunJob::lookForSilence()
{
    const auto heardSince = std::chrono::steady_clock::now() - m_options.startTimeout;
    for (std::size_t i = 0; i < m_peers.size(); ++i) {
        if (!m_peers[i].isPrepared && !m_peers[i].isSettled && m_peers[i].lastHeard < heardSince) {
            const auto rank = static_cast<std::int32_t>(i);
            fail({fmt::format("rank {} was silent for {} s while starting ({})", rank,
                fmt::format("{:f}", m_options.startTimeout.count() / 1000.0).substr(0, 4),
                m_server.connection(rank) != nullptr ? "it has connected but not loaded its data"
                                                     : "it has not connected")});
            return;
        }
    }
}

} // namespace lockstep::session
