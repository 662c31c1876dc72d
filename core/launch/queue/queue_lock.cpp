#include "launch/queue/queue_lock.h"

#include "base/descriptor.h"
#include "launch/user_folder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace lockstep::launch {

using namespace Qt::StringLiterals;

namespace {

/// A socket's address holds 107 bytes, and Qt binds in a folder below before it moves the socket to its place.
constexpr qsizetype LongestAddress = 90;

QString lockFile(const QString& storeFolder)
{
    return storeFolder + u"/queue.lock"_s;
}

} // namespace

Result<std::unique_ptr<QueueLock>> QueueLock::tryLock(const QString& storeFolder)
{
    const QByteArray path = QFile::encodeName(lockFile(storeFolder));
    const int file
        = uninterrupted([&] { return open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600); });
    if (file < 0) {
        return failure(
            LS_TR("Messages", "queue: %1 cannot be opened: %2"), {verbatim(path.toStdString()), systemError()});
    }
    if (uninterrupted([&] { return flock(file, LOCK_EX | LOCK_NB); }) != 0) {
        const int reason = errno;
        close(file);
        if (reason == EWOULDBLOCK) {
            return std::unique_ptr<QueueLock>();
        }
        return failure(
            LS_TR("Messages", "queue: %1 cannot be locked: %2"), {verbatim(path.toStdString()), systemError(reason)});
    }
    const QByteArray number = QByteArray::number(qint64{getpid()}) + '\n';
    const bool isKnown
        = ftruncate(file, 0) == 0 && writeAll(file, {number.constData(), static_cast<std::size_t>(number.size())});
    static_cast<void>(isKnown); // only the text of an error needs it
    return std::unique_ptr<QueueLock>(new QueueLock(file));
}

qint64 QueueLock::owner(const QString& storeFolder)
{
    QFile file(lockFile(storeFolder));
    return file.open(QIODevice::ReadOnly) ? file.readLine(32).trimmed().toLongLong() : 0;
}

QueueLock::~QueueLock()
{
    close(m_file);
}

Result<QString> queueSocket(const QString& storeFolder)
{
    const QString store = QFileInfo(storeFolder).canonicalFilePath();
    const QByteArray hash = QCryptographicHash::hash(QFile::encodeName(store), QCryptographicHash::Sha256).toHex();
    const QString name = u"lockstep-"_s + QString::fromLatin1(hash.left(16)) + u".socket"_s;
    auto path = userPath(name, LongestAddress);
    return path ? path : failure(LS_TR("Messages", "queue: %1"), {path.error()});
}

} // namespace lockstep::launch
