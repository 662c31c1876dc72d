#include "launch/collect/rank_connection.h"

namespace lockstep::launch {

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
    m_socket->setReadBufferSize(static_cast<qint64>(wire::OpeningBytes));
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
        write(*frame);
    }
}

void RankConnection::write(std::span<const std::byte> bytes)
{
    m_socket->write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
    m_socket->flush();
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
    if (m_stage == Stage::Opening) {
        readOpening();
    }
    if (m_stage == Stage::Proof) {
        readProof();
    }
    if (m_stage == Stage::Hello || m_stage == Stage::Telemetry) {
        readFrames();
    }
    if (m_stage == Stage::OtherVersion) {
        m_socket->readAll(); // unread bytes would turn our close into a reset, which may cost the peer our answer
    }
}

template <std::size_t Size>
std::optional<std::array<std::byte, Size>> RankConnection::take()
{
    if (m_socket->bytesAvailable() < static_cast<qint64>(Size)) {
        return std::nullopt;
    }
    std::array<std::byte, Size> bytes{};
    m_socket->read(reinterpret_cast<char*>(bytes.data()), static_cast<qint64>(Size));
    return bytes;
}

void RankConnection::readOpening()
{
    const auto bytes = take<wire::OpeningBytes>();
    if (!bytes) {
        return;
    }
    const std::optional<wire::Opening> opening = wire::readOpening(*bytes);
    const Result<wire::Nonce> nonce = wire::makeNonce();
    if (!opening || !nonce) {
        giveUp();
        return;
    }
    if (opening->protocol != wire::ProtocolVersion) {
        answerOtherVersion(opening->protocol);
        return;
    }
    m_nonces = {opening->nonce, *nonce};
    const Result<wire::Proof> proof = wire::proofOf(wire::Side::Workbench, m_secret, m_nonces);
    if (!proof) {
        giveUp();
        return;
    }
    m_stage = Stage::Proof;
    m_socket->setReadBufferSize(static_cast<qint64>(sizeof(wire::Proof)));
    write(wire::toBytes(wire::Challenge{wire::ProtocolVersion, m_nonces.workbench, *proof}));
}

/// In the form that the peer reads: version 1 waits for a welcome, the others for a challenge.
void RankConnection::answerOtherVersion(std::uint32_t version)
{
    m_otherVersion = version;
    m_stage = Stage::OtherVersion;
    m_socket->setReadBufferSize(static_cast<qint64>(LongestHello));
    if (version == 1) {
        send(wire::Welcome{wire::ProtocolVersion, {}});
    } else {
        const auto head = wire::toBytes(wire::Opening{wire::ProtocolVersion, {}});
        write(std::span<const std::byte>(head).first(wire::HeadBytes));
    }
}

void RankConnection::readProof()
{
    const auto proof = take<sizeof(wire::Proof)>();
    if (!proof) {
        return;
    }
    if (!wire::isProofOf(wire::Side::Rank, *proof, m_secret, m_nonces)) {
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
        Q_EMIT brokenFrameReceived(error);
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

} // namespace lockstep::launch
