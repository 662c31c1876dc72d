// The runs of one session, one after the other, and their state for any thread. Lives in the session thread; RunBoard
// is shared with the thread of the Session object.
#pragma once

#include "session/collect/live_feed.h"
#include "session/launch/run_job.h"
#include "session/session.h"

#include <QObject>

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockstep::session {

/// Records and feeds by run. Any thread.
class RunBoard {
public:
    void add(const analysis::RunRecord& record, std::shared_ptr<LiveFeed> feed);
    void update(const analysis::RunRecord& record, bool isRefused);
    [[nodiscard]] std::optional<analysis::RunRecord> record(const RunId& id) const;
    [[nodiscard]] std::shared_ptr<LiveFeed> feed(const RunId& id) const;
    [[nodiscard]] bool isRefused(const RunId& id) const;
    [[nodiscard]] bool isBusy() const;

private:
    struct Entry {
        analysis::RunRecord record;
        std::shared_ptr<LiveFeed> feed;
        bool isRefused = false;
    };
    mutable std::mutex m_mutex;
    std::map<RunId, Entry> m_entries;
};

class RunQueue : public QObject {
    Q_OBJECT

public:
    RunQueue(SessionOptions options, std::shared_ptr<RunBoard> board);

    void enqueue(std::vector<RunJob::Setup> jobs);
    void send(const RunId& id, const wire::Control& control);
    void stop(const RunId& id);
    void stopAll(std::chrono::milliseconds patience);
    void killAll();

Q_SIGNALS:
    void statusChanged(const lockstep::RunId& id, lockstep::analysis::RunStatus status, const QString& message);
    void runEnded(const lockstep::RunId& id);
    void allEnded();

private:
    void beginNext();
    void onJobEnded();
    void drop(RunJob::Setup setup);
    [[nodiscard]] Result<RunStore*> openStore();

    SessionOptions m_options;
    std::shared_ptr<RunBoard> m_board;
    std::unique_ptr<RunStore> m_store;
    std::deque<RunJob::Setup> m_waiting;
    RunJob* m_current = nullptr;
    MachineMonitor* m_monitor = nullptr; ///< made in the session thread, with the first run
};

} // namespace lockstep::session
