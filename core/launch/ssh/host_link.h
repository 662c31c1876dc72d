// ssh to one host, or srun on one node, and the relay (lockstep-rank --relay) that it starts there: frames over stdin
// and stdout, a beat each second, the clocks by round trips. Session thread only: the kernel ends ssh or srun with the
// thread that has started it.
#pragma once

#include "launch/ssh/host_facts.h"
#include "rendezvous/host_list.h"
#include "wire/frame.h"
#include "wire/relay_messages.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::launch {

[[nodiscard]] inline std::span<const std::byte> asBytes(const QByteArray& bytes)
{
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

class HostLink : public QObject {
    Q_OBJECT

public:
    HostLink(rendezvous::Host host, QObject* parent);
    /// Ends ssh or srun; the relay then ends its ranks.
    ~HostLink() override;

    /// `program`: of lockstep-rank, where the host names none.
    void start(const QString& program);
    void send(wire::RelayKind kind, std::int32_t rank, std::span<const std::byte> payload);
    /// The end of the relay's stdin: it ends what it has started, then itself.
    void close();
    /// Ends ssh or srun.
    void kill();

    [[nodiscard]] const rendezvous::Host& host() const { return m_host; }
    [[nodiscard]] bool isAlive() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] const HostFacts& facts() const { return m_facts; }
    [[nodiscard]] const HostClock& clock() const { return m_clock; }

Q_SIGNALS:
    /// The relay is there, and its clocks are known.
    void ready();
    void frameReceived(lockstep::wire::RelayKind kind, std::int32_t rank, const QByteArray& payload);
    /// A line that ssh, srun, the relay or the login's shell has written.
    void lineWritten(const QString& line);
    /// ssh or srun is gone, also where it could not be started; `why`: with what it said.
    void ended(const lockstep::Text& why);

private:
    void readOutput();
    void readLines(bool isEnd);
    void readFrames();
    void take(const wire::RelayFrame& frame);
    void takeBeat(std::span<const std::byte> payload);
    void sendBeat();
    void look();
    void giveUp(const Text& why);
    void onFinished();
    [[nodiscard]] Text causeOfEnd() const;

    rendezvous::Host m_host;
    QProcess m_process;
    QTimer m_lookTimer;
    wire::FrameDecoder m_decoder;
    HostFacts m_facts;
    HostClock m_clock;
    QByteArray m_beforeMark;
    QByteArray m_errors;
    QStringList m_lines; ///< the last of stderr
    Text m_why; ///< it was ended from here
    std::chrono::steady_clock::time_point m_begun;
    std::chrono::steady_clock::time_point m_heard;
    std::chrono::steady_clock::time_point m_looked;
    std::chrono::steady_clock::time_point m_beaten;
    std::int64_t m_group = 0;
    bool m_hasMark = false;
    bool m_isReady = false;
    bool m_hasEnded = false;
};

} // namespace lockstep::launch
