#include "launch/ssh/host_link.h"

#include "base/clock.h"
#include "base/translate.h"
#include "launch/ranks/local_process.h"
#include "launch/ssh/remote_command.h"

#include <QProcessEnvironment>
#include <QStandardPaths>

#include <csignal>
#include <unistd.h>
#include <utility>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using LinkClock = std::chrono::steady_clock;

constexpr auto BeatEvery = 1s;
constexpr auto LookAtLinkEvery = 200ms;
/// Three beats may be missed.
constexpr auto MostSilence = 4s;
/// ssh connects, the host loads LibTorch from its disk.
constexpr auto MostTimeToBegin = 60s;
constexpr std::size_t RoundTrips = 50;
constexpr qsizetype LastLinesOfSsh = 4;
constexpr int ExitOfSsh = 255; ///< of ssh itself, not of what it has started

/// A program in PATH that starts the relay, and the package of Debian that has it.
struct StartProgram {
    QString name;
    QString package;
};

StartProgram startProgramOf(const rendezvous::Host& host)
{
    return host.starter == rendezvous::Starter::Srun ? StartProgram{u"srun"_s, u"slurm-client"_s}
                                                     : StartProgram{u"ssh"_s, u"openssh-client"_s};
}

} // namespace

HostLink::HostLink(rendezvous::Host host, QObject* parent)
    : QObject(parent)
    , m_host(std::move(host))
{
    m_lookTimer.setInterval(LookAtLinkEvery);
    connect(&m_lookTimer, &QTimer::timeout, this, &HostLink::look);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &HostLink::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this, [this] { readLines(false); });
    connect(&m_process, &QProcess::finished, this, &HostLink::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_why = {LS_TR("Messages", "%1 could not be started: %2"),
                {verbatim(startProgramOf(m_host).name.toStdString()), verbatim(m_process.errorString().toStdString())}};
            onFinished();
        }
    });
}

HostLink::~HostLink()
{
    m_process.disconnect(this);
    if (isAlive()) {
        kill();
        m_process.waitForFinished(1000);
    }
}

void HostLink::start(const QString& program)
{
    const auto [name, package] = startProgramOf(m_host);
    const QString path = QStandardPaths::findExecutable(name);
    const auto words
        = m_host.starter == rendezvous::Starter::Srun ? srunWords(m_host, program) : sshWords(m_host, program);
    if (!words || path.isEmpty()) {
        m_why = words ? Text(LS_TR("Messages", "%1 is not in PATH: install %2"),
                    {verbatim(name.toStdString()), verbatim(package.toStdString())})
                      : Text(words.error());
        QMetaObject::invokeMethod(this, &HostLink::onFinished, Qt::QueuedConnection);
        return;
    }
    m_process.setChildProcessModifier([workbench = getpid()] { isolate(workbench, SIGKILL); });
    if (m_host.starter == rendezvous::Starter::Srun) {
        // Of the session in which the user has logged in, and of a step around the workbench: they hold for no node.
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString& variable : {u"SSH_CONNECTION"_s, u"SRUN_CPUS_PER_TASK"_s, u"SLURM_EXACT"_s}) {
            environment.remove(variable);
        }
        m_process.setProcessEnvironment(environment);
    }
    m_begun = m_heard = m_looked = m_beaten = LinkClock::now();
    m_process.start(path, *words);
    m_group = m_process.processId();
    m_lookTimer.start();
}

void HostLink::send(wire::RelayKind kind, std::int32_t rank, std::span<const std::byte> payload)
{
    std::vector<std::byte> bytes;
    for (bool isFirst = true; isFirst || !payload.empty(); isFirst = false) {
        const bool isPiece = kind == wire::RelayKind::Data;
        const auto piece = isPiece ? payload.first(std::min(payload.size(), wire::RelayPieceBytes)) : payload;
        wire::appendFrame(bytes, {kind, rank, piece});
        payload = payload.subspan(piece.size());
    }
    if (isAlive()) {
        m_process.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
    }
}

void HostLink::close()
{
    m_process.closeWriteChannel();
}

void HostLink::kill()
{
    if (isAlive() && m_group > 1 && ::kill(static_cast<pid_t>(-m_group), SIGKILL) != 0) {
        m_process.kill(); // it has not reached setpgid yet
    }
}

void HostLink::giveUp(const Text& why)
{
    if (m_why.empty()) {
        m_why = why;
    }
    kill();
}

void HostLink::readOutput()
{
    const QByteArray bytes = m_process.readAllStandardOutput();
    m_heard = LinkClock::now();
    if (m_hasMark) {
        m_decoder.feed(asBytes(bytes));
        readFrames();
        return;
    }
    // The mark begins a line, which may be the first.
    m_beforeMark += m_beforeMark.isEmpty() ? "\n" + bytes : bytes;
    const QByteArray mark(wire::RelayMark.data(), static_cast<qsizetype>(wire::RelayMark.size()));
    const qsizetype found = m_beforeMark.indexOf(mark);
    if (found < 0) {
        if (m_beforeMark.size() > static_cast<qsizetype>(wire::MostBytesBeforeMark)) {
            giveUp(LS_TR("Messages", "no lockstep-rank --relay of this version answers there"));
        }
        return;
    }
    m_hasMark = true;
    for (const QByteArray& line : m_beforeMark.first(found).split('\n')) {
        if (!line.trimmed().isEmpty()) {
            Q_EMIT lineWritten(QString::fromUtf8(line.trimmed()));
        }
    }
    const QByteArray rest = m_beforeMark.sliced(found + mark.size());
    m_beforeMark.clear();
    m_decoder.feed(asBytes(rest));
    readFrames();
}

