// The queue on disk: `queue.sqlite` in the run store, one row an entry. Only the process that has the QueueLock opens
// it. Each call is one transaction; what it has committed survives the process, though the last calls may be lost with
// the machine's power.
#pragma once

#include "launch/queue/queue_state.h"
#include "store/file/database.h"

#include <memory>
#include <span>

namespace lockstep::launch {

class QueueRows {
public:
    /// Refuses a file that is not ours, or is from a later version, with one line.
    [[nodiscard]] static Result<std::unique_ptr<QueueRows>> open(const QString& storeFolder);

    /// Entries that cannot be read are Damaged, with the reason, and stay in the file.
    [[nodiscard]] Result<QueueState> load();
    /// At the end of the line; gives its id.
    [[nodiscard]] Result<std::int64_t> add(const QueueEntry& entry);
    /// Everything but the place.
    [[nodiscard]] Result<void> write(const QueueEntry& entry);
    [[nodiscard]] Result<void> remove(std::span<const std::int64_t> ids);
    [[nodiscard]] Result<void> setOrder(std::span<const std::int64_t> ids);
    [[nodiscard]] Result<void> setPaused(bool isPaused);

private:
    explicit QueueRows(std::unique_ptr<store::Database> database)
        : m_database(std::move(database))
    { }

    std::unique_ptr<store::Database> m_database;
};

} // namespace lockstep::launch
