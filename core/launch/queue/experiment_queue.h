// The queue of experiments of one store, in the process that owns it: keeps it in the store and carries it out, one
// entry at a time. A change is in the store before it takes effect, so a crash loses none and starts no run twice.
// Thread of the Session (GUI or main).
#pragma once

#include "launch/queue/queue_lock.h"
#include "launch/queue/queue_rows.h"
#include "launch/session.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::launch {

class ExperimentQueue : public QObject {
    Q_OBJECT

public:
    /// Null if another process owns the queue: QueueClient speaks to that one. An entry that ran when its process
    /// ended is removed if all its runs had ended, else Interrupted.
    [[nodiscard]] static Result<std::unique_ptr<ExperimentQueue>> open(const QString& storeFolder);

    [[nodiscard]] const QueueState& state() const { return m_state; }
    /// Of the entry that runs: those that were started, in their order; empty while none does.
    [[nodiscard]] const std::vector<RunId>& activeRuns() const { return m_active; }

    enum class Begin { InLine, AtOnce };
    /// At the end of the line; AtOnce: now, if no entry runs, also where the queue is paused. Gives its id. The runs
    /// are complete, and what they start has been confirmed.
    [[nodiscard]] Result<std::int64_t> add(
        const std::string& name, const std::vector<experiment::RunSpec>& runs, Begin begin = Begin::InLine);
    /// To this place of the line behind the active entry, from 0; beyond its end: the last place.
    [[nodiscard]] Result<void> move(std::int64_t id, std::int64_t place);
    /// An entry that is not active.
    [[nodiscard]] Result<void> remove(std::int64_t id);
    /// All entries that are not active.
    [[nodiscard]] Result<void> clear();
    /// One entry, or the whole queue: then the active one pauses, and no further one starts by itself.
    [[nodiscard]] Result<void> pause(std::optional<std::int64_t> id = {});
    /// One entry - an interrupted one runs what is missing, from its checkpoints where there are any - or the queue.
    [[nodiscard]] Result<void> resume(std::optional<std::int64_t> id = {});
    /// Ends the active entry and takes it out of the queue: the next one starts. Without an id the queue is paused too.
    [[nodiscard]] Result<void> stop(std::optional<std::int64_t> id = {});

    /// Whether runs can start where the session starts them, as far as can be checked before.
    using Check = std::function<Result<void>(std::span<const experiment::RunSpec> runs)>;
    /// Carries the queue out from now on. Without this nothing starts. The session outlives the queue. An entry that
    /// `check` refuses stays in the queue, paused, with the reason.
    void carryOut(Session& session, Check check = {});
    /// Keeps the active entry as Interrupted, starts no further one, and stops its runs; idle() follows.
    void interrupt();

Q_SIGNALS:
    void changed();
    /// The entry's runs have been given to the session; activeRuns() has their ids.
    void began(qint64 id);
    void ended(qint64 id);
    /// No entry runs, and none starts by itself.
    void idle();

private:
    ExperimentQueue(QString folder, std::unique_ptr<QueueLock> lock, std::unique_ptr<QueueRows> rows)
        : m_folder(std::move(folder))
        , m_lock(std::move(lock))
        , m_rows(std::move(rows))
    { }

    [[nodiscard]] Result<void> load();
    [[nodiscard]] Result<QueueEntry*> found(std::int64_t id);
    [[nodiscard]] QueueEntry* active();
    [[nodiscard]] Result<void> place(std::int64_t id, std::size_t index);
    void beginNext();
    [[nodiscard]] Result<void> begin(QueueEntry& entry);
    void endActive();
    void pauseRuns(const QueueEntry& entry);
    [[nodiscard]] Result<void> setPaused(QueueEntry& entry, bool isPaused);

    QString m_folder;
    std::unique_ptr<QueueLock> m_lock;
    std::unique_ptr<QueueRows> m_rows;
    QueueState m_state;
    QPointer<Session> m_session;
    Check m_check;
    std::vector<RunId> m_active;
    bool m_isInterrupted = false;
};

} // namespace lockstep::launch
