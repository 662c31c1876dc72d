#include "launch/ranks/rank_peers.h"

#include "base/clock.h"
#include "base/translate.h"
#include "launch/choose_launcher.h"
#include "launch/own/own_program.h"
#include "launch/rank_environment.h"
#include "store/account/clock_correction.h"
#include "store/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;

/// A dead process's socket is closed by the kernel; only a process that inherited it could keep it open.
constexpr auto DrainLimit = 300ms;
constexpr auto ExitAfterGoodbye = 3s;

/// Of a run whose ranks are on other hosts; those of this machine write where they are looked for.
[[nodiscard]] GatheredCheckpoints checkpointsFor(
    const SessionOptions& options, const RunId& run, const experiment::RunSpec& spec)
{
    const bool areHere = options.hosts.empty() && !options.awaits;
    const bool isLimited = spec.settings.contains(nameOf(&experiment::CheckpointSettings::keep));
    return {areHere ? QString() : store::checkpointFolderOf(options.storeFolder, run, spec),
        isLimited ? spec.settings->checkpoint.keep : 0};
}

/// Ends the work on a GPU that other clients of MPS use, of the ranks that are about to be ended.
template <typename Peer, typename IsMeant>
void endClients(const MpsUse& mps, const std::vector<Peer>& peers, const IsMeant& isMeant)
{
    std::vector<std::int64_t> alive;
    for (const Peer& each : peers) {
        if (each.pid > 0 && each.process->isAlive() && isMeant(each)) {
            alive.push_back(each.pid);
        }
    }
    MpsShare::endClients(mps, alive);
}

} // namespace

RankPeers::RankPeers(
    const RunId& run, const experiment::RunSpec& spec, const SessionOptions& options, std::int32_t worldSize)
    : m_run(run)
    , m_spec(spec)
    , m_options(options)
    , m_worldSize(std::max(1, worldSize))
    , m_isOpen(worldSize == 0)
    , m_secret(makeSecret())
    , m_server(run, worldSize, m_secret, options.handshakeTimeout, nullptr)
    , m_checkpoints(checkpointsFor(options, run, spec))
{
    m_silenceTimer.setInterval(m_options.startTimeout / 10);
    connect(&m_silenceTimer, &QTimer::timeout, this, &RankPeers::lookForSilence);
    connect(&m_server, &RankServer::rankConnected, this, &RankPeers::onConnected);
    connect(&m_server, &RankServer::messageReceived, this, [this](std::int32_t rank, const wire::Message& message) {
        const std::int64_t shiftNs = peer(rank).process->clockShiftNs();
        if (shiftNs == 0) {
            onMessage(rank, message);
        } else {
            onMessage(rank, store::withShiftedTimes(message, shiftNs));
        }
    });
    connect(&m_server, &RankServer::rankDisconnected, this, &RankPeers::onDisconnected);
    connect(&m_server, &RankServer::rankRefused, this,
        [this](std::int32_t rank, const Text& reason) { Q_EMIT failed(ofRank(failureOf(reason), Rank{rank})); });
    connect(&m_server, &RankServer::strangerTurnedAway, this, [this](std::int64_t soFar, const Text& reason) {
        // A flood of strangers must not flood the log.
        if (soFar <= 10 || soFar % 1000 == 0) {
            Q_EMIT warned({LS_TR("Messages", "a connection was rejected (%1 so far): it %2"), {soFar, reason}});
        }
    });
}

Result<void> RankPeers::listen(const Crowd& crowd)
{
    const auto& awaits = m_options.awaits;
    if (!awaits && m_options.hosts.empty()) {
        LOCKSTEP_TRY(checkLimits(crowd));
    }
    return awaits ? m_server.listenAt(QHostAddress(awaits->address), awaits->port) : m_server.listen();
}

