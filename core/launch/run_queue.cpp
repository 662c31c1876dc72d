#include "launch/run_queue.h"

#include "base/clock.h"
#include "launch/run_comparison.h"

#include <QRandomGenerator>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

namespace lockstep::launch {

using analysis::RunStatus;

void RunBoard::add(const analysis::RunRecord& record, std::shared_ptr<LiveFeed> feed)
{
    const std::scoped_lock lock(m_mutex);
    m_entries.insert_or_assign(record.id, Entry{record, std::move(feed)});
}

void RunBoard::update(const analysis::RunRecord& record, bool isRefused)
{
    const std::scoped_lock lock(m_mutex);
    Entry& entry = m_entries.at(record.id);
    entry.record = record;
    entry.isRefused = isRefused;
}

std::optional<analysis::RunRecord> RunBoard::record(const RunId& id) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? std::nullopt : std::optional(found->second.record);
}

std::shared_ptr<LiveFeed> RunBoard::feed(const RunId& id) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? nullptr : found->second.feed;
}

bool RunBoard::isRefused(const RunId& id) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_entries.find(id);
    return found != m_entries.end() && found->second.isRefused;
}

void RunBoard::setReach(const RunId& id, FailureReach reach)
{
    const std::scoped_lock lock(m_mutex);
    m_entries.at(id).reach = reach;
}

FailureReach RunBoard::reach(const RunId& id) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? FailureReach::Itself : found->second.reach;
}

bool RunBoard::isBusy() const
{
    const std::scoped_lock lock(m_mutex);
    return std::any_of(m_entries.begin(), m_entries.end(),
        [](const auto& each) { return !analysis::isFinal(each.second.record.status); });
}

void RunBoard::forget(const std::vector<RunId>& ids)
{
    const std::scoped_lock lock(m_mutex);
    for (const RunId& id : ids) {
        const auto found = m_entries.find(id);
        if (found != m_entries.end() && analysis::isFinal(found->second.record.status)) {
            m_entries.erase(found);
        }
    }
}

RunQueue::RunQueue(SessionOptions options, std::shared_ptr<RunBoard> board)
    : m_options(std::move(options))
    , m_board(std::move(board))
{ }

void RunQueue::prepare()
{
    const RankPrograms programs = findRankPrograms();
    if (m_options.rankProgram.isEmpty() && !programs.isChosen && !programs.cpu.isEmpty()) {
        m_ready = m_ready != nullptr ? m_ready : new ReadyProcess(this);
        m_ready->start(programs.cpu);
    }
}

void RunQueue::enqueue(std::vector<RunJob::Setup> jobs)
{
    for (RunJob::Setup& job : jobs) {
        Q_EMIT statusChanged(job.record.id, RunStatus::Queued, {});
        m_waiting.push_back(std::move(job));
    }
    if (m_jobs.empty() && !m_quiet) {
        beginNext();
    }
}

std::vector<RunJob::Setup> RunQueue::comparedNext() const
{
    const auto end = std::ranges::find_if(
        m_waiting, [this](const RunJob::Setup& each) { return each.comparison != m_waiting.front().comparison; });
    return {m_waiting.begin(), end};
}

bool RunQueue::waitsForQuiet()
{
    const int comparison = m_waiting.front().comparison;
    if (m_options.quietTimeout.count() == 0 || m_isBusyMachine || m_quietFor == comparison
        || !needQuiet(comparedNext())) {
        return false;
    }
    m_quietFor = comparison;
    m_quiet = std::make_unique<QuietWait>(m_options.quietTimeout, nullptr);
    connect(m_quiet.get(), &QuietWait::ended, this, &RunQueue::onQuietEnded);
    connect(m_quiet.get(), &QuietWait::waits, this, [this] {
        Q_EMIT noted(Text(LS_TR("Messages",
                              "other work uses this machine: the comparison of different numbers of ranks waits up to "
                              "%1 s for it to end"),
            {std::chrono::duration_cast<std::chrono::seconds>(m_options.quietTimeout).count()}));
    });
    return true;
}

void RunQueue::onQuietEnded(bool isQuiet)
{
    m_isBusyMachine = !isQuiet;
    if (!isQuiet) {
        const Text line(
            LS_TR("Messages", "the machine was still busy after %1 s: times of different numbers of ranks may mislead"),
            {std::chrono::duration_cast<std::chrono::seconds>(m_quiet->elapsed()).count()});
        m_waiting.front().remark = line;
        Q_EMIT noted(line);
    }
    cancelQuiet();
}

void RunQueue::cancelQuiet()
{
    if (m_quiet) {
        if (!m_waiting.empty() && m_waiting.front().startNs != 0) { // the wait is no part of the time to the first loss
            m_waiting.front().startNs += std::chrono::nanoseconds(m_quiet->elapsed()).count();
        }
        m_quiet->disconnect(this);
        m_quiet.release()->deleteLater(); // it may be what calls this
        beginNext();
    }
}

