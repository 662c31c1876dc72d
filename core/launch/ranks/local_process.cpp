#include "launch/ranks/local_process.h"

#include "base/private_files.h"
#include "base/process_limits.h"
#include "base/translate.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

/// Why QProcess could not create a process. It gives the error's text only.
Text notCreated(const QString& said)
{
    const Text text = verbatim(said.toStdString());
    for (const int code : {EMFILE, ENFILE, EAGAIN, ENOMEM}) {
        if (said.contains(qt_error_string(code))) {
            return atLimit(code, text);
        }
    }
    return text;
}

/// In the child: opens the other ends of the pipes that it writes to, which then live as long as it does.
void keepReaders()
{
    for (const char* pipe : {"/proc/self/fd/1", "/proc/self/fd/2"}) {
        static_cast<void>(open(pipe, O_RDONLY | O_NONBLOCK)); // NOLINT: it stays open over exec
    }
}

} // namespace

void isolate(pid_t workbench, int deathSignal, int inherited)
{
    setpgid(0, 0);
    restoreFileMask();
    restoreOpenFileLimit();
    if (inherited >= 0) {
        fcntl(inherited, F_SETFD, 0);
    }
    prctl(PR_SET_PDEATHSIG, deathSignal);
    if (getppid() != workbench) {
        _exit(127); // the workbench died before the request above, so no signal will come
    }
}

LocalProcess::LocalProcess(std::int32_t rank, QObject* parent)
    : RankProcess(rank, parent)
{
    m_killTimer.setSingleShot(true);
    connect(&m_killTimer, &QTimer::timeout, this, &LocalProcess::kill);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] {
        m_outRest += m_process.readAllStandardOutput();
        logLines(m_outRest, wire::LogLevel::Info);
    });
    connect(&m_process, &QProcess::readyReadStandardError, this, [this] {
        m_errRest += m_process.readAllStandardError();
        logLines(m_errRest, wire::LogLevel::Warning);
    });
    connect(&m_process, &QProcess::finished, this, &LocalProcess::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_notStarted = notCreated(m_process.errorString());
            onFinished();
        }
    });
}

LocalProcess::~LocalProcess()
{
    m_process.disconnect(this);
    if (isAlive()) {
        kill();
        m_process.waitForFinished(1000);
    }
}

void LocalProcess::start(const Command& command)
{
    const pid_t workbench = getpid();
    m_process.setChildProcessModifier([workbench, deathSignal = command.deathSignal, inherited = command.inherited,
                                          keepsReaders = command.keepsReaders] {
        isolate(workbench, deathSignal, inherited);
        if (keepsReaders) {
            keepReaders();
        }
    });
    m_process.setProcessEnvironment(command.environment);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.start(command.program, command.arguments, QIODevice::ReadOnly);
    m_group = m_process.processId();
}

bool LocalProcess::endedWell() const
{
    return hasEnded() && !wasNotStarted() && m_process.exitStatus() == QProcess::NormalExit
        && m_process.exitCode() == 0;
}

Text LocalProcess::causeOfEnd() const
{
    if (wasNotStarted()) {
        return {LS_TR("Messages", "could not be started: %1"), {m_notStarted}};
    }
    const int signal = endSignal();
    return signal != 0 ? killedBy(signal) : endedWith(m_process.exitCode());
}

/// On Unix QProcess gives the signal's number as the exit code of a crash.
int LocalProcess::endSignal() const
{
    return hasEnded() && m_process.exitStatus() == QProcess::CrashExit ? m_process.exitCode() : 0;
}

void LocalProcess::terminate()
{
    if (isAlive() && !m_killTimer.isActive()) {
        signalGroup(SIGTERM);
        m_killTimer.start(TermToKill);
    }
}

void LocalProcess::kill()
{
    if (isAlive()) {
        signalGroup(SIGKILL);
    }
}

void LocalProcess::signalGroup(int signal)
{
    if (m_group > 1 && ::kill(static_cast<pid_t>(-m_group), signal) != 0) {
        ::kill(static_cast<pid_t>(m_group), signal); // it has not reached setpgid yet
    }
}

void LocalProcess::onFinished()
{
    if (hasEnded()) {
        return;
    }
    m_killTimer.stop();
    // The rank's own children must not outlive it. The group's number is not reused while a member lives, and if none
    // does the signal reaches no process.
    if (m_group > 1) {
        ::kill(static_cast<pid_t>(-m_group), SIGKILL);
    }
    m_outRest += m_process.readAllStandardOutput() + '\n';
    m_errRest += m_process.readAllStandardError() + '\n';
    logLines(m_outRest, wire::LogLevel::Info);
    logLines(m_errRest, wire::LogLevel::Warning);
    reportEnd();
}

} // namespace lockstep::launch