void RankPeers::start(const QString& program, ReadyProcess* ready, const MpsUse& mps)
{
    m_mps = mps;
    if (!mps.line.empty()) {
        Q_EMIT lineWritten(0, wire::LogLine::of(monotonicNs(), wire::LogLevel::Info, mps.line));
    }
    const bool needsPort = m_worldSize > 1 || isOwnProgram(m_spec); // torchrun always gives one
    const Rendezvous where{.run = m_run,
        .worldSize = m_worldSize,
        .telemetryPort = m_server.port(),
        .masterPort = needsPort ? freePort() : std::uint16_t{0},
        .secret = m_secret,
        .checkpoints = store::checkpointFolderOf(m_options.storeFolder, m_run),
        .mpsPipes = mps.pipes,
        .isMadeByScript = m_isOpen};
    m_peers.resize(static_cast<std::size_t>(m_worldSize));
    if (const auto mark = m_checkpoints.leaveMark()) {
        m_checkpointMark = *mark;
    } else {
        Q_EMIT warned({LS_TR("Messages", "the ranks' checkpoints are not gathered: %1"), {mark.error()}});
    }
    m_launcher = launcherOf(m_options, m_spec, m_worldSize, this);
    connect(m_launcher, &RankLauncher::failed, this, &RankPeers::failed);
    connect(m_launcher, &RankLauncher::noted, this, [this](const Text& line) {
        Q_EMIT lineWritten(0, wire::LogLine::of(monotonicNs(), wire::LogLevel::Info, line));
    });
    supervise(m_launcher->start({.spec = m_spec,
        .where = where,
        .program = program,
        .storeFolder = m_options.storeFolder,
        .ready = ready,
        .address = m_server.address(),
        .cutOff = [this](std::int32_t rank) {
            if (RankConnection* connection = m_server.connection(rank)) {
                connection->cutOff();
            }
        }}));
    m_silenceTimer.start();
}

void RankPeers::supervise(const std::vector<RankProcess*>& processes)
{
    for (RankProcess* process : processes) {
        peer(process->rank()).process = process;
        connect(process, &RankProcess::lineWritten, this, &RankPeers::lineWritten);
        // Queued: an end must not be handled in the middle of a message.
        connect(process, &RankProcess::ended, this, &RankPeers::onProcessEnded, Qt::QueuedConnection);
        if (process->hasEnded()) { // within start(): it could not be created
            QMetaObject::invokeMethod(
                this, [this, rank = process->rank()] { onProcessEnded(rank); }, Qt::QueuedConnection);
        }
    }
}

bool RankPeers::haveAllEnded() const
{
    return std::all_of(m_peers.begin(), m_peers.end(), [](const Peer& each) { return each.hasEnded; });
}

bool RankPeers::isExplained(std::int32_t rank) const
{
    const Peer& of = peer(rank);
    return of.goodbye
        && (of.process->endedWell() || of.isOverdue || of.goodbye->outcome == wire::Outcome::Failed
            || of.goodbye->outcome == wire::Outcome::Refused);
}

void RankPeers::send(const wire::Control& control)
{
    if (RankConnection* first = isEmpty() ? nullptr : m_server.connection(0)) {
        first->send(control);
    }
}

void RankPeers::terminate()
{
    const auto isMeant = [this](const Peer& each) {
        return !each.goodbye || m_isOpen; // its program may end after its ranks
    };
    endClients(m_mps, m_peers, isMeant);
    for (const Peer& each : m_peers) {
        if (isMeant(each)) {
            each.process->terminate();
        }
    }
}

void RankPeers::kill()
{
    endClients(m_mps, m_peers, [](const Peer&) { return true; });
    for (const Peer& each : m_peers) {
        each.process->kill();
    }
}

void RankPeers::onConnected(std::int32_t rank, const wire::Hello& hello)
{
    if (m_isOpen && !std::exchange(m_hasJoined, true)) {
        m_worldSize = hello.worldSize;
        m_peers.resize(static_cast<std::size_t>(m_worldSize));
        supervise(m_launcher->join(m_worldSize));
    }
    peer(rank).process->connectionOpened(hello);
    peer(rank).pid = peer(rank).process->isHere() ? hello.pid : 0;
    m_server.connection(rank)->send(wire::Welcome{wire::ProtocolVersion, experiment::toJson(m_spec), m_checkpointMark});
    peer(rank).lastHeard = std::chrono::steady_clock::now();
    Q_EMIT connected(rank, hello);
}