void RunQueue::beginNext()
{
    m_turns.reset();
    m_places.clear();
    if (m_waiting.empty()) {
        m_isBusyMachine = false;
        m_mps.release();
        Q_EMIT allEnded();
        return;
    }
    if (m_monitor == nullptr && m_options.sampleEvery.count() > 0) {
        m_monitor = new MachineMonitor(m_options.sampleEvery, this);
    }
    if (m_waiting.front().comparison != 0) {
        if (waitsForQuiet()) {
            return;
        }
        beginTurns();
    }
    RunJob::Setup first = std::move(m_waiting.front());
    m_waiting.pop_front();
    begin(std::move(first));
}

void RunQueue::beginTurns()
{
    const int comparison = m_waiting.front().comparison;
    const std::vector<RunJob::Setup> group = comparedNext();
    const auto reason = group.size() < 2 ? std::optional(Text()) : whyNotTogether(group);
    if (!reason) {
        m_comparison = comparison;
        m_waiting.front().crowd = crowdOf(std::span(group).subspan(1));
        m_mayBeginBehind = false;
        m_turns = std::make_unique<TurnTaker>(
            [this](std::size_t run, const wire::Control& control) {
                if (RunJob* job = m_places.at(run)) {
                    job->send(control);
                }
            },
            QRandomGenerator::global()->generate64(),
            [this](std::size_t run, const std::vector<std::int64_t>& rounds) {
                if (RunJob* job = m_places.at(run)) {
                    job->leaveOut(rounds);
                }
            });
        return;
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
        m_waiting[i].comparison = 0;
    }
    if (!reason->empty()) {
        const Text line(
            LS_TR("Messages", "the runs follow each other instead of taking turns (measure.interleave): %1"),
            {*reason});
        m_waiting.front().remark = line;
        Q_EMIT noted(line);
    }
}

void RunQueue::begin(RunJob::Setup setup)
{
    if (!std::exchange(m_hasBegun, true)) {
        MpsDaemon::stopAbandoned();
    }
    m_ready = m_ready != nullptr ? m_ready : new ReadyProcess(this);
    setup.monitor = m_monitor;
    setup.ready = m_ready;
    setup.mps = &m_mps;
    m_ready->expectMore(m_options.staysReady || !m_waiting.empty());
    const experiment::RunSpec spec = setup.record.spec;
    const std::size_t place = m_places.size();
    if (m_turns) {
        setup.place = static_cast<std::int32_t>(place);
        setup.firstCommand = TurnTaker::firstCommand(setup.record.spec, place);
    }
    auto* job = new RunJob(std::move(setup), this);
    m_jobs.push_back(job);
    m_places.push_back(job);
    if (m_turns) {
        m_turns->add(spec, job->worldSize());
        connect(
            job, &RunJob::worldKnown, this, [this, place](std::int32_t ranks) { m_turns->setWorldSize(place, ranks); });
        connect(job, &RunJob::messageReceived, this,
            [this, place](std::int32_t rank, const wire::Message& message) { onMessage(place, rank, message); });
        connect(job, &RunJob::closing, this, [this, place] { m_turns->onClosing(place); });
    }
    connect(job, &RunJob::statusChanged, this,
        [this, job, place](RunStatus status, const QString& message) { onStatus(job, place, status, message); });
    connect(job, &RunJob::ended, this, [this, job, place] { onJobEnded(job, place); });
    job->begin([this] { return openStore(); }, [this](const RunJob& failed) { return keepBack(failed); });
    if (m_turns && !isBehind()) {
        m_turns->allAdded();
    }
}

bool RunQueue::isBehind() const
{
    return !m_waiting.empty() && m_waiting.front().comparison == m_comparison;
}

void RunQueue::beginBehind()
{
    if (!m_turns || !m_mayBeginBehind) {
        return;
    }
    if (!isBehind()) {
        m_turns->allAdded(); // the ones behind have been dropped
        return;
    }
    m_mayBeginBehind = false;
    RunJob::Setup next = std::move(m_waiting.front());
    m_waiting.pop_front();
    begin(std::move(next));
}

/// The first run's first curve comes before the second run loads; each further one loads once the one before holds.
void RunQueue::onMessage(std::size_t place, std::int32_t rank, const wire::Message& message)
{
    const bool isNewest = place + 1 == m_places.size();
    if (const auto* facts = std::get_if<wire::Prepared>(&message); facts != nullptr && rank == 0) {
        m_turns->onPrepared(place, facts->totalSteps, facts->stepsPerEpoch);
    } else if (const auto* held = std::get_if<wire::Held>(&message)) {
        m_turns->onHeld(place, rank, *held);
        m_mayBeginBehind = m_mayBeginBehind || (isNewest && m_turns->isReady(place));
    } else if (std::holds_alternative<wire::Goodbye>(message)) {
        m_turns->onGoodbye(place, rank);
    } else if (std::holds_alternative<wire::StepBatch>(message)) {
        m_mayBeginBehind = m_mayBeginBehind || (isNewest && place == 0);
    } else {
        return;
    }
    if (isBehind()) {
        beginBehind();
    }
}

