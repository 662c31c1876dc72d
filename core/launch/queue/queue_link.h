// The queue as a window has it: its own where no other process owns it, else the owner's over its socket. When the
// owner ends, the window takes the queue over. Never waits. Thread of the Session.
#pragma once

#include "launch/queue/experiment_queue.h"
#include "launch/queue/queue_server.h"

#include <QLocalSocket>
#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::launch {

class QueueLink : public QObject {
    Q_OBJECT

public:
    /// The session outlives the link.
    QueueLink(QString storeFolder, Session& session, QObject* parent = nullptr);
    ~QueueLink() override;

    /// Joins or owns the queue. A queue that waited when this is called is paused: nothing starts by itself.
    void open();

    [[nodiscard]] bool isOwner() const { return m_queue != nullptr; }
    /// The process that carries the queue out; this one's number, too.
    [[nodiscard]] qint64 owner() const;
    /// As last heard from the owner.
    [[nodiscard]] const QueueState& state() const { return m_queue ? m_queue->state() : m_heard; }
    /// Of the active entry, those that this process carries out.
    [[nodiscard]] std::vector<RunId> ownRuns() const;

    /// queue_request.h. failed() says why one was refused.
    void request(const nlohmann::ordered_json& request);
    /// The number of the new entry; 0 where another process owns the queue, or if it was refused.
    std::int64_t add(const std::string& name, const std::vector<experiment::RunSpec>& runs, bool atOnce);

    /// ExperimentQueue::interrupt() where this process carries the queue out; idle() follows, at once where nothing
    /// runs here.
    void interrupt();

Q_SIGNALS:
    void idle();
    void changed();
    /// ExperimentQueue::began, of an entry that this process carries out.
    void began(qint64 id);
    /// An entry that this process carried out has ended.
    void ended(qint64 id);
    void failed(const Text& why);

private:
    void tryOpen();
    void own(std::unique_ptr<ExperimentQueue> queue);
    void join();
    void read();

    QString m_folder;
    Session& m_session;
    std::unique_ptr<ExperimentQueue> m_queue; ///< null: another process owns it
    std::unique_ptr<QueueServer> m_server;
    QLocalSocket m_socket;
    QTimer m_retry;
    QueueState m_heard;
    bool m_hasJoined = false; ///< an owner has been heard: its queue continues here when it ends
    std::optional<Error> m_problem{}; ///< why the queue can be neither owned nor joined
};

} // namespace lockstep::launch
