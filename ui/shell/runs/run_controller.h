// Drives the queue and the session for the window: starts and ends runs, tracks their status, and lists stored runs.
// GUI thread only.
#pragma once

#include "experiment/spec.h"
#include "laboratory/hidden_settings.h"
#include "launch/session.h"
#include "launch/trust.h"
#include "ui/models/runs/log_model.h"
#include "ui/models/runs/runs_table_model.h"
#include "ui/shell/runs/shown_feeds.h"
#include "ui/shell/runs/store_worker.h"
#include "ui/shell/runs/window_queue.h"

#include <QObject>

#include <memory>
#include <set>
#include <vector>

namespace lockstep::ui {

/// The header bar's data about the batch that Run started.
struct BatchProgress {
    int count = 0; ///< runs in the batch
    int number = 0; ///< the active one, from 1
    QString name;
    QString experiment; ///< its title
    analysis::RunStatus status = analysis::RunStatus::Queued;
    double done = 0.0; ///< 0 .. 1 of the whole batch
    double epoch = 0.0;
    std::int64_t epochs = 0; ///< 0: progress cannot be counted in epochs
    double part = 0.0; ///< 0 .. 1 of the active run
    double secondsLeft = analysis::NotMeasured; ///< of the whole batch, with estimates of the runs that wait
};

class RunController : public QObject {
    Q_OBJECT

public:
    explicit RunController(const QString& storeFolder, QObject* parent = nullptr);
    ~RunController() override;

    /// Opens store and session. Called once the window is shown. Ignores the options' folder.
    void open(launch::SessionOptions options = {});

    /// Begins at once if nothing runs, else waits in the queue.
    void start(const std::vector<experiment::RunSpec>& runs);
    /// To the runs of the batch that are under way in this process, which may take turns; a checkpoint is of the active
    /// one.
    void send(const wire::Control& control);
    /// WindowQueue::stopAll().
    void stopAll();
    /// Resumes each from its newest checkpoint, as a new run beside the old one's curves. Leaves out those that have
    /// finished, and says of the others why they cannot be resumed.
    void resume(const std::vector<RunId>& ids);
    /// Whether an experiment of the queue runs, in this process or another.
    [[nodiscard]] bool isBusy() const;

    /// What laboratories hide of runs from now on. Stored runs are listed again, and drawn ones read again.
    void setHidden(laboratory::HiddenSettings hidden);

    void showRun(const RunId& id);
    void rename(const RunId& id, const QString& label);

    [[nodiscard]] StoreWorker& store() { return m_worker; }
    [[nodiscard]] WindowQueue& queue() { return m_queue; }
    [[nodiscard]] ShownFeeds& shown() { return m_feeds; }
    /// Of the shown runs, or of those that are replayed, in drawing order: ShownFeeds::list().
    [[nodiscard]] std::vector<RunFeed*> feeds() const { return m_feeds.list(); }
    /// The active run, else the last one of the batch; null if there is none.
    [[nodiscard]] RunFeed* currentFeed() const;
    [[nodiscard]] BatchProgress progress() const;
    [[nodiscard]] RunsTableModel& table() { return m_table; }
    [[nodiscard]] LogModel& log() { return m_log; }

Q_SIGNALS:
    /// The table lists the stored runs.
    void recordsListed();
    /// ShownRuns::changed().
    void feedsChanged();
    /// On the common tick, if there is new data.
    void ticked();
    /// A status, the batch, or the queue.
    void stateChanged();
    void runFailed(const lockstep::RunId& id, const QString& name, const QString& message);
    void runEnded(const lockstep::RunId& id);
    void runRemoved(const lockstep::RunId& id, const QString& name);
    void storeFailed(const QString& message);
    /// A line about how the runs are carried out.
    void noted(const QString& line);
    void imported(const QString& file, int runs, int alreadyThere, const QByteArray& spec);
    /// start() did nothing: the user has not confirmed yet what these runs start or write. To be called again then.
    void confirmationNeeded(
        const std::vector<lockstep::experiment::RunSpec>& runs, const std::vector<lockstep::launch::Risk>& risks);

private:
    StoreWorker m_worker;
    QString m_rankProgram; ///< SessionOptions::rankProgram
    std::unique_ptr<launch::Session> m_session;
    WindowQueue m_queue; ///< ends before the session
    laboratory::HiddenSettings m_hidden;
    RunsTableModel m_table;
    LogModel m_log;
    ShownFeeds m_feeds;
    std::vector<RunId> m_batch; ///< the runs of the active entry, else of the last one
    std::vector<analysis::RunRecord> m_nearest; ///< stored runs from which the times of the batch are estimated
    std::set<RunId> m_followed; ///< of another process, shown once
    double m_waitingSeconds = 0.0; ///< an estimate for the runs of the batch that have not been started
};

/// What is drawn, in drawing order: what is shown, or replayed.
[[nodiscard]] std::vector<RunId> drawnRuns(const RunController& controller);

/// Shows these and hides all others; active ones are received all the same.
void showOnly(RunController& controller, const std::vector<RunId>& ids);

/// The same, but what is kept stays: an experiment is opened.
void showBesideKept(RunController& controller, std::vector<RunId> ids);

/// Trains a run that was compared with a single process (`verify`) again, in float64, beside the old one's curves.
void verifyInFloat64(RunController& controller, const RunId& id);

} // namespace lockstep::ui
