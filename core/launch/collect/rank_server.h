// Listens for the ranks of one run: on 127.0.0.1, or over TLS where the user says. Closes and counts strangers'
// connections (no secret, wrong secret, another protocol version, garbage, silence); refuses a hello that does not fit
// the run. Session thread only.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "launch/collect/rank_connection.h"
#include "wire/messages.h"
#include "wire/secret.h"
#include "wire/workbench_file.h"

#include <QHostAddress>
#include <QObject>
#include <QTcpServer>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::launch {

class RankServer : public QObject {
    Q_OBJECT

public:
    /// `worldSize` 0: what the first hello says.
    RankServer(RunId run, std::int32_t worldSize, const wire::Secret& secret, std::chrono::milliseconds patience,
        QObject* parent);

    /// On 127.0.0.1, at any port.
    [[nodiscard]] Result<void> listen();
    /// Where ranks that others start reach it, over TLS, with a certificate made for this; port 0: any.
    [[nodiscard]] Result<void> listenAt(const QHostAddress& address, std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const { return m_server->serverPort(); }
    /// Accepts no more connections; those that are open stay open.
    void close() { m_server->close(); }
    /// As ranks receive it. After listen() or listenAt().
    [[nodiscard]] wire::WorkbenchAddress address() const;
    /// Null while that rank has no open connection.
    [[nodiscard]] RankConnection* connection(std::int32_t rank) const;

Q_SIGNALS:
    /// A rank of this run has said hello for the first time; it waits for its welcome.
    void rankConnected(std::int32_t rank, const lockstep::wire::Hello& hello);
    void messageReceived(std::int32_t rank, const lockstep::wire::Message& message);
    /// It has the secret but cannot take part: another protocol version, an unreadable frame.
    void rankRefused(std::int32_t rank, const lockstep::Text& reason);
    void rankDisconnected(std::int32_t rank);
    /// `reason`: one clause that says why.
    void strangerTurnedAway(std::int64_t soFar, const lockstep::Text& reason);

private:
    void begin(std::unique_ptr<QTcpServer> server);
    [[nodiscard]] Result<void> open(const QHostAddress& address, std::uint16_t port);
    void onNewConnection();
    void onHello(RankConnection* connection, const wire::Hello& hello);
    void turnAway(RankConnection* connection, const Text& reason);
    /// Why this hello does not fit the run; empty if it does.
    [[nodiscard]] Text whyNot(const wire::Hello& hello) const;
    void countStranger(const Text& reason);

    RunId m_run;
    wire::Secret m_secret;
    std::chrono::milliseconds m_patience;
    std::unique_ptr<QTcpServer> m_server;
    std::optional<wire::CertificateDigest> m_certificate;
    std::vector<RankConnection*> m_ranks; ///< empty while their number is not known
    std::vector<RankConnection*> m_unknown; ///< not yet past the hello, oldest first
    std::int64_t m_strangers = 0;
};

} // namespace lockstep::launch
