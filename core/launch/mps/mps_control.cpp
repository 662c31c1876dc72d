#include "launch/mps/mps_control.h"

#include "base/descriptor.h"
#include "base/process_limits.h"
#include "base/translate.h"
#include "launch/monitor/mps_obstacle.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QThread>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The kernel cuts the names of nvidia-cuda-mps-control and nvidia-cuda-mps-server after 15 characters.
constexpr QByteArrayView ProcessName = "nvidia-cuda-mps";

[[nodiscard]] bool isTrueWithin(std::chrono::milliseconds limit, const std::function<bool()>& condition)
{
    const QDeadlineTimer deadline(limit);
    while (!condition()) {
        if (deadline.hasExpired()) {
            return false;
        }
        QThread::msleep(MpsControl::PollMs);
    }
    return true;
}

[[nodiscard]] bool acceptsConnections(const QByteArray& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= static_cast<qsizetype>(sizeof(address.sun_path))) {
        return false;
    }
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    const Descriptor client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    return client.isOpen()
        && (connect(client.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0
            || errno == EAGAIN); // its queue is full
}

[[nodiscard]] QByteArray textOfFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

[[nodiscard]] Error controlFailed(const QProcess& process, const QByteArray& said)
{
    if (process.error() == QProcess::FailedToStart) {
        return failure(LS_TR("Messages", "%1 cannot be started: %2"),
            {verbatim(MpsControlProgram), verbatim(process.errorString().toStdString())});
    }
    const QByteArray last = said.trimmed().split('\n').last();
    return last.isEmpty() ? failure(LS_TR("Messages", "%1 failed"), {verbatim(MpsControlProgram)})
                          : failure(LS_TR("Messages", "%1 failed: %2"),
                              {verbatim(MpsControlProgram), verbatim(last.left(200).toStdString())});
}

[[nodiscard]] Error noAnswerWithin(std::chrono::milliseconds limit)
{
    return failure(LS_TR("Messages", "%1 did not answer within %2 s"),
        {verbatim(MpsControlProgram), std::chrono::duration_cast<std::chrono::seconds>(limit).count()});
}

/// Kills it at the limit. Error: that, or the last line of `said()` where it did not end with exit code 0.
template <typename Said>
[[nodiscard]] Result<void> awaitEnd(QProcess& process, std::chrono::milliseconds limit, const Said& said)
{
    const bool hasEnded = process.waitForFinished(static_cast<int>(limit.count()));
    if (!hasEnded && process.error() != QProcess::FailedToStart) {
        process.kill();
        process.waitForFinished(1000);
        return noAnswerWithin(limit);
    }
    const bool isDone = hasEnded && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    return isDone ? Result<void>() : controlFailed(process, said());
}

} // namespace

bool MpsControl::isListening() const
{
    const QByteArray path = QFile::encodeName(m_pipes + u"/control"_s);
    struct stat status { };
    if (stat(path.constData(), &status) != 0) {
        return false;
    }
    if (S_ISSOCK(status.st_mode)) {
        return acceptsConnections(path);
    }
    // Opening a pipe for writing without waiting fails if no process reads it; a plain file that was left is none.
    return S_ISFIFO(status.st_mode) && Descriptor(open(path.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)).isOpen();
}

Result<QByteArray> MpsControl::ask(const QByteArray& commands, std::chrono::milliseconds limit) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"CUDA_MPS_PIPE_DIRECTORY"_s, m_pipes);
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier(restoreOpenFileLimit);
    process.start(QLatin1StringView(MpsControlProgram), {});
    process.write(commands);
    process.closeWriteChannel();
    LOCKSTEP_TRY(awaitEnd(process, limit, [&] { return process.readAllStandardError(); }));
    return process.readAllStandardOutput();
}

Result<void> MpsControl::start(const QString& logDirectory, std::chrono::milliseconds limit) const
{
    const QDeadlineTimer deadline(limit);
    const QString said = logDirectory + u"/start.log"_s;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"CUDA_MPS_PIPE_DIRECTORY"_s, m_pipes);
    environment.insert(u"CUDA_MPS_LOG_DIRECTORY"_s, logDirectory);
    environment.remove(u"CUDA_VISIBLE_DEVICES"_s);
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier([] {
        setsid();
        restoreOpenFileLimit();
    });
    // Files, since the daemon keeps what it is given open for as long as it lives.
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(said);
    process.start(QLatin1StringView(MpsControlProgram), {u"-d"_s});
    LOCKSTEP_TRY(awaitEnd(process, limit, [&] { return textOfFile(said); }));
    const auto left = std::chrono::milliseconds(std::max<qint64>(0, deadline.remainingTime()));
    return isTrueWithin(left, [this] { return isListening(); }) ? Result<void>() : noAnswerWithin(limit);
}

std::vector<pid_t> MpsControl::processes() const
{
    const QByteArray place = "CUDA_MPS_PIPE_DIRECTORY=" + QFile::encodeName(m_pipes);
    std::vector<pid_t> found;
    for (const QString& pid : QDir(u"/proc"_s).entryList({u"[1-9]*"_s}, QDir::Dirs)) {
        const QString folder = u"/proc/"_s + pid;
        // Another user's environment cannot be read.
        if (textOfFile(folder + u"/comm"_s).trimmed() == ProcessName
            && textOfFile(folder + u"/environ"_s).split('\0').contains(place)) {
            found.push_back(static_cast<pid_t>(pid.toInt()));
        }
    }
    return found;
}

bool MpsControl::end(int signal, std::chrono::milliseconds limit) const
{
    for (const pid_t process : processes()) {
        ::kill(process, signal);
    }
    return isTrueWithin(limit, [this] { return processes().empty(); });
}

void MpsControl::stop(std::chrono::milliseconds limit) const
{
    if (isListening() && ask("quit\n", limit) && isTrueWithin(limit, [this] { return processes().empty(); })) {
        return;
    }
    if (!end(SIGTERM, limit)) {
        static_cast<void>(end(SIGKILL, limit));
    }
}

} // namespace lockstep::launch
