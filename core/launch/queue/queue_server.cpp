#include "launch/queue/queue_server.h"

#include "launch/queue/queue_request.h"

#include <QFile>
#include <QLocalSocket>

#include <utility>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

QueueServer::QueueServer(ExperimentQueue& queue, QObject* parent)
    : QObject(parent)
    , m_queue(queue)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption); // never open to others, not even before listen() ends
    connect(&m_server, &QLocalServer::newConnection, this, &QueueServer::accept);
    connect(&queue, &ExperimentQueue::changed, this, [this] {
        if (!std::exchange(m_isSending, true)) {
            QMetaObject::invokeMethod(this, &QueueServer::notifyWatchers, Qt::QueuedConnection);
        }
    });
}

Result<void> QueueServer::listen(const QString& storeFolder)
{
    LOCKSTEP_TRY_ASSIGN(const QString address, queueSocket(storeFolder));
    QLocalServer::removeServer(address); // left by an owner that was killed: this process holds the lock
    if (!m_server.listen(address)) {
        return failure(LS_TR("Messages", "queue: cannot listen on %1: %2"),
            {verbatim(address.toStdString()), verbatim(m_server.errorString().toStdString())});
    }
    QFile::setPermissions(address, QFile::ReadOwner | QFile::WriteOwner);
    return {};
}

void QueueServer::accept()
{
    while (QLocalSocket* peer = m_server.nextPendingConnection()) {
        connect(peer, &QLocalSocket::readyRead, this, [this, peer] { read(*peer); });
        connect(peer, &QLocalSocket::disconnected, this, [this, peer] {
            std::erase(m_watchers, peer);
            peer->deleteLater();
        });
    }
}

void QueueServer::read(QLocalSocket& peer)
{
    while (peer.canReadLine()) {
        answer(peer, peer.readLine().trimmed());
    }
    if (peer.bytesAvailable() > LongestRequest) {
        peer.write(lineOf(answerOf(failure(LS_TR("Messages", "queue: the request is longer than 16 MiB")))));
        peer.flush();
        peer.abort();
    }
}

void QueueServer::answer(QLocalSocket& peer, const QByteArray& line)
{
    const auto answer = answerRequest(m_queue, line);
    const auto request
        = nlohmann::ordered_json::parse(line.constData(), line.constData() + line.size(), nullptr, false);
    if (answer.value("ok", false) && request.value("do", std::string()) == "watch") {
        std::erase(m_watchers, &peer);
        m_watchers.push_back(&peer);
    }
    peer.write(lineOf(answer));
}

void QueueServer::notifyWatchers()
{
    m_isSending = false;
    if (m_watchers.empty()) {
        return;
    }
    const QByteArray line = lineOf(answerOf(m_queue.state()));
    for (QLocalSocket* watcher : m_watchers) {
        watcher->write(line);
    }
}

} // namespace lockstep::launch
