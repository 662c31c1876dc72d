#include "launch/run_job.h"

#include "base/clock.h"
#include "base/translate.h"
#include "launch/choose_start.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::launch {

using analysis::RunStatus;

namespace {

using namespace std::chrono_literals;

/// Time for the others to notice that a rank is dead, and to name it.
constexpr auto TimeToReport = 1000ms;

/// The share of comm.timeout_s after which a rank counts as timed out, even if another one gave up first.
constexpr double TimedOut = 0.9;

/// A spec that does not fit its strategy is refused by the ranks, one of which is enough.
std::int32_t ranksOf(const SessionOptions& options, const experiment::RunSpec& spec)
{
    if (options.ranks > 0) {
        return options.ranks;
    }
    const auto needed = experiment::worldSizeOf(spec);
    return needed ? *needed : 1;
}

/// Of the time to the first loss, which is unknown (0) where others start the ranks whenever they like.
std::int64_t startOf(const SessionOptions& options, std::int64_t startNs)
{
    if (options.awaits) {
        return 0;
    }
    return startNs != 0 ? startNs : monotonicNs();
}

constexpr std::string_view NotStored = LS_TR("Messages", "the run could not be stored");

store::RankChange rankChange(std::int32_t rank, store::RankState state, const Text& why)
{
    auto [message, data] = asFields(why);
    return {rank, state, std::move(message), std::move(data)};
}

analysis::RankCallHistory historyOf(const wire::CallBatch& batch)
{
    analysis::RankCallHistory history{batch.rank, batch.timeNs, {}};
    for (const wire::CallRow& row : batch.rows) {
        history.calls.push_back({row.call, row.step, row.number, row.group, static_cast<std::uint64_t>(row.members),
            row.peer, row.waitedNs, row.leftNs});
    }
    return history;
}

/// In place of those of its rank.
void keepCalls(std::vector<analysis::RankCallHistory>& kept, const wire::CallBatch& batch)
{
    std::erase_if(kept, [&](const analysis::RankCallHistory& each) { return each.rank == batch.rank; });
    if (!batch.rows.empty()) {
        kept.push_back(historyOf(batch));
    }
}

/// The ranks from `first` on.
void addStarting(Collector& collector, std::int32_t first, std::int32_t worldSize)
{
    for (std::int32_t rank = first; rank < worldSize; ++rank) {
        collector.add(store::RankChange{rank, store::RankState::Starting, {}});
    }
}

Text withKeptBack(const Text& why, std::size_t runs)
{
    if (runs == 0) {
        return why;
    }
    return runs == 1 ? Text(LS_TR("Messages", "%1; 1 run was not started"), {why})
                     : Text(LS_TR("Messages", "%1; %2 runs were not started"), {why, runs});
}

RunStatus runningAfter(RunStatus now)
{
    return now == RunStatus::Starting ? RunStatus::Running : now;
}

/// What all ranks of a run do after a command that rank 0 has applied.
std::optional<RunStatus> statusAfter(std::int32_t rank, const wire::Message& message, RunStatus now)
{
    const auto* applied = std::get_if<wire::Applied>(&message);
    if (applied == nullptr || rank != 0) {
        return std::nullopt;
    }
    if (applied->command == wire::Command::Pause && now == RunStatus::Running) {
        return RunStatus::Paused;
    }
    const bool goesOn = applied->command == wire::Command::Resume && now == RunStatus::Paused;
    return goesOn ? std::optional(RunStatus::Running) : std::nullopt;
}

bool haveAllEndedWell(const RankPeers& ranks, std::int32_t worldSize)
{
    bool all = !ranks.isEmpty();
    for (std::int32_t rank = 0; all && rank < worldSize; ++rank) {
        all = ranks.process(rank).endedWell();
    }
    return all;
}

/// Whether all were started and said goodbye after their last step.
bool haveAllFinished(const RankPeers& ranks, std::int32_t worldSize)
{
    bool all = !ranks.isEmpty();
    for (std::int32_t rank = 0; all && rank < worldSize; ++rank) {
        const auto& goodbye = ranks.goodbye(rank);
        all = goodbye && goodbye->outcome == wire::Outcome::Finished;
    }
    return all;
}

const Text& firstOf(const Text& first, const Text& second)
{
    return first.empty() ? second : first;
}

/// A rank that said no goodbye.
Text leftEarly(std::int32_t rank, std::int64_t step)
{
    return {LS_TR("Messages", "rank %1 closed its connection after step %2 without a final report"), {rank, step}};
}

/// Files come before a rank's goodbye, and may take long.
void waitForFiles(const wire::Message& message, std::initializer_list<QTimer*> limits)
{
    for (QTimer* limit : limits) {
        if (limit->isActive() && std::holds_alternative<wire::CheckpointPart>(message)) {
            limit->start();
        }
    }
}

} // namespace

