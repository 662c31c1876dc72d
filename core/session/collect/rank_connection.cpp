#include "session/collect/rank_connection.h"

#include <array>

namespace lockstep::session {

namespace {

/// Qt reads this far ahead; beyond it TCP holds the rank's sending thread back, which then spills to a file.
constexpr qint64 ReadAhead = 4 << 20;
/// No valid hello is longer.
constexpr std::size_t LongestHello = 64 << 10;

} // namespace

RankConnection::RankConnection(
    QTcpSocket* socket, const wire::Secret& secret, std::chrono::milliseconds patience, QObject* parent)
    : QObject(parent)
    , m_socket(socket)
    , m_secret(secret)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(static_cast<qint64>(wire::PreambleBytes));
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, &RankConnection::giveUp);
    connect(m_socket, &QTcpSocket::readyRead, this, &RankConnection::readMore);
    connect(m_socket, &QTcpSocket::disconnected, this, &RankConnection::onDisconnected);
    m_patience.start();
}

void RankConnection::accept(std::int32_t rank)
{
    m_rank = rank;
    m_stage = Stage::Telemetry;
    m_patience.stop();
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setReadBufferSize(ReadAhead);
}

void RankConnection::send(const wire::Message& message)
{
    const auto frame = wire::encode(message);
    if (frame && m_open) {
        m_socket->write(reinterpret_cast<const char*>(frame->data()), static_cast<qint64>(frame->size()));
        m_socket->flush();
    }
}

void RankConnection::drain()
{
    // The bytes are in the kernel already: this only moves them, it does not wait for the peer.
    while (m_open && m_stage == Stage::Telemetry && m_socket->waitForReadyRead(0)) {
        readMore();
    }
    readMore();
}

void RankConnection::cutOff()
{
    m_stage = Stage::Closed;
    m_open = false;
    m_patience.stop();
    m_socket->disconnect(this);
    m_socket->abort();
}

void RankConnection::giveUp()
{
    cutOff();
    Q_EMIT closed();
}

void RankConnection::readMore()
{
    if (m_stage == Stage::Preamble) {
        readPreamble();
    }
    if (m_stage == Stage::Hello || m_stage == Stage::Telemetry) {
        readFrames();
    }
}

void RankConnection::readPreamble()
{
    if (m_socket->bytesAvailable() < static_cast<qint64>(wire::PreambleBytes)) {
        return;
    }
    std::array<std::byte, wire::PreambleBytes> bytes{};
    m_socket->read(reinterpret_cast<char*>(bytes.data()), static_cast<qint64>(bytes.size()));
    if (!wire::isPreamble(bytes, m_secret)) {
        giveUp();
        return;
    }
    m_stage = Stage::Hello;
    m_socket->setReadBufferSize(static_cast<qint64>(LongestHello));
    m_patience.start();
}

void RankConnection::readFrames()
{
    while (m_socket->isOpen()) { // sending to a rank that has gone closes it, also in the middle of a message
        const QByteArray bytes = m_socket->read(1 << 20);
        if (bytes.isEmpty()) {
            return;
        }
        m_decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        for (auto frame = m_decoder.next();; frame = m_decoder.next()) {
            if (!frame) {
                refuse(frame.error());
                return;
            }
            if (!frame->has_value()) {
                break;
            }
            const auto message = wire::decode(**frame);
            if (!message) {
                refuse(message.error());
                return;
            }
            if (m_stage == Stage::Telemetry) {
                Q_EMIT messageReceived(*message);
            } else if (const auto* hello = std::get_if<wire::Hello>(&*message)) {
                Q_EMIT helloReceived(*hello);
            } else {
                giveUp();
            }
            if (m_stage != Stage::Telemetry) {
                return;
            }
        }
        if (m_stage == Stage::Hello && m_decoder.buffered() > LongestHello) {
            giveUp();
            return;
        }
    }
}

void RankConnection::refuse(const Error& error)
{
    if (m_stage == Stage::Telemetry) {
        cutOff();
        Q_EMIT brokenFrameReceived(QString::fromStdString(error.message));
    } else {
        giveUp();
    }
}

void RankConnection::onDisconnected()
{
    readMore();
    if (m_open) {
        cutOff();
        Q_EMIT closed();
    }
}

} // namespace lockstep::session
