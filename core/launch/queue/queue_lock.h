// Who owns the queue of a store: one process at a time. The kernel releases the lock when the process ends.
#pragma once

#include "base/result.h"

#include <QString>

#include <memory>

namespace lockstep::launch {

class QueueLock {
public:
    /// Null if another process owns it. An error if the file cannot be made.
    [[nodiscard]] static Result<std::unique_ptr<QueueLock>> tryLock(const QString& storeFolder);
    /// The process that wrote its number into the file last; 0 if none has.
    [[nodiscard]] static qint64 owner(const QString& storeFolder);
    ~QueueLock();
    QueueLock(const QueueLock&) = delete;
    QueueLock& operator=(const QueueLock&) = delete;

private:
    explicit QueueLock(int file)
        : m_file(file)
    { }

    int m_file;
};

/// The address of the owner's socket, in a folder that only this user can enter: XDG_RUNTIME_DIR, else
/// /tmp/lockstep-UID. One for each store.
[[nodiscard]] Result<QString> queueSocket(const QString& storeFolder);

} // namespace lockstep::launch