RunJob::RunJob(Setup setup, QObject* parent)
    : QObject(parent)
    , m_record(std::move(setup.record))
    , m_options(std::move(setup.options))
    , m_feed(std::move(setup.feed))
    , m_program(m_record.spec, m_options)
    , m_worldSize(ranksOf(m_options, m_record.spec))
    , m_collector(m_worldSize, startOf(m_options, setup.startNs), m_feed, nullptr)
    , m_monitor(setup.monitor, setup.place, m_collector)
    , m_firstCommand(setup.firstCommand)
    , m_remark(std::move(setup.remark))
    , m_crowd{setup.crowd.runs + 1, setup.crowd.ranks + m_worldSize}
    , m_ready(setup.ready)
    , m_mps(setup.mps)
    , m_ranks(m_record.id, m_record.spec, m_options, m_program.isOpen() ? 0 : m_worldSize)
{
    m_collector.setSpec(m_record.spec);
    m_stopTimer.setSingleShot(true);
    m_hearTimer.setSingleShot(true);
    connect(&m_hearTimer, &QTimer::timeout, &m_ranks, &RankPeers::terminate);
    connect(&m_stopTimer, &QTimer::timeout, this, [this] {
        m_stopNote = LS_TR("Messages", "the ranks did not stop when asked and were ended");
        m_ranks.terminate();
    });
    connect(&m_collector, &Collector::writeFailed, this,
        [this](const Error& reason) { fail(during(NotStored, reason), Cause::Workbench); });
    connect(&m_ranks, &RankPeers::connected, this, &RunJob::onConnected);
    connect(&m_ranks, &RankPeers::messageReceived, this, &RunJob::onMessage);
    const auto hasBegun = [this] { setStatus(runningAfter(m_record.status)); };
    connect(&m_ranks, &RankPeers::allPrepared, this, hasBegun);
    connect(&m_ranks, &RankPeers::lineWritten, this, [this, hasBegun](std::int32_t from, const wire::LogLine& line) {
        m_collector.add(from, line);
        if (m_program.isOwn()) {
            hasBegun(); // it may never join
        }
    });
    connect(&m_ranks, &RankPeers::failed, this, [this](const Error& reason, Cause cause) { fail(reason, cause); });
    connect(&m_ranks, &RankPeers::warned, this, [this](const Text& text) { note(wire::LogLevel::Warning, text); });
    connect(&m_ranks, &RankPeers::leftEarly, this, &RunJob::onLeftEarly);
    connect(&m_ranks, &RankPeers::ended, this, &RunJob::onEnded);
}

void RunJob::begin(const StoreOpener& openStore, KeepBack keepBack)
{
    m_keepBack = std::move(keepBack);
    setStatus(RunStatus::Starting);
    for (const Text& line : m_record.spec.notes) {
        note(wire::LogLevel::Warning, line);
    }
    m_record.createdNs = wallNs();
    note(wire::LogLevel::Info, m_remark);
    if (const auto listening = m_ranks.listen(m_crowd); !listening) {
        fail(listening.error(), Cause::Workbench);
    } else {
        startRanks();
    }

    const Result<store::RunStore*> store = openStore();
    Result<std::unique_ptr<store::RunWriter>> writer
        = store ? (*store)->create(m_record) : Result<std::unique_ptr<store::RunWriter>>(store.error());
    if (writer) {
        m_collector.setWriter(std::move(*writer));
    } else {
        fail(during(NotStored, writer.error()), Cause::Workbench);
    }
    // No rank was started, so no rank's end would end the run.
    QMetaObject::invokeMethod(this, &RunJob::finishIfAllEnded, Qt::QueuedConnection);
}

ReadyProcess* RunJob::readyProcess(const RankChoice& choice)
{
    if (m_ready == nullptr || !choice.mayBeForked) {
        return nullptr;
    }
    connect(m_ready, &ReadyProcess::failed, this, [this](const Text& line) { note(wire::LogLevel::Warning, line); });
    if (!m_ready->offers(choice.program, m_worldSize)) {
        return nullptr;
    }
    note(wire::LogLevel::Info, LS_TR("Messages", "the ranks are forked from the ready process"));
    return m_ready;
}

