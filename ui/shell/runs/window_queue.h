// The queue of experiments for the window: its own or another process's (launch/queue/queue_link.h). GUI thread only.
#pragma once

#include "launch/queue/queue_link.h"

#include <QObject>

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace lockstep::ui {

class WindowQueue : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// The session outlives the queue.
    void open(const QString& storeFolder, launch::Session& session);

    [[nodiscard]] const launch::QueueState& state() const;
    /// Whether this process carries the queue out.
    [[nodiscard]] bool isOwner() const { return m_link != nullptr && m_link->isOwner(); }
    /// The process that does.
    [[nodiscard]] qint64 owner() const { return m_link == nullptr ? 0 : m_link->owner(); }
    [[nodiscard]] bool isBusy() const { return state().active() != nullptr; }
    /// Experiments that wait for their turn.
    [[nodiscard]] int waiting() const;

    /// Begins at once if nothing runs, else it waits; the runs are complete and confirmed.
    void add(const std::vector<experiment::RunSpec>& runs);
    /// queue_request.h; `id` 0: of the whole queue.
    void change(const QString& what, qint64 id, qint64 place);
    /// Pauses or resumes the active experiment.
    void togglePause();
    /// Ends the active experiment: the next one starts.
    void stopActive();
    /// Ends the active experiment, and pauses the queue if others wait.
    void stopAll();
    /// Stops the active experiment's runs with a checkpoint, and keeps it in the queue as interrupted. Then calls
    /// `done`; at once where nothing runs in this process.
    void interrupt(const std::function<void()>& done);
    /// Resumes the interrupted experiment that this run is of; false if there is none.
    bool resumeExperimentOf(const RunId& id);

Q_SIGNALS:
    void changed();
    /// This process carries them out.
    void began(const std::vector<lockstep::RunId>& runs);
    /// Another process carries them out; those that have begun are in the store.
    void followed(const std::vector<lockstep::RunId>& runs);
    /// add() has put an experiment in line, behind this many others.
    void queued(const QString& experiment, int before);
    void failed(const QString& message);

private:
    void follow();

    std::unique_ptr<launch::QueueLink> m_link;
};

} // namespace lockstep::ui
