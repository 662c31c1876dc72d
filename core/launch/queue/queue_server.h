// The owner's end of the queue's socket, which only this user can open. Lives beside the queue.
#pragma once

#include "launch/queue/experiment_queue.h"

#include <QLocalServer>
#include <QObject>

#include <vector>

class QLocalSocket;

namespace lockstep::launch {

class QueueServer : public QObject {
    Q_OBJECT

public:
    /// The queue outlives the server.
    explicit QueueServer(ExperimentQueue& queue, QObject* parent = nullptr);

    [[nodiscard]] Result<void> listen(const QString& storeFolder);

private:
    void accept();
    void read(QLocalSocket& peer);
    void answer(QLocalSocket& peer, const QByteArray& line);
    void notifyWatchers();

    ExperimentQueue& m_queue;
    std::vector<QLocalSocket*> m_watchers; ///< leave it as their sockets close, which m_server's end does
    QLocalServer m_server;
    bool m_isSending = false; ///< several changes at once are sent as one
};

} // namespace lockstep::launch