void RunJob::startRanks()
{
    const StartChoice start = chooseStart(m_options, m_record.spec, m_worldSize);
    if (start.problem) {
        return fail(*start.problem, start.cause);
    }
    note(wire::LogLevel::Info, start.choice.reason);
    if (const auto begun = m_mps.begin(m_record.spec, m_options, start.choice, m_worldSize); !begun) {
        return fail(begun.error(), Cause::Refused);
    }
    m_monitor.setMps(m_mps.use().origin);
    m_ranks.start(start.choice.program, readyProcess(start.choice), m_mps.use());
    addStarting(m_collector, 0, m_worldSize);
}

void RunJob::setStatus(RunStatus status, const Text& why)
{
    if (m_record.status == status) {
        return;
    }
    m_record.status = status;
    m_record.setWhy(why);
    m_collector.add(store::StatusChange{status, m_record.message, wallNs(), m_record.messageData});
    if (!analysis::isFinal(status)) {
        Q_EMIT statusChanged(status, QString::fromStdString(m_record.message));
    }
}

void RunJob::note(wire::LogLevel level, const Text& text)
{
    if (!text.empty()) {
        m_collector.add(0, wire::LogLine::of(monotonicNs(), level, text));
    }
}

void RunJob::send(const wire::Control& control)
{
    if (control.command == wire::Command::Pause || control.command == wire::Command::Resume) {
        m_wantsPause = control.command == wire::Command::Pause;
    }
    if (m_stopRequested && control.command == wire::Command::RunSteps) {
        return; // it may have gone already
    }
    m_ranks.send(control);
}

void RunJob::leaveOut(const std::vector<std::int64_t>& rounds)
{
    std::ranges::for_each(rounds, [this](std::int64_t round) { m_collector.add(store::LeftOutRound{round}); });
}

void RunJob::stop(std::chrono::milliseconds patience)
{
    if (m_stopRequested || m_finished) {
        return;
    }
    m_stopRequested = true;
    setStatus(RunStatus::Stopping);
    if (!m_ranks.isEmpty() && m_ranks.isConnected(0)) {
        send({wire::Command::Stop});
        m_stopTimer.start(patience);
    } else {
        m_ranks.terminate(); // no rank is connected yet
    }
}

void RunJob::kill()
{
    m_stopRequested = true;
    m_stopNote = LS_TR("Messages", "killed on request");
    m_ranks.kill();
}

void RunJob::onConnected(std::int32_t rank, const wire::Hello& hello)
{
    if (m_program.join() && m_program.isOpen()) {
        m_worldSize = hello.worldSize;
        m_collector.setWorldSize(m_worldSize);
        addStarting(m_collector, 1, m_worldSize);
        Q_EMIT worldKnown(m_worldSize);
    }
    m_collector.add(rank, hello);
    if (m_ranks.process(rank).isHere()) {
        m_monitor.watch(rank, hello);
    }
    if (rank == 0 && m_firstCommand) {
        send(*m_firstCommand);
    }
    if (rank == 0 && m_wantsPause) {
        send({wire::Command::Pause});
    }
}

void RunJob::onMessage(std::int32_t rank, const wire::Message& message)
{
    m_collector.add(rank, m_program.worded(message));
    waitForFiles(message, {&m_stopTimer, &m_hearTimer});
    if (const auto next = statusAfter(rank, message, m_record.status)) {
        setStatus(*next);
    } else if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        onGoodbye(*goodbye);
    } else if (const auto* calls = std::get_if<wire::CallBatch>(&message)) {
        keepCalls(m_calls, *calls);
    }
    Q_EMIT messageReceived(rank, message);
}

void RunJob::onGoodbye(const wire::Goodbye& goodbye)
{
    if (goodbye.outcome == wire::Outcome::Refused) {
        fail(failureOf(goodbye.said()), Cause::Refused);
    } else if (goodbye.outcome == wire::Outcome::Failed) {
        if (m_failure) {
            note(wire::LogLevel::Error, goodbye.said());
        } else {
            m_isFailureReported = true;
        }
        fail(failureOf(goodbye.said()), Cause::Run, Others::Hear);
    }
}

void RunJob::onLeftEarly(std::int32_t rank)
{
    const Text text = leftEarly(rank, m_collector.lastStep(rank));
    if (m_program.isOwn()) {
        note(wire::LogLevel::Warning, text); // its process says how it ends
    } else if (!m_stopRequested) {
        fail(failureOf(text));
    }
}

