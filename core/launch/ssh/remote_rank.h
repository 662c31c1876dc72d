// A rank on another host, as its relay reports it. What it and the run's server say to each other goes through a
// socket of this machine, so that the server reads every rank alike. Session thread only.
#pragma once

#include "launch/ranks/rank_process.h"
#include "launch/ssh/host_link.h"

#include <QPointer>
#include <QTcpSocket>
#include <QTimer>

#include <optional>

namespace lockstep::launch {

class RemoteRank final : public RankProcess {
    Q_OBJECT

public:
    /// `port`: of the run's server on this machine. The link must outlive it.
    RemoteRank(std::int32_t rank, HostLink& link, std::uint16_t port, QObject* parent);

    /// The relay has been asked to start it.
    void setAsked() { m_isAsked = true; }
    /// Of this rank.
    void take(wire::RelayKind kind, const QByteArray& payload);
    /// Its host is gone, and with it all that is known of the rank.
    void lose(const Text& why);

    [[nodiscard]] bool isAlive() const override { return !m_end; }
    [[nodiscard]] bool endedWell() const override;
    [[nodiscard]] Text causeOfEnd() const override { return m_end ? m_end->cause : Text(); }
    [[nodiscard]] std::chrono::milliseconds timeToEnd() const override;
    [[nodiscard]] bool isHere() const override { return false; }
    [[nodiscard]] std::int64_t clockShiftNs() const override { return m_link.clock().shiftNs(); }

    void terminate() override;
    void kill() override;

private:
    struct End {
        Text cause;
        bool isWell = false;
    };

    void pass(const QByteArray& bytes);
    void signal(int number);
    void end(End end);
    /// Once the server has everything that the rank has sent.
    void reportEndIfPassed();

    HostLink& m_link;
    std::uint16_t m_port;
    QTcpSocket* m_socket = nullptr;
    QTimer m_killTimer;
    QByteArray m_outRest;
    QByteArray m_errRest;
    std::optional<End> m_end;
    bool m_isAsked = false;
};

} // namespace lockstep::launch
