// One TCP connection that claims to come from a rank. Reads only 40 bytes until it has shown the secret; then a hello
// must follow; each within a time limit. Session thread only.
#pragma once

#include "base/result.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <QObject>
#include <QTcpSocket>
#include <QTimer>

#include <chrono>
#include <cstdint>

namespace lockstep::session {

class RankConnection : public QObject {
    Q_OBJECT

public:
    /// Takes the socket. `patience` is the limit for the preamble, and again for the hello.
    RankConnection(QTcpSocket* socket, const wire::Secret& secret, std::chrono::milliseconds patience, QObject* parent);

    /// -1 until the hello has been accepted.
    [[nodiscard]] std::int32_t rank() const { return m_rank; }
    [[nodiscard]] bool isStranger() const { return m_rank < 0; }
    [[nodiscard]] bool isOpen() const { return m_open; }

    /// The owner agrees to the hello: telemetry is read from now on.
    void accept(std::int32_t rank);
    void send(const wire::Message& message);
    /// Reads what has already arrived; called before closing the connection.
    void drain();
    /// Closes at once. closed() is not emitted any more.
    void cutOff();

Q_SIGNALS:
    /// The secret was right and this is the first frame. The owner accepts or cuts off.
    void helloReceived(const lockstep::wire::Hello& hello);
    void messageReceived(const lockstep::wire::Message& message);
    /// A frame from a known rank that cannot be read; the connection is closed.
    void brokenFrameReceived(const QString& reason);
    void closed();

private:
    enum class Stage { Preamble, Hello, Telemetry, Closed };

    void readMore();
    void readPreamble();
    void readFrames();
    /// Invalid frame: closes a stranger's connection, reports a rank.
    void refuse(const Error& error);
    void onDisconnected();
    void giveUp();

    QTcpSocket* m_socket;
    wire::Secret m_secret;
    QTimer m_patience;
    wire::FrameDecoder m_decoder;
    Stage m_stage = Stage::Preamble;
    std::int32_t m_rank = -1;
    bool m_open = true;
};

} // namespace lockstep::session