void HostLink::readFrames()
{
    while (true) {
        const auto frame = m_decoder.next();
        if (frame && !*frame) {
            return;
        }
        const auto read = frame ? wire::readRelayFrame(**frame) : Result<wire::RelayFrame>(frame.error());
        if (!read) {
            giveUp(read.error());
            return;
        }
        take(*read);
    }
}

void HostLink::take(const wire::RelayFrame& frame)
{
    const QByteArray payload(
        reinterpret_cast<const char*>(frame.payload.data()), static_cast<qsizetype>(frame.payload.size()));
    if (frame.kind == wire::RelayKind::Facts) {
        auto facts = readHostFacts(payload);
        if (!facts) {
            giveUp(facts.error());
            return;
        }
        m_facts = std::move(*facts);
        sendBeat();
    } else if (frame.kind == wire::RelayKind::Beat) {
        takeBeat(frame.payload);
    } else {
        Q_EMIT frameReceived(frame.kind, frame.rank, payload);
    }
}

void HostLink::sendBeat()
{
    m_beaten = LinkClock::now();
    send(wire::RelayKind::Beat, -1, wire::toRelayBytes(wire::RelayNumbers<1>{monotonicNs()}));
}

void HostLink::takeBeat(std::span<const std::byte> payload)
{
    const auto numbers = wire::readRelayNumbers<3>(payload);
    if (!numbers) {
        return;
    }
    const std::int64_t now = monotonicNs();
    if (!m_isReady) {
        m_clock.add({.sentNs = (*numbers)[0],
            .backNs = now,
            .thereNs = (*numbers)[1],
            .wallThereNs = (*numbers)[2],
            .wallOffsetNs = wallNs() - now});
        m_isReady = m_clock.count() >= RoundTrips;
        if (!m_isReady) {
            sendBeat();
            return;
        }
        Q_EMIT ready();
    }
}

void HostLink::look()
{
    const auto now = LinkClock::now();
    if (now - std::exchange(m_looked, now) > BeatEvery) {
        m_heard = now; // this process was stopped for a while: what has come meanwhile is read first
    }
    if (!m_isReady) {
        if (now - m_begun > MostTimeToBegin) {
            giveUp({LS_TR("Messages", "no relay has answered for %1 s"), {MostTimeToBegin.count()}});
        }
        return;
    }
    if (now - m_heard > MostSilence) {
        giveUp({LS_TR("Messages", "it has not been heard from for %1 s"), {MostSilence.count()}});
    } else if (now - m_beaten >= BeatEvery) {
        sendBeat();
    }
}

void HostLink::readLines(bool isEnd)
{
    m_errors += m_process.readAllStandardError();
    if (isEnd) {
        m_errors += '\n';
    }
    for (qsizetype end = m_errors.indexOf('\n'); end >= 0; end = m_errors.indexOf('\n')) {
        // The frame around OpenSSH's warning of a changed host key is made of these.
        const QString line = QString::fromUtf8(m_errors.first(end)).remove(u'@').trimmed();
        m_errors.remove(0, end + 1);
        if (!line.isEmpty()) {
            m_lines.append(line);
            Q_EMIT lineWritten(line);
        }
    }
    constexpr qsizetype LongestRest = 64 << 10;
    m_errors.truncate(LongestRest);
}

void HostLink::onFinished()
{
    if (std::exchange(m_hasEnded, true)) {
        return;
    }
    m_lookTimer.stop();
    if (m_group > 1) {
        ::kill(static_cast<pid_t>(-m_group), SIGKILL); // what ssh has started besides
        readOutput();
        readLines(true);
        for (const QByteArray& line : m_beforeMark.split('\n')) {
            if (!line.trimmed().isEmpty()) {
                m_lines.append(QString::fromUtf8(line.trimmed()));
            }
        }
    }
    Q_EMIT ended(causeOfEnd());
}

/// `ssh ended with exit code 255: Host key verification failed.`
Text HostLink::causeOfEnd() const
{
    if (!m_why.empty()) {
        return m_why;
    }
    const bool isKilled = m_process.exitStatus() == QProcess::CrashExit;
    const Text how = isKilled ? killedBy(m_process.exitCode()) : endedWith(m_process.exitCode());
    // srun ends with the exit code of what it has started, and says itself what happened.
    const bool isRelays = host().starter == rendezvous::Starter::Ssh && !isKilled && m_process.exitCode() != ExitOfSsh;
    QStringList lines = m_lines.last(std::min(m_lines.size(), LastLinesOfSsh));
    const QStringList changed = m_lines.filter(u"IDENTIFICATION HAS CHANGED"_s);
    if (!changed.isEmpty()) {
        lines = QStringList{changed.front(), m_lines.back()};
    }
    const Text who
        = isRelays ? Text(LS_TR("Messages", "its relay")) : verbatim(startProgramOf(m_host).name.toStdString());
    const Text what(LS_TR("Messages", "%1 %2"), {who, how});
    return lines.isEmpty() ? what
                           : Text(LS_TR("Messages", "%1: %2"), {what, verbatim(lines.join(u" | "_s).toStdString())});
}

} // namespace lockstep::launch
