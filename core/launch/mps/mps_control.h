// One MPS control daemon, addressed by its pipe directory (CUDA_MPS_PIPE_DIRECTORY): whether it runs, what it answers,
// and its processes. Its commands are those of nvidia-cuda-mps-control(1). Blocking, each call within its limit.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

#include <chrono>
#include <vector>

#include <sys/types.h>

namespace lockstep::launch {

class MpsControl {
public:
    /// CUDA's own place, where an MPS is that was started without CUDA_MPS_PIPE_DIRECTORY.
    static inline const QString CommonPipes{QStringLiteral("/tmp/nvidia-mps")};

    static constexpr std::chrono::milliseconds AnswerLimit{5000};
    static constexpr unsigned long PollMs = 10;

    explicit MpsControl(QString pipeDirectory)
        : m_pipes(std::move(pipeDirectory))
    { }

    [[nodiscard]] const QString& pipes() const { return m_pipes; }

    /// A process listens for clients there. It may still give no answer.
    [[nodiscard]] bool isListening() const;
    /// What it answers to these commands, one a line. An error if the program fails or does not answer in time.
    [[nodiscard]] Result<QByteArray> ask(const QByteArray& commands, std::chrono::milliseconds limit) const;
    /// Starts a daemon and returns once it listens. It writes its logs to `logDirectory`, and serves all GPUs: with
    /// CUDA_VISIBLE_DEVICES it would renumber them. It outlives this process and its terminal.
    [[nodiscard]] Result<void> start(const QString& logDirectory, std::chrono::milliseconds limit) const;
    /// Ends the daemon and its servers, which have no clients any more: asks, then SIGTERM, then SIGKILL.
    void stop(std::chrono::milliseconds limit) const;

private:
    /// The processes of this user whose environment names the pipe directory.
    [[nodiscard]] std::vector<pid_t> processes() const;
    [[nodiscard]] bool end(int signal, std::chrono::milliseconds limit) const;

    QString m_pipes;
};

} // namespace lockstep::launch