void RunJob::onEnded(std::int32_t rank)
{
    const RankProcess& process = m_ranks.process(rank);
    const bool areHeard = m_hearTimer.isActive() || (m_program.isOpen() && m_isFailureReported);
    const bool wasEnded = (m_failure.has_value() && !areHeard) || m_stopRequested;
    if (m_ranks.isExplained(rank)) {
        // Nothing to add to its goodbye.
    } else if (wasEnded || process.wasEndedForAnother()) {
        m_collector.add(rankChange(rank, store::RankState::Stopped, process.causeOfEnd()));
    } else if (m_program.endedAsItWanted(process, m_ranks.goodbye(rank))) {
        m_collector.add(rankChange(rank, store::RankState::Finished, {}));
        if (!process.endedWell() && m_crash.empty()) {
            m_crash = causeOfLoss(process, true, m_record.spec, m_collector.lastStep(rank));
            note(wire::LogLevel::Warning, m_crash);
        }
    } else {
        m_collector.add(rankChange(rank, store::RankState::Lost, process.causeOfEnd()));
        if (m_isFailureReported && process.mayBeCause()) {
            // The other rank's failure was a consequence of this loss.
            m_isFailureReported = false;
            m_failure.reset();
        }
        const bool hasSaidGoodbye = m_ranks.goodbye(rank).has_value();
        fail(failureOf(causeOfLoss(process, hasSaidGoodbye, m_record.spec, m_collector.lastStep(rank))),
            process.wasNotStarted() ? Cause::Program : Cause::Run, Others::Hear);
    }
    finishIfAllEnded();
}

void RunJob::diagnose()
{
    m_failure = m_mps.end(m_failure);
    const auto missed = analysis::missedCall(m_calls);
    if (!missed || !m_failure || isRefused()) {
        return;
    }
    const Text sentence = analysis::sentence(*missed);
    note(wire::LogLevel::Error, sentence);
    if (m_isFailureReported && missed->waitedSeconds >= TimedOut * m_record.spec.settings->comm.timeoutSeconds) {
        m_failure = sentence;
    }
}

void RunJob::fail(const Error& error, Cause cause, Others others)
{
    if (!m_failure) {
        m_failure = error;
        m_cause = cause;
        note(wire::LogLevel::Error, *m_failure);
    }
    if (m_program.isOpen() && others == Others::Hear) {
        return; // the program deals with its ranks
    }
    if (others == Others::Hear && !m_ranks.isEmpty() && m_worldSize > 1) {
        if (!m_hearTimer.isActive()) {
            m_hearTimer.start(TimeToReport);
        }
    } else {
        m_ranks.terminate();
    }
}

void RunJob::finishIfAllEnded()
{
    if (!m_ranks.haveAllEnded() || m_finished) {
        return;
    }
    m_finished = true;
    m_stopTimer.stop();
    m_hearTimer.stop();
    m_monitor.end();
    diagnose();
    if (m_program.isOwn() && m_cause == Cause::Run && haveAllEndedWell(m_ranks, m_worldSize)) {
        m_failure.reset(); // it ended as it wanted to; what was reported is in the log
    }
    Q_EMIT closing();
    m_collector.flush(); // a full disk may show only now, and is the run's failure then
    const Text& lost = m_collector.lostCheckpoint();
    const bool isTrained = m_collector.areOwnStepsDone(); // whatever its ranks met while they were measured
    if (m_failure && (!isTrained || m_cause != Cause::Run)) {
        setStatus(RunStatus::Failed, withKeptBack(*m_failure, m_keepBack(*this)));
    } else if (m_stopRequested && !isTrained && !haveAllFinished(m_ranks, m_worldSize)) {
        setStatus(RunStatus::Stopped, firstOf(lost, m_stopNote));
    } else {
        const Text cutShort = m_failure ? store::measuredLess(*m_failure) : Text();
        setStatus(
            RunStatus::Finished, firstOf(firstOf(lost, cutShort), m_program.lastWord(m_crash, m_collector.hasSteps())));
    }
    const auto closed = m_collector.finish(m_record.status, m_record.why());
    if (!closed && m_record.status != RunStatus::Failed) {
        m_failure = during(NotStored, closed.error());
        m_cause = Cause::Workbench;
        setStatus(RunStatus::Failed, withKeptBack(*m_failure, m_keepBack(*this)));
        m_collector.flush();
    }
    m_record.summary = m_collector.summary();
    m_feed->releaseIfUnclaimed();
    Q_EMIT statusChanged(m_record.status, QString::fromStdString(m_record.message));
    Q_EMIT ended();
}

} // namespace lockstep::launch
