#include "launch/mps/mps_daemon.h"

#include "base/translate.h"
#include "launch/user_folder.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QThread>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// To start the daemon, and then its server, which makes a context on each GPU.
constexpr auto MpsStartLimit = 15000ms;
constexpr auto MpsStopLimit = 2000ms;
/// Longer than another process may take to start or stop it.
constexpr auto MpsLockLimit = 30000ms;
/// A socket's path has 107 bytes; MPS has names of up to about 30 in its folder.
constexpr qsizetype LongestMpsFolder = 70;
const QString MpsPrefix = u"lockstep-mps-"_s;

[[nodiscard]] Result<Descriptor> openedLock(const QString& path)
{
    Descriptor file(uninterrupted(
        [&] { return ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600); }));
    return file.isOpen()
        ? Result<Descriptor>(std::move(file))
        : failure(LS_TR("Messages", "%1 cannot be opened: %2"), {verbatim(path.toStdString()), systemError()});
}

[[nodiscard]] bool tryFlock(const Descriptor& file, int how)
{
    return uninterrupted([&] { return flock(file.number(), how | LOCK_NB); }) == 0;
}

/// Held while a daemon is started or stopped.
[[nodiscard]] Result<Descriptor> startLock(const QString& folder, std::chrono::milliseconds limit)
{
    LOCKSTEP_TRY_ASSIGN(auto file, openedLock(folder + u"/lock"_s));
    const QDeadlineTimer deadline(limit);
    while (!tryFlock(file, LOCK_EX)) {
        if (deadline.hasExpired()) {
            return failure(LS_TR("Messages", "%1 has been locked by another process for too long"),
                {verbatim(folder.toStdString())});
        }
        QThread::msleep(MpsControl::PollMs);
    }
    return Result<Descriptor>(std::move(file));
}

void makePrivateFolder(const QString& path)
{
    QDir().mkdir(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

[[nodiscard]] QByteArray hashOfGpus(std::vector<std::string> gpus)
{
    std::ranges::sort(gpus);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const std::string& gpu : gpus) {
        hash.addData(QByteArrayView(gpu.data(), static_cast<qsizetype>(gpu.size() + 1)));
    }
    return hash.result().toHex().left(8);
}

/// It answers, and has a server: it lists their process ids, one a line.
[[nodiscard]] bool hasServer(const MpsControl& control)
{
    if (!control.isListening()) {
        return false;
    }
    const auto list = control.ask("get_server_list\n", MpsControl::AnswerLimit);
    return list && list->trimmed().split('\n').front().toLongLong() > 0;
}

} // namespace

MpsDaemon::MpsDaemon(const QString& folder)
    : m_folder(folder)
    , m_control(folder + u"/pipe"_s)
{ }

Result<std::unique_ptr<MpsDaemon>> MpsDaemon::use(const std::vector<std::string>& gpus)
{
    LOCKSTEP_TRY_ASSIGN(
        const auto folder, userPath(MpsPrefix + QString::fromLatin1(hashOfGpus(gpus)), LongestMpsFolder));
    std::unique_ptr<MpsDaemon> daemon(new MpsDaemon(folder));
    LOCKSTEP_TRY(daemon->open());
    return Result<std::unique_ptr<MpsDaemon>>(std::move(daemon));
}

Result<void> MpsDaemon::open()
{
    makePrivateFolder(m_folder);
    LOCKSTEP_TRY_ASSIGN(const auto held, startLock(m_folder, MpsLockLimit));
    LOCKSTEP_TRY_ASSIGN(auto users, openedLock(m_folder + u"/users"_s));
    const bool isUsed = !tryFlock(users, LOCK_EX);
    if (!isUsed || !hasServer(m_control)) {
        m_control.stop(
            MpsStopLimit); // what killed processes have left may be broken; what is used has crashed, or hangs
        if (auto started = start(); !started) {
            m_control.stop(MpsStopLimit);
            return started;
        }
        m_wasStarted = true;
    }
    if (!tryFlock(users, LOCK_SH)) {
        return failure(LS_TR("Messages", "%1 cannot be locked: %2"), {verbatim(m_folder.toStdString()), systemError()});
    }
    m_users = std::move(users);
    return {};
}

Result<void> MpsDaemon::start()
{
    const QDeadlineTimer deadline(MpsStartLimit);
    const QString logs = m_folder + u"/log"_s;
    for (const QString& folder : {m_control.pipes(), logs}) {
        QDir(folder).removeRecursively();
        makePrivateFolder(folder);
    }
    LOCKSTEP_TRY(m_control.start(logs, MpsStartLimit));
    // A server that cannot start is found now, and not by the ranks.
    LOCKSTEP_TRY(m_control.ask("start_server -uid " + QByteArray::number(getuid()) + '\n', MpsControl::AnswerLimit));
    while (!hasServer(m_control)) {
        if (deadline.hasExpired()) {
            return failure(LS_TR("Messages", "the MPS server did not start within %1 s"),
                {std::chrono::duration_cast<std::chrono::seconds>(MpsStartLimit).count()});
        }
        QThread::msleep(MpsControl::PollMs);
    }
    return {};
}

/// With the lock held.
void MpsDaemon::stopIfUnused()
{
    if (tryFlock(m_users, LOCK_EX)) {
        m_control.stop(MpsStopLimit);
        QDir(m_control.pipes()).removeRecursively();
    }
}

MpsDaemon::~MpsDaemon()
{
    if (!m_users.isOpen()) {
        return;
    }
    // Without the lock another process is starting or stopping it for too long.
    if (const auto held = startLock(m_folder, MpsLockLimit)) {
        stopIfUnused();
    }
    m_users.close();
}

void MpsDaemon::stopAbandoned()
{
    const auto any = userPath(MpsPrefix, LongestMpsFolder);
    if (!any) {
        return;
    }
    const QDir base = QFileInfo(*any).dir();
    for (const QString& name : base.entryList({MpsPrefix + u'*'}, QDir::Dirs)) {
        MpsDaemon daemon(base.filePath(name));
        if (!QDir(daemon.m_control.pipes()).exists()) {
            continue;
        }
        const auto held = startLock(daemon.m_folder, 0ms);
        auto users = openedLock(daemon.m_folder + u"/users"_s);
        if (held && users) {
            daemon.m_users = std::move(*users);
            daemon.stopIfUnused();
            daemon.m_users.close();
        }
    }
}

} // namespace lockstep::launch
