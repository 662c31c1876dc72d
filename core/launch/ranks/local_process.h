// A child process: in its own process group, ended by the kernel when the workbench dies, its output read
// line by line. Session thread only; the thread must live as long as the process, because the kernel's parent-death
// signal follows the thread that forked.
#pragma once

#include "launch/ranks/rank_process.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QTimer>

#include <csignal>

namespace lockstep::launch {

/// In the child, between fork and exec, where only this is safe: the user's mask for files and limit of open
/// files, a separate process group, which the kernel sends `deathSignal` when the workbench dies; `inherited` stays
/// open, -1: none.
void isolate(pid_t workbench, int deathSignal, int inherited = -1);

class LocalProcess final : public RankProcess {
    Q_OBJECT

public:
    struct Command {
        QString program;
        QStringList arguments{};
        QProcessEnvironment environment{};
        /// What the kernel sends it when the workbench dies: SIGTERM for a program that has to clean up.
        int deathSignal = SIGKILL;
        int inherited = -1; ///< a descriptor that it keeps open; -1: none
        /// It may write what it cleans up after the workbench has died, without a SIGPIPE that would end it.
        bool keepsReaders = false;
    };

    LocalProcess(std::int32_t rank, QObject* parent);
    /// Kills the group if it still exists.
    ~LocalProcess() override;

    void start(const Command& command);

    [[nodiscard]] bool isAlive() const override { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] bool endedWell() const override;
    [[nodiscard]] bool wasNotStarted() const override { return !m_notStarted.empty(); }
    [[nodiscard]] Text causeOfEnd() const override;
    [[nodiscard]] int endSignal() const override;

    /// SIGTERM to the group now, SIGKILL after 500 ms. Does nothing when it has ended.
    void terminate() override;
    /// SIGKILL to the group.
    void kill() override;

private:
    void onFinished();
    void signalGroup(int signal);

    QProcess m_process;
    QTimer m_killTimer;
    QByteArray m_outRest;
    QByteArray m_errRest;
    std::int64_t m_group = 0; ///< process group, equal to the pid
    Text m_notStarted; ///< why not; empty: it was, or is to be
};

} // namespace lockstep::launch
