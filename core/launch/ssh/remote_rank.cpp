#include "launch/ssh/remote_rank.h"

#include "base/translate.h"

#include <QHostAddress>

#include <csignal>
#include <utility>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;

/// Reports the exit after forwarding the rank's last output.
constexpr auto RemoteDeathAfterDisconnect = 2500ms;

} // namespace

RemoteRank::RemoteRank(std::int32_t rank, HostLink& link, std::uint16_t port, QObject* parent)
    : RankProcess(rank, parent)
    , m_link(link)
    , m_port(port)
{
    m_killTimer.setSingleShot(true);
    connect(&m_killTimer, &QTimer::timeout, this, &RemoteRank::kill);
}

void RemoteRank::take(wire::RelayKind kind, const QByteArray& payload)
{
    const auto number = wire::readRelayNumbers<1>(asBytes(payload));
    switch (kind) {
    case wire::RelayKind::Data:
        pass(payload);
        break;
    case wire::RelayKind::Closed:
        if (m_socket != nullptr) {
            m_socket->disconnectFromHost();
        }
        break;
    case wire::RelayKind::Output:
        m_outRest += payload;
        logLines(m_outRest, wire::LogLevel::Info);
        break;
    case wire::RelayKind::Errors:
        m_errRest += payload;
        logLines(m_errRest, wire::LogLevel::Warning);
        break;
    case wire::RelayKind::Exited:
        end({endedWith(static_cast<int>(number.value_or(wire::RelayNumbers<1>{-1})[0])), number && (*number)[0] == 0});
        break;
    case wire::RelayKind::Killed:
        end({killedBy(static_cast<int>(number.value_or(wire::RelayNumbers<1>{0})[0]))});
        break;
    case wire::RelayKind::NotStarted:
        end({Text(LS_TR("Messages", "could not be started: %1"), {verbatim(payload.toStdString())})});
        break;
    default:
        break;
    }
}

void RemoteRank::lose(const Text& why)
{
    end({Text(m_isAsked ? LS_TR("Messages", "was lost with its host %1 (%2)")
                        : LS_TR("Messages", "could not be started on %1 (%2)"),
        {verbatim(m_link.host().name), why})});
}

bool RemoteRank::endedWell() const
{
    return hasEnded() && m_end->isWell;
}

std::chrono::milliseconds RemoteRank::timeToEnd() const
{
    return RemoteDeathAfterDisconnect;
}

void RemoteRank::terminate()
{
    if (!isAlive() || m_killTimer.isActive()) {
        return;
    }
    if (!m_isAsked) {
        end({LS_TR("Messages", "was ended before it had started")});
        return;
    }
    signal(SIGTERM);
    m_killTimer.start(TermToKill);
}

void RemoteRank::kill()
{
    if (isAlive() && !m_isAsked) {
        end({LS_TR("Messages", "was ended before it had started")});
    } else if (isAlive()) {
        signal(SIGKILL);
    }
}

void RemoteRank::signal(int number)
{
    m_link.send(wire::RelayKind::Signal, rank(), wire::toRelayBytes(wire::RelayNumbers<1>{number}));
}

void RemoteRank::pass(const QByteArray& bytes)
{
    if (m_socket == nullptr) {
        m_socket = new QTcpSocket(this);
        connect(m_socket, &QTcpSocket::readyRead, this,
            [this] { m_link.send(wire::RelayKind::Data, rank(), asBytes(m_socket->readAll())); });
        connect(m_socket, &QTcpSocket::stateChanged, this, [this](QAbstractSocket::SocketState state) {
            if (state == QAbstractSocket::UnconnectedState) {
                if (isAlive()) {
                    m_link.send(wire::RelayKind::Closed, rank(), {});
                }
                reportEndIfPassed();
            }
        });
        connect(m_socket, &QTcpSocket::connected, m_socket,
            [this] { m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1); });
        m_socket->connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
    }
    if (m_socket->isOpen()) {
        m_socket->write(bytes);
    }
}

void RemoteRank::end(End end)
{
    if (m_end) {
        return;
    }
    m_killTimer.stop();
    m_end = std::move(end);
    m_outRest += '\n';
    m_errRest += '\n';
    logLines(m_outRest, wire::LogLevel::Info);
    logLines(m_errRest, wire::LogLevel::Warning);
    if (m_socket != nullptr) {
        m_socket->disconnectFromHost();
    }
    reportEndIfPassed();
}

void RemoteRank::reportEndIfPassed()
{
    if (m_end && !hasEnded() && (m_socket == nullptr || m_socket->state() == QAbstractSocket::UnconnectedState)) {
        reportEnd();
    }
}

} // namespace lockstep::launch
