#include "launch/collect/rank_server.h"

#include "launch/collect/certificate.h"
#include "wire/silent_peer.h"

#include <fmt/format.h>

#include <QSslServer>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>

namespace lockstep::launch {

namespace {

/// More unknown connections than this at once, and the oldest must go.
constexpr std::size_t MostUnknown = 128;
constexpr std::chrono::milliseconds ResumeEvery{500};
constexpr const char* Unproved = LS_TR("Messages", "has not proved that it belongs to this run");

Text otherVersionText(std::uint32_t version)
{
    return {LS_TR("Messages", "speaks protocol version %1, this program speaks %2: build both from the same sources"),
        {version, wire::ProtocolVersion}};
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
    begin(std::make_unique<QTcpServer>());
}

void RankServer::begin(std::unique_ptr<QTcpServer> server)
{
    m_server = std::move(server);
    // Over TLS a connection is new before it is pending.
    connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, this, &RankServer::onNewConnection);
}

Result<void> RankServer::listen()
{
    return open(QHostAddress::LocalHost, 0);
}

Result<void> RankServer::listenAt(const QHostAddress& address, std::uint16_t port)
{
    LOCKSTEP_TRY_ASSIGN(const OwnCertificate own, makeCertificate());
    auto server = std::make_unique<QSslServer>();
    server->setSslConfiguration(own.configuration);
    server->setHandshakeTimeout(static_cast<int>(m_patience.count()));
    server->setMaxPendingConnections(static_cast<int>(MostUnknown));
    connect(server.get(), &QSslServer::errorOccurred, this,
        [this] { countStranger(LS_TR("Messages", "does not start a TLS 1.3 handshake")); });
    // It counts handshakes as pending, stops accepting at the most, and continues only when one takes too long.
    auto* resume = new QTimer(server.get());
    connect(resume, &QTimer::timeout, server.get(), &QTcpServer::resumeAccepting);
    resume->start(ResumeEvery);
    m_certificate = own.digest;
    begin(std::move(server));
    return open(address, port);
}

Result<void> RankServer::open(const QHostAddress& address, std::uint16_t port)
{
    if (!m_server->listen(address, port)) {
        return failure(LS_TR("Messages", "cannot listen for the ranks on %1%2: %3"),
            {verbatim(address.toString().toStdString()),
                verbatim(port != 0 ? fmt::format(", port {}", port) : std::string()),
                verbatim(m_server->errorString().toStdString())});
    }
    return {};
}

wire::WorkbenchAddress RankServer::address() const
{
    const QHostAddress at = m_server->serverAddress();
    const bool isSix = at.protocol() == QAbstractSocket::IPv6Protocol;
    return {fmt::format(fmt::runtime(isSix ? "[{}]:{}" : "{}:{}"), at.toString().toStdString(), port()), m_certificate};
}

RankConnection* RankServer::connection(std::int32_t rank) const
{
    RankConnection* found = m_ranks.empty() ? nullptr : m_ranks.at(static_cast<std::size_t>(rank));
    return found != nullptr && found->isOpen() ? found : nullptr;
}

void RankServer::onNewConnection()
{
    while (QTcpSocket* socket = m_server->nextPendingConnection()) {
        if (m_certificate) {
            wire::closeWhenSilent(static_cast<int>(socket->socketDescriptor()));
        }
        auto* connection = new RankConnection(socket, m_secret, m_patience, this);
        m_unknown.push_back(connection);
        connect(connection, &RankConnection::helloReceived, this,
            [this, connection](const wire::Hello& hello) { onHello(connection, hello); });
        connect(connection, &RankConnection::messageReceived, this,
            [this, connection](const wire::Message& message) { Q_EMIT messageReceived(connection->rank(), message); });
        connect(connection, &RankConnection::brokenFrameReceived, this,
            [this, connection](const Text& reason) { Q_EMIT rankRefused(connection->rank(), reason); });
        connect(connection, &RankConnection::closed, this, [this, connection] {
            if (connection->isStranger()) {
                const auto version = connection->otherVersion();
                turnAway(connection, version ? otherVersionText(*version) : Text(Unproved));
            } else {
                Q_EMIT rankDisconnected(connection->rank());
            }
        });
        if (m_unknown.size() > MostUnknown) {
            RankConnection* oldest = m_unknown.front();
            oldest->cutOff();
            turnAway(oldest, Unproved);
        }
    }
}

Text RankServer::whyNot(const wire::Hello& hello) const
{
    const auto size = static_cast<std::int32_t>(m_ranks.size());
    if (hello.runId != m_run.text) {
        return LS_TR("Messages", "belongs to another run");
    }
    if (m_ranks.empty()) {
        return {}; // the decoder refuses what cannot be
    }
    if (hello.worldSize != size || hello.rank < 0 || hello.rank >= size) {
        return {LS_TR("Messages", "says that it is rank %1 of %2; this run has %3 ranks"),
            {hello.rank, hello.worldSize, size}};
    }
    const bool isTaken = m_ranks[static_cast<std::size_t>(hello.rank)] != nullptr;
    return isTaken ? Text(LS_TR("Messages", "says that it is rank %1, which has already connected"), {hello.rank})
                   : Text();
}

void RankServer::onHello(RankConnection* connection, const wire::Hello& hello)
{
    if (const Text why = whyNot(hello); !why.empty()) {
        connection->cutOff();
        turnAway(connection, why);
        return;
    }
    std::erase(m_unknown, connection);
    if (hello.protocol != wire::ProtocolVersion) {
        connection->cutOff();
        connection->deleteLater();
        Q_EMIT rankRefused(hello.rank, otherVersionText(hello.protocol));
        return;
    }
    m_ranks.resize(static_cast<std::size_t>(hello.worldSize)); // of the first hello: all others say the same
    m_ranks[static_cast<std::size_t>(hello.rank)] = connection;
    connection->accept(hello.rank);
    Q_EMIT rankConnected(hello.rank, hello);
}

void RankServer::turnAway(RankConnection* connection, const Text& reason)
{
    std::erase(m_unknown, connection);
    connection->deleteLater();
    countStranger(reason);
}

void RankServer::countStranger(const Text& reason)
{
    ++m_strangers;
    Q_EMIT strangerTurnedAway(m_strangers, reason);
}

} // namespace lockstep::launch
