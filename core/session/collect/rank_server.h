// Listens on 127.0.0.1 for the ranks of one run. Closes and counts strangers' connections (no secret, wrong secret,
// another protocol version, garbage, silence); refuses a hello that does not fit the run. Session thread only.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "session/collect/rank_connection.h"
#include "wire/messages.h"
#include "wire/secret.h"

#include <QObject>
#include <QTcpServer>

#include <chrono>
#include <cstdint>
#include <vector>

namespace lockstep::session {

class RankServer : public QObject {
    Q_OBJECT

public:
    RankServer(RunId run, std::int32_t worldSize, const wire::Secret& secret, std::chrono::milliseconds patience,
        QObject* parent);

    [[nodiscard]] Result<void> listen();
    [[nodiscard]] std::uint16_t port() const { return m_server.serverPort(); }
    [[nodiscard]] std::int64_t strangersTurnedAway() const { return m_strangers; }
    /// Null while that rank has no open connection.
    [[nodiscard]] RankConnection* connection(std::int32_t rank) const;

Q_SIGNALS:
    /// A rank of this run has said hello for the first time; it waits for its welcome.
    void rankConnected(std::int32_t rank, const lockstep::wire::Hello& hello);
    void messageReceived(std::int32_t rank, const lockstep::wire::Message& message);
    /// It has the secret but cannot take part: another protocol version, an unreadable frame.
    void rankRefused(std::int32_t rank, const QString& reason);
    void rankDisconnected(std::int32_t rank);
    /// `reason`: one clause that says why.
    void strangerTurnedAway(std::int64_t soFar, const QString& reason);

private:
    void onNewConnection();
    void onHello(RankConnection* connection, const wire::Hello& hello);
    void turnAway(RankConnection* connection);

    RunId m_run;
    wire::Secret m_secret;
    std::chrono::milliseconds m_patience;
    QTcpServer m_server;
    std::vector<RankConnection*> m_ranks;
    std::vector<RankConnection*> m_unknown; ///< not yet past the hello, oldest first
    std::int64_t m_strangers = 0;
};

} // namespace lockstep::session
