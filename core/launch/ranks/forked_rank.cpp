#include "launch/ranks/forked_rank.h"

#include "base/descriptor.h"
#include "base/process_limits.h"
#include "base/translate.h"

#include <array>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace lockstep::launch {

ForkedRank::ForkedRank(
    std::int32_t rank, std::uint32_t id, ReadyProcess* ready, const QProcessEnvironment& environment, QObject* parent)
    : RankProcess(rank, parent)
    , m_id(id)
    , m_ready(ready)
    , m_environment(environment)
{
    m_killTimer.setSingleShot(true);
    connect(&m_killTimer, &QTimer::timeout, this, &ForkedRank::kill);
}

ForkedRank::~ForkedRank()
{
    if (m_ready) {
        m_ready->remove(*this);
    }
    if (isForked() && !hasEnded()) {
        signalGroup(SIGKILL);
    }
    for (Stream& stream : m_streams) {
        stream.notifier.reset();
        if (stream.descriptor >= 0) {
            close(stream.descriptor);
        }
    }
}

bool ForkedRank::ask(const std::string& specJson)
{
    std::array<int, 2> writeEnds{-1, -1};
    bool isOpen = true;
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        std::array<int, 2> ends{-1, -1};
        isOpen = isOpen && pipe2(ends.data(), O_CLOEXEC) == 0;
        m_streams[i].descriptor = ends[0];
        writeEnds[i] = ends[1];
    }
    const bool isAsked = isOpen && m_ready->send(*this, specJson, writeEnds[0], writeEnds[1]);
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        Stream& stream = m_streams[i];
        if (writeEnds[i] >= 0) {
            close(writeEnds[i]);
        }
        if (stream.descriptor >= 0) {
            fcntl(stream.descriptor, F_SETFL, O_NONBLOCK);
            stream.notifier = std::make_unique<QSocketNotifier>(stream.descriptor, QSocketNotifier::Read);
            connect(stream.notifier.get(), &QSocketNotifier::activated, this, [this, &stream] { readOutput(stream); });
        }
    }
    return isAsked;
}

void ForkedRank::startDirectly(const QString& program)
{
    m_ready.clear();
    m_direct = new LocalProcess(rank(), this);
    connect(
        m_direct, &RankProcess::lineWritten, this, [this](std::int32_t, const wire::LogLine& line) { logLine(line); });
    connect(m_direct, &RankProcess::ended, this, [this] { reportEnd(); });
    m_direct->start({.program = program, .environment = m_environment});
}

bool ForkedRank::isAlive() const
{
    return m_direct != nullptr ? m_direct->isAlive() : !hasEnded();
}

bool ForkedRank::endedWell() const
{
    return m_direct != nullptr ? m_direct->endedWell() : m_endedWell;
}

Text ForkedRank::causeOfEnd() const
{
    return m_direct != nullptr ? m_direct->causeOfEnd() : m_cause;
}

void ForkedRank::terminate()
{
    if (m_direct != nullptr) {
        m_direct->terminate();
    } else if (!hasEnded() && !isForked()) {
        kill();
    } else if (!hasEnded() && !m_killTimer.isActive()) {
        signalGroup(SIGTERM);
        m_killTimer.start(TermToKill);
    }
}

void ForkedRank::kill()
{
    if (m_direct != nullptr) {
        m_direct->kill();
    } else if (isForked() && !hasEnded()) {
        signalGroup(SIGKILL);
    } else if (!hasEnded()) {
        if (m_ready) {
            m_ready->forget(*this);
        }
        end(LS_TR("Messages", "was ended before it had started"), false);
    }
}

void ForkedRank::signalGroup(int signal) const
{
    // The ready process has called setpgid() before it reported the rank.
    ::kill(-m_group, signal);
}

void ForkedRank::onReport(const wire::ReadyReport& report)
{
    switch (report.kind) {
    case wire::ReadyReport::Kind::Loaded:
        break;
    case wire::ReadyReport::Kind::Started:
        m_group = report.value;
        break;
    case wire::ReadyReport::Kind::NotStarted:
        m_notStarted = true;
        end({LS_TR("Messages", "could not be started: %1"), {atLimit(report.value)}}, false);
        break;
    case wire::ReadyReport::Kind::Exited:
        end(endedWith(report.value), report.value == 0);
        break;
    case wire::ReadyReport::Kind::Killed:
        end(killedBy(report.value), false);
        break;
    }
}

void ForkedRank::onReadyEnded(const Text& cause)
{
    signalGroup(SIGKILL); // processes that it has started itself
    end({LS_TR("Messages", "ended with the process that it was forked from, which %1"), {cause}}, false);
}

void ForkedRank::end(Text cause, bool isWell)
{
    if (m_ready) {
        m_ready->remove(*this);
    }
    m_killTimer.stop();
    m_cause = std::move(cause);
    m_endedWell = isWell;
    for (Stream& stream : m_streams) {
        readOutput(stream);
        stream.rest += '\n';
        logLines(stream.rest, stream.level);
        stream.notifier.reset();
    }
    reportEnd();
}

void ForkedRank::readOutput(Stream& stream)
{
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while (stream.descriptor >= 0
        && (got = uninterrupted([&] { return read(stream.descriptor, buffer.data(), buffer.size()); })) > 0) {
        stream.rest.append(buffer.data(), got);
    }
    if (got == 0 && stream.notifier) {
        stream.notifier->setEnabled(false); // closed by the rank
    }
    logLines(stream.rest, stream.level);
}

} // namespace lockstep::launch