void RunQueue::onStatus(RunJob* job, std::size_t place, RunStatus status, const QString& message)
{
    m_board->update(job->record(), job->isRefused());
    if (m_turns && !analysis::isFinal(status)) {
        m_turns->setPaused(place, status == RunStatus::Paused);
    }
    Q_EMIT statusChanged(job->id(), status, message);
}

void RunQueue::onJobEnded(RunJob* job, std::size_t place)
{
    std::erase(m_jobs, job);
    m_board->update(job->record(), job->isRefused());
    if (job->record().status == RunStatus::Finished) {
        m_board->setReach(job->id(), FailureReach::Itself); // it did not fail for another's reason after all
    }
    Q_EMIT runEnded(job->id());
    job->deleteLater();
    if (m_turns) {
        m_places.at(place) = nullptr;
        m_turns->onEnded(place, job->record().status);
        m_mayBeginBehind = m_mayBeginBehind || place + 1 == m_places.size();
        if (isBehind()) {
            beginBehind();
        }
    }
    if (m_jobs.empty()) {
        beginNext();
    }
}

RunJob* RunQueue::find(const RunId& id) const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [&id](const RunJob* job) { return job->id() == id; });
    return found == m_jobs.end() ? nullptr : *found;
}

Result<store::RunStore*> RunQueue::openStore()
{
    if (!m_store) {
        LOCKSTEP_TRY_ASSIGN(m_store, store::RunStore::open(m_options.storeFolder));
    }
    return m_store.get();
}

void RunQueue::send(const RunId& id, const wire::Control& control)
{
    if (RunJob* job = find(id)) {
        job->send(control);
    }
}

void RunQueue::stop(const RunId& id)
{
    if (RunJob* job = find(id)) {
        job->stop(m_options.stopTimeout);
        return;
    }
    const auto waiting = std::find_if(
        m_waiting.begin(), m_waiting.end(), [&id](const RunJob::Setup& each) { return each.record.id == id; });
    if (waiting != m_waiting.end()) {
        RunJob::Setup setup = std::move(*waiting);
        const bool wasNext = setup.comparison == m_quietFor;
        m_waiting.erase(waiting);
        drop(std::move(setup));
        if (m_turns && !isBehind()) {
            m_turns->allAdded();
        }
        if (wasNext) {
            cancelQuiet();
        }
    }
}

void RunQueue::stopAll(std::chrono::milliseconds patience)
{
    while (!m_waiting.empty()) {
        RunJob::Setup setup = std::move(m_waiting.front());
        m_waiting.pop_front();
        drop(std::move(setup));
    }
    cancelQuiet();
    for (RunJob* job : std::vector<RunJob*>(m_jobs)) {
        job->stop(patience);
    }
}

void RunQueue::killAll()
{
    stopAll(m_options.stopTimeout);
    for (RunJob* job : std::vector<RunJob*>(m_jobs)) {
        job->kill();
    }
}

/// Runs that are alive meanwhile find out themselves, but only the first message counts.
std::size_t RunQueue::keepBack(const RunJob& failed)
{
    const auto behind = std::stable_partition(m_waiting.begin(), m_waiting.end(),
        [&failed](const RunJob::Setup& each) { return !failed.concerns(each.record.spec); });
    std::vector<RunJob::Setup> dropped(std::make_move_iterator(behind), std::make_move_iterator(m_waiting.end()));
    m_waiting.erase(behind, m_waiting.end());
    for (RunJob::Setup& each : dropped) {
        m_board->setReach(each.record.id, FailureReach::FromAnother);
        drop(std::move(each));
    }
    bool concernsOthers = !dropped.empty();
    for (const RunJob* job : m_jobs) {
        if (job != &failed && failed.concerns(job->record().spec)) {
            concernsOthers = true;
            m_board->setReach(job->id(), FailureReach::FromAnother);
        }
    }
    const bool isItsOwn = !failed.concerns(failed.record().spec);
    if (isItsOwn || m_board->reach(failed.id()) != FailureReach::FromAnother) {
        m_board->setReach(failed.id(), concernsOthers ? FailureReach::Others : FailureReach::Itself);
    }
    if (m_turns && !dropped.empty() && !isBehind()) {
        m_turns->allAdded();
    }
    return dropped.size();
}

void RunQueue::drop(RunJob::Setup setup)
{
    setup.record.status = RunStatus::Stopped;
    setup.record.message = analysis::StoppedBeforeStart;
    m_board->update(setup.record, false);
    auto delta = std::make_shared<store::Delta>();
    delta->statuses.push_back({RunStatus::Stopped, setup.record.message, wallNs()});
    setup.feed->publish(std::move(delta));
    Q_EMIT statusChanged(setup.record.id, RunStatus::Stopped, QString::fromStdString(setup.record.message));
    Q_EMIT runEnded(setup.record.id);
}

} // namespace lockstep::launch