void RankPeers::onMessage(std::int32_t rank, const wire::Message& message)
{
    if (std::holds_alternative<wire::Welcome>(message) || std::holds_alternative<wire::Control>(message)
        || std::holds_alternative<wire::Hello>(message)) {
        Q_EMIT failed(
            failure(LS_TR("Messages", "rank %1 sent a message that a rank does not send at this point"), {rank}));
        return;
    }
    if (const auto* part = std::get_if<wire::CheckpointPart>(&message)) {
        if (const auto line = m_checkpoints.add(rank, *part)) {
            Q_EMIT lineWritten(rank, *line);
        }
    }
    const bool isPrepared = std::holds_alternative<wire::Prepared>(message);
    const auto* goodbye = std::get_if<wire::Goodbye>(&message);
    Peer& sender = peer(rank);
    sender.lastHeard = std::chrono::steady_clock::now();
    sender.isPrepared = sender.isPrepared || isPrepared;
    if (goodbye != nullptr) {
        sender.goodbye = *goodbye;
        onGoodbye(rank);
    }
    Q_EMIT messageReceived(rank, message);
    const auto hasBegun = [](const Peer& each) { return each.isPrepared; };
    // Ranks of a user's own program may come late, or have no step to do.
    if (isPrepared && (isOwnProgram(m_spec) || std::ranges::all_of(m_peers, hasBegun))) {
        m_silenceTimer.stop();
        Q_EMIT allPrepared();
    }
}

/// It should exit soon, unless the script that made it has more to do.
void RankPeers::onGoodbye(std::int32_t rank)
{
    if (m_isOpen) {
        return;
    }
    QTimer::singleShot(ExitAfterGoodbye, this, [this, rank] {
        const bool mayEnd = !peer(rank).process->endsWithOthers()
            || std::all_of(m_peers.begin(), m_peers.end(), [](const Peer& each) { return each.goodbye.has_value(); });
        if (mayEnd && peer(rank).process->isAlive()) {
            Q_EMIT warned({LS_TR("Messages", "rank %1 did not exit after its final report: ended"), {rank}});
            peer(rank).isOverdue = true;
            peer(rank).process->terminate();
        }
    });
}

void RankPeers::onDisconnected(std::int32_t rank)
{
    if (peer(rank).process->hasEnded()) {
        markEnded(rank);
        return;
    }
    // Where this is a rank's end, it is handled through the event loop: the run must not end within its socket's
    // signal.
    peer(rank).process->connectionClosed(peer(rank).goodbye.has_value());
    if (peer(rank).process->hasEnded() || peer(rank).goodbye) {
        return;
    }
    QTimer::singleShot(peer(rank).process->timeToEnd(), this, [this, rank] {
        if (peer(rank).process->isAlive()) {
            Q_EMIT leftEarly(rank);
        }
    });
}

void RankPeers::onProcessEnded(std::int32_t rank)
{
    if (RankConnection* connection = m_server.connection(rank)) {
        connection->drain();
    }
    if (!isConnected(rank)) {
        markEnded(rank);
        return;
    }
    QTimer::singleShot(DrainLimit, this, [this, rank] {
        if (RankConnection* late = m_server.connection(rank)) {
            late->drain();
            late->cutOff();
        }
        markEnded(rank);
    });
}

void RankPeers::markEnded(std::int32_t rank)
{
    if (!peer(rank).hasEnded) {
        peer(rank).hasEnded = true;
        if (haveAllEnded()) {
            m_server.close(); // the next run may listen at the same port
        }
        Q_EMIT ended(rank);
    }
}

/// Per rank: messages of other ranks do not keep a run alive that one rank never joins. Memory samples count as
/// messages, so loading data may take long.
void RankPeers::lookForSilence()
{
    const auto heardSince = std::chrono::steady_clock::now() - m_options.startTimeout;
    for (std::int32_t rank = 0; rank < m_worldSize; ++rank) {
        const Peer& each = peer(rank);
        const bool mayComeLate = each.process->mayComeLate() || isOwnProgram(m_spec);
        const bool isAwaited = mayComeLate && !isConnected(rank);
        if (!isAwaited && !each.isPrepared && !each.hasEnded && each.lastHeard < heardSince) {
            Q_EMIT failed(failure(LS_TR("Messages", "rank %1 was silent for %2 s while starting (%3)"),
                {rank, verbatim(fmt::format("{:f}", m_options.startTimeout.count() / 1000.0).substr(0, 4)),
                    isConnected(rank) ? LS_TR("Messages", "it has connected but not loaded its data")
                                      : LS_TR("Messages", "it has not connected")}));
            return;
        }
    }
}

} // namespace lockstep::launch
