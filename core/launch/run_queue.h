// The runs of one session - one after the other, or those of a comparison in turns - and their state for any thread.
// Lives in the session thread; RunBoard is shared with the thread of the Session object.
#pragma once

#include "launch/collect/live_feed.h"
#include "launch/mps/mps_share.h"
#include "launch/quiet_wait.h"
#include "launch/run_job.h"
#include "launch/session.h"
#include "launch/turn_taker.h"

#include <QObject>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockstep::launch {

/// Records and feeds by run. Any thread.
class RunBoard {
public:
    void add(const analysis::RunRecord& record, std::shared_ptr<LiveFeed> feed);
    void update(const analysis::RunRecord& record, bool isRefused);
    void setReach(const RunId& id, FailureReach reach);
    [[nodiscard]] std::optional<analysis::RunRecord> record(const RunId& id) const;
    [[nodiscard]] std::shared_ptr<LiveFeed> feed(const RunId& id) const;
    [[nodiscard]] bool isRefused(const RunId& id) const;
    [[nodiscard]] FailureReach reach(const RunId& id) const;
    [[nodiscard]] bool isBusy() const;
    /// Of these, those that have ended.
    void forget(const std::vector<RunId>& ids);

private:
    struct Entry {
        analysis::RunRecord record;
        std::shared_ptr<LiveFeed> feed;
        bool isRefused = false;
        FailureReach reach = FailureReach::Itself;
    };
    mutable std::mutex m_mutex;
    std::map<RunId, Entry> m_entries;
};

class RunQueue : public QObject {
    Q_OBJECT

public:
    RunQueue(SessionOptions options, std::shared_ptr<RunBoard> board);

    /// Starts a ready process for runs to come.
    void prepare();
    void enqueue(std::vector<RunJob::Setup> jobs);
    void send(const RunId& id, const wire::Control& control);
    void stop(const RunId& id);
    void stopAll(std::chrono::milliseconds patience);
    void killAll();

Q_SIGNALS:
    void statusChanged(const lockstep::RunId& id, lockstep::analysis::RunStatus status, const QString& message);
    void runEnded(const lockstep::RunId& id);
    /// A line about how the runs are carried out.
    void noted(const lockstep::Text& line);
    void allEnded();

private:
    void beginNext();
    /// Of the comparison at the front of the queue.
    [[nodiscard]] std::vector<RunJob::Setup> comparedNext() const;
    /// Whether the next comparison waits for a quiet machine first: then it begins once that ends.
    [[nodiscard]] bool waitsForQuiet();
    void onQuietEnded(bool isQuiet);
    /// Runs that waited for it were dropped: the queue no longer waits.
    void cancelQuiet();
    /// Those at the front of the queue that take turns, if they can be alive together; else they follow each other.
    void beginTurns();
    void begin(RunJob::Setup setup);
    /// The next run of the comparison under way, once the one before holds.
    void beginBehind();
    void onMessage(std::size_t place, std::int32_t rank, const wire::Message& message);
    void onStatus(RunJob* job, std::size_t place, analysis::RunStatus status, const QString& message);
    void onJobEnded(RunJob* job, std::size_t place);
    [[nodiscard]] RunJob* find(const RunId& id) const;
    [[nodiscard]] bool isBehind() const;
    void drop(RunJob::Setup setup);
    std::size_t keepBack(const RunJob& failed);
    [[nodiscard]] Result<store::RunStore*> openStore();

    SessionOptions m_options;
    std::shared_ptr<RunBoard> m_board;
    std::unique_ptr<store::RunStore> m_store;
    std::deque<RunJob::Setup> m_waiting;
    std::vector<RunJob*> m_jobs; ///< alive
    std::unique_ptr<QuietWait> m_quiet; ///< while the next comparison waits
    int m_quietFor = 0; ///< the comparison that has waited
    bool m_isBusyMachine = false; ///< the time was over once: no run of this session in line waits again
    std::unique_ptr<TurnTaker> m_turns; ///< while runs of a comparison are alive together
    std::vector<RunJob*> m_places; ///< of the comparison's runs; null once ended
    int m_comparison = 0;
    bool m_mayBeginBehind = false; ///< the run begun last has come as far as it must
    MachineMonitor* m_monitor = nullptr; ///< made in the session thread, with the first run
    ReadyProcess* m_ready = nullptr; ///< likewise
    bool m_hasBegun = false; ///< a run
    MpsShare m_mps; ///< released once no run is queued or alive
};

} // namespace lockstep::launch
