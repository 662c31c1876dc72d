#include "session/launch/run_job.h"

#include "base/clock.h"
#include "session/launch/local_process.h"
#include "session/launch/mpirun.h"
#include "session/launch/rank_program.h"
#include "session/store/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::session {

using analysis::RunStatus;

namespace {

using namespace std::chrono_literals;

/// For the others to notice that a rank is dead, and to name it.
constexpr auto TimeToReport = 1000ms;

/// A spec that does not fit its strategy is refused by the ranks, one of which is enough.
std::int32_t ranksOf(const SessionOptions& options, const experiment::RunSpec& spec)
{
    if (options.ranks > 0) {
        return options.ranks;
    }
    const auto needed = experiment::worldSizeOf(spec);
    return needed ? *needed : 1;
}

} // namespace

RunJob::RunJob(Setup setup, QObject* parent)
    : QObject(parent)
    , m_record(std::move(setup.record))
    , m_options(std::move(setup.options))
    , m_feed(std::move(setup.feed))
    , m_worldSize(ranksOf(m_options, m_record.spec))
    , m_secret(makeSecret())
    , m_collector(m_worldSize, setup.startNs != 0 ? setup.startNs : monotonicNs(), m_feed, nullptr)
    , m_monitor(setup.monitor)
    , m_server(m_record.id, m_worldSize, m_secret, m_options.handshakeTimeout, nullptr)
{
    m_startTimer.setInterval(m_options.startTimeout / 10);
    m_stopTimer.setSingleShot(true);
    m_hearTimer.setSingleShot(true);
    m_hearTimer.setInterval(TimeToReport);
    connect(&m_hearTimer, &QTimer::timeout, this, &RunJob::terminateRanks);
    connect(&m_startTimer, &QTimer::timeout, this, &RunJob::lookForSilence);
    connect(&m_stopTimer, &QTimer::timeout, this, [this] {
        m_stopNote = "the ranks did not stop when asked and were ended";
        terminateRanks();
    });
    connect(&m_collector, &Collector::writeFailed, this,
        [this](const QString& reason) { fail(during("the run could not be stored", {reason.toStdString()})); });
    connect(&m_server, &RankServer::rankConnected, this, &RunJob::onConnected);
    connect(&m_server, &RankServer::messageReceived, this, &RunJob::onMessage);
    connect(&m_server, &RankServer::rankDisconnected, this, &RunJob::onDisconnected);
    connect(&m_server, &RankServer::rankRefused, this,
        [this](std::int32_t rank, const QString& reason) { fail(ofRank({reason.toStdString()}, Rank{rank})); });
    connect(&m_server, &RankServer::strangerTurnedAway, this, [this](std::int64_t soFar) {
        // A flood of strangers must not flood the log.
        if (soFar <= 10 || soFar % 1000 == 0) {
            note(wire::LogLevel::Warning,
                fmt::format("a connection without this run's secret was rejected ({} so far)", soFar));
        }
    });
}

void RunJob::begin(const StoreOpener& openStore)
{
    setStatus(RunStatus::Starting);
    m_record.createdNs = wallNs();
    if (const auto listening = m_server.listen(); !listening) {
        fail(listening.error());
    } else if (findProgram()) {
        startRanks();
    }

    const Result<RunStore*> store = openStore();
    Result<std::unique_ptr<RunWriter>> writer
        = store ? (*store)->create(m_record) : Result<std::unique_ptr<RunWriter>>(store.error());
    if (writer) {
        m_collector.setWriter(std::move(*writer));
    } else {
        fail(during("the run could not be stored", writer.error()));
    }
    // No rank was started, so no rank's end would end the run.
    QMetaObject::invokeMethod(this, &RunJob::finishIfSettled, Qt::QueuedConnection);
}

bool RunJob::findProgram()
{
    m_rankProgram = m_options.rankProgram;
    if (!m_rankProgram.isEmpty()) {
        return true;
    }
    const auto choice = chooseRankProgram(m_record.spec, findRankPrograms(), lookForGpus());
    if (!choice) {
        fail(choice.error(), Cause::Refused);
        return false;
    }
    if (choice->program.isEmpty()) {
        fail({"there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: build it with ./run"});
        return false;
    }
    m_rankProgram = choice->program;
    note(wire::LogLevel::Info, choice->reason + " (" + m_rankProgram.toStdString() + ")");
    return true;
}

void RunJob::startRanks()
{
    if (usesMpirun() && Mpirun::program().isEmpty()) {
        fail({"comm.backend: mpi needs mpirun, which is not in PATH; install openmpi-bin, or use auto, shm or gloo"},
            Cause::Refused);
        return;
    }
    const Rendezvous where{m_record.id, m_worldSize, m_server.port(), m_worldSize > 1 ? freePort() : std::uint16_t{0},
        m_secret, checkpointFolderOf(m_options.storeFolder, m_record.id)};
    m_peers.resize(static_cast<std::size_t>(m_worldSize));
    for (RankProcess* process : startProcesses(where)) {
        peer(process->rank()).process = process;
        connect(process, &RankProcess::lineWritten, this,
            [this](std::int32_t from, const wire::LogLine& line) { m_collector.add(from, line); });
        // Queued: an end must not be handled in the middle of a message.
        connect(process, &RankProcess::ended, this, &RunJob::onProcessEnded, Qt::QueuedConnection);
        m_collector.add(RankChange{process->rank(), RankState::Starting, {}});
    }
    m_startTimer.start();
}

