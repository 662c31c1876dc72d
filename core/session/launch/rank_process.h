// One rank's process: in a process group of its own, killed by the kernel when the workbench dies, its output read
// line by line. Session thread only; the thread must live as long as the process, because the kernel's parent-death
// signal follows the thread that forked.
#pragma once

#include "wire/messages.h"

#include <QObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <string>

namespace lockstep::session {

class RankProcess : public QObject {
    Q_OBJECT

public:
    RankProcess(std::int32_t rank, QObject* parent);
    /// Kills the group if it is still there.
    ~RankProcess() override;

    void start(const QString& program, const QProcessEnvironment& environment);

    [[nodiscard]] std::int32_t rank() const { return m_rank; }
    [[nodiscard]] bool isAlive() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    /// Ended by itself with exit code 0.
    [[nodiscard]] bool endedWell() const;
    /// `was killed by signal 9 (Killed)`, `ended with exit code 7`, `could not be started: ...`.
    [[nodiscard]] std::string causeOfEnd() const;
    /// The last lines it wrote, oldest first.
    [[nodiscard]] const std::deque<std::string>& lastLines() const { return m_lastLines; }

    /// SIGTERM to the group now, SIGKILL after 500 ms. Does nothing when it has ended.
    void terminate();
    /// SIGKILL to the group.
    void kill();

Q_SIGNALS:
    void lineWritten(std::int32_t rank, const lockstep::wire::LogLine& line);
    /// The process is gone and all its output has been read; also when it could not be started.
    void ended(std::int32_t rank);

private:
    void readLines(QByteArray& rest, wire::LogLevel level);
    void addLine(QByteArray line, wire::LogLevel level);
    void onFinished();
    void signalGroup(int signal);

    std::int32_t m_rank;
    QProcess m_process;
    QTimer m_killTimer;
    QByteArray m_outRest;
    QByteArray m_errRest;
    std::deque<std::string> m_lastLines;
    std::int64_t m_group = 0; ///< process group, equal to the pid
    std::int64_t m_bytesKept = 0;
    bool m_ended = false;
    bool m_notStarted = false;
};

} // namespace lockstep::session
