#include "session/collect/rank_server.h"

#include <QHostAddress>
#include <QTcpSocket>

#include <algorithm>

namespace lockstep::session {

namespace {

/// More unknown connections than this at once, and the oldest must go.
constexpr std::size_t MostUnknown = 128;

QString otherVersionText(std::uint32_t version)
{
    return QStringLiteral("speaks protocol version %1, this program speaks %2: build both from the same sources")
        .arg(version)
        .arg(wire::ProtocolVersion);
}

} // namespace

RankServer::RankServer(
    RunId run, std::int32_t worldSize, const wire::Secret& secret, std::chrono::milliseconds patience, QObject* parent)
    : QObject(parent)
    , m_run(std::move(run))
    , m_secret(secret)
    , m_patience(patience)
    , m_ranks(static_cast<std::size_t>(worldSize), nullptr)
{
    connect(&m_server, &QTcpServer::newConnection, this, &RankServer::onNewConnection);
}

Result<void> RankServer::listen()
{
    if (!m_server.listen(QHostAddress::LocalHost, 0)) {
        return Error{"cannot listen for the ranks on 127.0.0.1: " + m_server.errorString().toStdString()};
    }
    return {};
}

RankConnection* RankServer::connection(std::int32_t rank) const
{
    RankConnection* found = m_ranks.at(static_cast<std::size_t>(rank));
    return found != nullptr && found->isOpen() ? found : nullptr;
}

void RankServer::onNewConnection()
{
    while (QTcpSocket* socket = m_server.nextPendingConnection()) {
        auto* connection = new RankConnection(socket, m_secret, m_patience, this);
        m_unknown.push_back(connection);
        connect(connection, &RankConnection::helloReceived, this,
            [this, connection](const wire::Hello& hello) { onHello(connection, hello); });
        connect(connection, &RankConnection::messageReceived, this,
            [this, connection](const wire::Message& message) { Q_EMIT messageReceived(connection->rank(), message); });
        connect(connection, &RankConnection::brokenFrameReceived, this,
            [this, connection](const QString& reason) { Q_EMIT rankRefused(connection->rank(), reason); });
        connect(connection, &RankConnection::closed, this, [this, connection] {
            if (connection->isStranger()) {
                turnAway(connection);
            } else {
                Q_EMIT rankDisconnected(connection->rank());
            }
        });
        if (m_unknown.size() > MostUnknown) {
            RankConnection* oldest = m_unknown.front();
            oldest->cutOff();
            turnAway(oldest);
        }
    }
}

void RankServer::onHello(RankConnection* connection, const wire::Hello& hello)
{
    const bool fits = hello.runId == m_run.text && hello.rank >= 0
        && static_cast<std::size_t>(hello.rank) < m_ranks.size()
        && static_cast<std::size_t>(hello.worldSize) == m_ranks.size()
        && m_ranks[static_cast<std::size_t>(hello.rank)] == nullptr;
    if (!fits) {
        connection->cutOff();
        turnAway(connection);
        return;
    }
    std::erase(m_unknown, connection);
    if (hello.protocol != wire::ProtocolVersion) {
        connection->cutOff();
        connection->deleteLater();
        Q_EMIT rankRefused(hello.rank, otherVersionText(hello.protocol));
        return;
    }
    m_ranks[static_cast<std::size_t>(hello.rank)] = connection;
    connection->accept(hello.rank);
    Q_EMIT rankConnected(hello.rank, hello);
}

void RankServer::turnAway(RankConnection* connection)
{
    std::erase(m_unknown, connection);
    connection->deleteLater();
    ++m_strangers;
    const std::optional<std::uint32_t> version = connection->otherVersion();
    Q_EMIT strangerTurnedAway(m_strangers,
        version ? otherVersionText(*version) : QStringLiteral("has not proved that it belongs to this run"));
}

} // namespace lockstep::session