bool RunJob::usesMpirun() const
{
    const auto backend = m_record.spec.settings.find("comm.backend");
    return m_worldSize > 1 && backend != m_record.spec.settings.end()
        && backend->second == experiment::Value(std::string("mpi"));
}

std::vector<RankProcess*> RunJob::startProcesses(const Rendezvous& where)
{
    if (usesMpirun()) {
        auto* mpirun = new Mpirun(m_worldSize, this);
        mpirun->start(m_rankProgram, jobEnvironment(where, m_record.spec));
        return mpirun->ranks();
    }
    std::vector<RankProcess*> processes;
    for (std::int32_t rank = 0; rank < m_worldSize; ++rank) {
        auto* process = new LocalProcess(rank, this);
        process->start({.program = m_rankProgram, .environment = rankEnvironment(where, m_record.spec, rank)});
        processes.push_back(process);
    }
    return processes;
}

void RunJob::setStatus(RunStatus status, const std::string& message)
{
    if (m_record.status == status) {
        return;
    }
    m_record.status = status;
    m_record.message = message;
    m_collector.add(StatusChange{status, message, wallNs()});
    if (!analysis::isFinal(status)) {
        Q_EMIT statusChanged(status, QString::fromStdString(message));
    }
}

void RunJob::note(wire::LogLevel level, const std::string& text)
{
    m_collector.add(0, wire::LogLine{monotonicNs(), level, text});
}

void RunJob::send(const wire::Control& control)
{
    if (control.command == wire::Command::Pause || control.command == wire::Command::Resume) {
        m_wantsPause = control.command == wire::Command::Pause;
    }
    if (RankConnection* first = m_peers.empty() ? nullptr : m_server.connection(0)) {
        first->send(control);
    }
}

void RunJob::stop(std::chrono::milliseconds patience)
{
    if (m_stopRequested || m_finished) {
        return;
    }
    m_stopRequested = true;
    setStatus(RunStatus::Stopping);
    if (!m_peers.empty() && m_server.connection(0) != nullptr) {
        send({wire::Command::Stop});
        m_stopTimer.start(patience);
    } else {
        terminateRanks(); // no rank is connected yet
    }
}

void RunJob::kill()
{
    m_stopRequested = true;
    m_stopNote = "killed on request";
    for (const Peer& each : m_peers) {
        each.process->kill();
    }
}

void RunJob::terminateRanks()
{
    for (const Peer& each : m_peers) {
        if (!each.goodbye) {
            each.process->terminate();
        }
    }
}

void RunJob::fail(const Error& error, Cause cause, Others others)
{
    if (!m_failure) {
        m_failure = error.text();
        m_refused = cause == Cause::Refused;
        note(wire::LogLevel::Error, *m_failure);
    }
    if (others == Others::Hear && m_peers.size() > 1) {
        if (!m_hearTimer.isActive()) {
            m_hearTimer.start();
        }
    } else {
        terminateRanks();
    }
}

void RunJob::finishIfSettled()
{
    const bool allSettled
        = std::all_of(m_peers.begin(), m_peers.end(), [](const Peer& each) { return each.isSettled; });
    if (allSettled && !m_finished) {
        m_finished = true;
        finish();
    }
}

void RunJob::finish()
{
    m_startTimer.stop();
    m_stopTimer.stop();
    m_hearTimer.stop();
    if (m_isMonitored && m_monitor != nullptr) {
        m_monitor->end();
        m_monitor->disconnect(this);
    }
    m_collector.flush(); // a full disk may show only now, and is the run's failure then
    const bool allFinished = !m_peers.empty() && std::all_of(m_peers.begin(), m_peers.end(), [](const Peer& each) {
        return each.goodbye && each.goodbye->outcome == wire::Outcome::Finished;
    });
    if (m_failure) {
        setStatus(RunStatus::Failed, *m_failure);
    } else if (m_stopRequested && !allFinished) {
        setStatus(RunStatus::Stopped, m_stopNote);
    } else {
        setStatus(RunStatus::Finished);
    }
    const auto closed = m_collector.finish(m_record.status, m_record.message);
    if (!closed && m_record.status != RunStatus::Failed) {
        setStatus(RunStatus::Failed, during("the run could not be stored", closed.error()).text());
        m_collector.flush();
    }
    m_record.summary = m_collector.summary();
    m_feed->releaseIfUnclaimed();
    Q_EMIT statusChanged(m_record.status, QString::fromStdString(m_record.message));
    Q_EMIT ended();
}

} // namespace lockstep::session
