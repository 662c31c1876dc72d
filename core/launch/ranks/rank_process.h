// One rank's process as a run sees it, however it is started. Session thread only.
#pragma once

#include "launch/ranks/output_file.h"
#include "wire/messages.h"

#include <QByteArray>
#include <QObject>

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace lockstep::launch {

/// From SIGTERM to SIGKILL.
inline constexpr std::chrono::milliseconds TermToKill{500};
/// A process that has closed its connection without a goodbye is about to die, or is broken.
inline constexpr std::chrono::milliseconds DeathAfterDisconnect{500};

/// `was killed by signal 9 (Killed)`
[[nodiscard]] Text killedBy(int signal);
/// `ended with exit code 7`
[[nodiscard]] Text endedWith(int exitCode);

class RankProcess : public QObject {
    Q_OBJECT

public:
    [[nodiscard]] std::int32_t rank() const { return m_rank; }
    [[nodiscard]] virtual bool isAlive() const = 0;
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    /// Exited with code 0 without being killed.
    [[nodiscard]] virtual bool endedWell() const = 0;
    /// Its program is missing, or is none, or the system allows no further process.
    [[nodiscard]] virtual bool wasNotStarted() const { return false; }
    /// `was killed by signal 9 (Killed)`, `ended with exit code 7`, `could not be started: ...`.
    [[nodiscard]] virtual Text causeOfEnd() const = 0;
    /// `rank 1 was killed by signal 9 (Killed)`
    [[nodiscard]] virtual Text howItEnded() const;
    /// The signal that ended it; 0: none, or unknown.
    [[nodiscard]] virtual int endSignal() const { return 0; }
    /// The last lines it wrote, oldest first, each shortened.
    [[nodiscard]] virtual const std::deque<std::string>& lastLines() const { return m_lastLines; }
    /// Keeps its output in this file too (output_file.h). Before it starts.
    void keepOutput(const QString& file) { m_output.emplace(file); }
    /// How long its end may stay unknown after its connection closes.
    [[nodiscard]] virtual std::chrono::milliseconds timeToEnd() const { return DeathAfterDisconnect; }
    /// Whether it can end only when the other ranks do.
    [[nodiscard]] virtual bool endsWithOthers() const { return false; }
    /// Whether its process and its memory are this machine's.
    [[nodiscard]] virtual bool isHere() const { return true; }
    /// From its host's CLOCK_MONOTONIC to this machine's.
    [[nodiscard]] virtual std::int64_t clockShiftNs() const { return 0; }
    /// Whether it was ended because another rank ended, which is then to be named.
    [[nodiscard]] virtual bool wasEndedForAnother() const { return false; }
    /// Whether its end may be why others failed.
    [[nodiscard]] virtual bool mayBeCause() const { return true; }

    /// Whether it is unknown how long it may take until it comes: others start it.
    [[nodiscard]] virtual bool mayComeLate() const { return false; }

    /// It has said hello.
    virtual void connectionOpened(const wire::Hello& /*hello*/) { }
    /// Its connection has closed, by either side or by an accident.
    virtual void connectionClosed(bool /*hasSaidGoodbye*/) { }
    /// Asks it to end, and ends it a little later. No-op if it has ended.
    virtual void terminate() = 0;
    /// Ends it.
    virtual void kill() = 0;

Q_SIGNALS:
    void lineWritten(std::int32_t rank, const lockstep::wire::LogLine& line);
    /// The process is gone and all its output has been read; also when it could not be started.
    void ended(std::int32_t rank);

protected:
    RankProcess(std::int32_t rank, QObject* parent);

    void logLine(const wire::LogLine& line);
    /// Takes the whole lines off its output. After a certain amount the log has no more of them but the last.
    void logLines(QByteArray& rest, wire::LogLevel level);
    void reportEnd();

private:
    void addLine(const QByteArray& line, wire::LogLevel level);
    void logNewest();

    std::int32_t m_rank;
    std::deque<std::string> m_lastLines;
    std::optional<OutputFile> m_output;
    std::int64_t m_bytesLogged = 0;
    std::deque<wire::LogLine> m_newest; ///< of what the log has no room for
    std::size_t m_newestBytes = 0;
    std::size_t m_leftOut = 0; ///< lines older than those
    bool m_ended = false;
};

} // namespace lockstep::launch
