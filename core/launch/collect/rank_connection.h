// One TCP connection that claims to come from a rank. Reads only the handshake (wire/handshake.h) until the peer has
// proved that it has the secret; then a hello must follow; each within a time limit. Session thread only.
#pragma once

#include "base/result.h"
#include "wire/frame.h"
#include "wire/handshake.h"
#include "wire/messages.h"

#include <QObject>
#include <QTcpSocket>
#include <QTimer>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace lockstep::launch {

class RankConnection : public QObject {
    Q_OBJECT

public:
    /// Takes the socket. `patience` is the limit for the handshake, and again for the hello.
    RankConnection(QTcpSocket* socket, const wire::Secret& secret, std::chrono::milliseconds patience, QObject* parent);

    /// -1 until the hello has been accepted.
    [[nodiscard]] std::int32_t rank() const { return m_rank; }
    [[nodiscard]] bool isStranger() const { return m_rank < 0; }
    [[nodiscard]] bool isOpen() const { return m_open; }
    /// Of the protocol, once a peer has begun in another version than ours, which cannot become a rank.
    [[nodiscard]] std::optional<std::uint32_t> otherVersion() const { return m_otherVersion; }

    /// The owner agrees to the hello: telemetry is read from now on.
    void accept(std::int32_t rank);
    void send(const wire::Message& message);
    /// Reads what has already arrived; called before closing the connection.
    void drain();
    /// Closes at once. closed() is not emitted any more.
    void cutOff();

Q_SIGNALS:
    /// The peer has the secret and this is its first frame. The owner accepts or cuts off.
    void helloReceived(const lockstep::wire::Hello& hello);
    void messageReceived(const lockstep::wire::Message& message);
    /// A frame from a known rank that cannot be read; the connection is closed.
    void brokenFrameReceived(const lockstep::Text& reason);
    void closed();

private:
    /// OtherVersion: the peer has received our version and closes.
    enum class Stage { Opening, Proof, Hello, Telemetry, OtherVersion, Closed };

    void readMore();
    void readOpening();
    void readProof();
    void answerOtherVersion(std::uint32_t version);
    void write(std::span<const std::byte> bytes);
    /// Nothing if they have not all arrived.
    template <std::size_t Size>
    [[nodiscard]] std::optional<std::array<std::byte, Size>> take();
    void readFrames();
    /// Invalid frame: closes a stranger's connection, reports a rank.
    void refuse(const Error& error);
    void onDisconnected();
    void giveUp();

    QTcpSocket* m_socket;
    wire::Secret m_secret;
    wire::Nonces m_nonces;
    std::optional<std::uint32_t> m_otherVersion;
    QTimer m_patience;
    wire::FrameDecoder m_decoder;
    Stage m_stage = Stage::Opening;
    std::int32_t m_rank = -1;
    bool m_open = true;
};

} // namespace lockstep::launch
