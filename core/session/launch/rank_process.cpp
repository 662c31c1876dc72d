#include "session/launch/rank_process.h"

#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

#include <sys/prctl.h>
#include <unistd.h>

namespace lockstep::session {

namespace {

using namespace std::chrono_literals;

constexpr auto TermToKill = 500ms;
constexpr qsizetype LongestLine = 2000;
constexpr std::int64_t MostOutput = 4 << 20; ///< bytes of output kept as log lines, a rank
constexpr std::size_t LastLines = 3;

/// In the child, between fork and exec: only what is safe there.
void isolate(pid_t workbench)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != workbench) {
        _exit(127); // the workbench died before the request above: nobody would tell us any more
    }
}

} // namespace

RankProcess::RankProcess(std::int32_t rank, QObject* parent)
    : QObject(parent)
    , m_rank(rank)
{
    m_killTimer.setSingleShot(true);
    connect(&m_killTimer, &QTimer::timeout, this, &RankProcess::kill);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] {
        m_outRest += m_process.readAllStandardOutput();
        readLines(m_outRest, wire::LogLevel::Info);
    });
    connect(&m_process, &QProcess::readyReadStandardError, this, [this] {
        m_errRest += m_process.readAllStandardError();
        readLines(m_errRest, wire::LogLevel::Warning);
    });
    connect(&m_process, &QProcess::finished, this, &RankProcess::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_notStarted = true;
            onFinished();
        }
    });
}

RankProcess::~RankProcess()
{
    m_process.disconnect(this);
    if (isAlive()) {
        kill();
        m_process.waitForFinished(1000);
    }
}

void RankProcess::start(const QString& program, const QProcessEnvironment& environment)
{
    const pid_t workbench = getpid();
    m_process.setChildProcessModifier([workbench] { isolate(workbench); });
    m_process.setProcessEnvironment(environment);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.start(program, {}, QIODevice::ReadOnly);
    m_group = m_process.processId();
}

bool RankProcess::endedWell() const
{
    return m_ended && !m_notStarted && m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0;
}

std::string RankProcess::causeOfEnd() const
{
    if (m_notStarted) {
        return "could not be started: " + m_process.errorString().toStdString();
    }
    if (m_process.exitStatus() == QProcess::CrashExit) {
        // On Unix QProcess gives the signal's number as the exit code of a crash.
        const int signal = m_process.exitCode();
        return "was killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
    return "ended with exit code " + std::to_string(m_process.exitCode());
}

void RankProcess::terminate()
{
    if (isAlive() && !m_killTimer.isActive()) {
        signalGroup(SIGTERM);
        m_killTimer.start(TermToKill);
    }
}

void RankProcess::kill()
{
    if (isAlive()) {
        signalGroup(SIGKILL);
    }
}

void RankProcess::signalGroup(int signal)
{
    if (m_group > 1 && ::kill(static_cast<pid_t>(-m_group), signal) != 0) {
        ::kill(static_cast<pid_t>(m_group), signal); // it has not reached setpgid yet
    }
}

void RankProcess::readLines(QByteArray& rest, wire::LogLevel level)
{
    qsizetype begin = 0;
    for (qsizetype end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', begin)) {
        addLine(rest.mid(begin, end - begin), level);
        begin = end + 1;
    }
    rest.remove(0, begin);
    if (rest.size() > LongestLine) {
        addLine(rest, level);
        rest.clear();
    }
}

void RankProcess::addLine(QByteArray line, wire::LogLevel level)
{
    if (line.trimmed().isEmpty()) {
        return;
    }
    line.truncate(LongestLine);
    std::string text = QString::fromUtf8(line).toStdString();
    if (m_lastLines.size() == LastLines) {
        m_lastLines.pop_front();
    }
    m_lastLines.push_back(text);
    const bool wasWithin = m_bytesKept <= MostOutput;
    m_bytesKept += line.size();
    if (m_bytesKept <= MostOutput) {
        Q_EMIT lineWritten(m_rank, {monotonicNs(), level, std::move(text)});
    } else if (wasWithin) {
        Q_EMIT lineWritten(
            m_rank, {monotonicNs(), wire::LogLevel::Warning, "more than 4 MiB of output: the rest is not kept"});
    }
}

void RankProcess::onFinished()
{
    if (m_ended) {
        return;
    }
    m_ended = true;
    m_killTimer.stop();
    // What the rank itself started must not outlive it. The group's number cannot have been given away while one of
    // its members lives, and if none does there is nobody to hit.
    if (m_group > 1) {
        ::kill(static_cast<pid_t>(-m_group), SIGKILL);
    }
    m_outRest += m_process.readAllStandardOutput() + '\n';
    m_errRest += m_process.readAllStandardError() + '\n';
    readLines(m_outRest, wire::LogLevel::Info);
    readLines(m_errRest, wire::LogLevel::Warning);
    Q_EMIT ended(m_rank);
}

} // namespace lockstep::session
