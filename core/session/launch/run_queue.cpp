#include "session/launch/run_queue.h"

#include "base/clock.h"

#include <algorithm>

namespace lockstep::session {

using analysis::RunStatus;

void RunBoard::add(const analysis::RunRecord& record, std::shared_ptr<LiveFeed> feed)
{
    const std::scoped_lock lock(m_mutex);
    m_entries.insert_or_assign(record.id, Entry{record, std::move(feed), false});
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

bool RunBoard::isBusy() const
{
    const std::scoped_lock lock(m_mutex);
    return std::any_of(m_entries.begin(), m_entries.end(),
        [](const auto& each) { return !analysis::isFinal(each.second.record.status); });
}

RunQueue::RunQueue(SessionOptions options, std::shared_ptr<RunBoard> board)
    : m_options(std::move(options))
    , m_board(std::move(board))
{ }

void RunQueue::enqueue(std::vector<RunJob::Setup> jobs)
{
    for (RunJob::Setup& job : jobs) {
        Q_EMIT statusChanged(job.record.id, RunStatus::Queued, {});
        m_waiting.push_back(std::move(job));
    }
    if (m_current == nullptr) {
        beginNext();
    }
}

void RunQueue::beginNext()
{
    if (m_waiting.empty()) {
        m_current = nullptr;
        Q_EMIT allEnded();
        return;
    }
    if (m_monitor == nullptr && m_options.sampleEvery.count() > 0) {
        m_monitor = new MachineMonitor(m_options.sampleEvery, this);
    }
    m_waiting.front().monitor = m_monitor;
    m_current = new RunJob(std::move(m_waiting.front()), this);
    m_waiting.pop_front();
    RunJob* job = m_current;
    connect(job, &RunJob::statusChanged, this, [this, job](RunStatus status, const QString& message) {
        m_board->update(job->record(), job->isRefused());
        Q_EMIT statusChanged(job->id(), status, message);
    });
    connect(job, &RunJob::ended, this, &RunQueue::onJobEnded);
    job->begin([this] { return openStore(); });
}

void RunQueue::onJobEnded()
{
    RunJob* job = std::exchange(m_current, nullptr);
    m_board->update(job->record(), job->isRefused());
    Q_EMIT runEnded(job->id());
    job->deleteLater();
    beginNext();
}

Result<RunStore*> RunQueue::openStore()
{
    if (!m_store) {
        LOCKSTEP_TRY_ASSIGN(m_store, RunStore::open(m_options.storeFolder));
    }
    return m_store.get();
}

void RunQueue::send(const RunId& id, const wire::Control& control)
{
    if (m_current != nullptr && m_current->id() == id) {
        m_current->send(control);
    }
}

void RunQueue::stop(const RunId& id)
{
    if (m_current != nullptr && m_current->id() == id) {
        m_current->stop(m_options.stopTimeout);
        return;
    }
    const auto waiting = std::find_if(
        m_waiting.begin(), m_waiting.end(), [&id](const RunJob::Setup& each) { return each.record.id == id; });
    if (waiting != m_waiting.end()) {
        RunJob::Setup setup = std::move(*waiting);
        m_waiting.erase(waiting);
        drop(std::move(setup));
    }
}

void RunQueue::stopAll(std::chrono::milliseconds patience)
{
    while (!m_waiting.empty()) {
        RunJob::Setup setup = std::move(m_waiting.front());
        m_waiting.pop_front();
        drop(std::move(setup));
    }
    if (m_current != nullptr) {
        m_current->stop(patience);
    }
}

void RunQueue::killAll()
{
    stopAll(m_options.stopTimeout);
    if (m_current != nullptr) {
        m_current->kill();
    }
}

void RunQueue::drop(RunJob::Setup setup)
{
    setup.record.status = RunStatus::Stopped;
    setup.record.message = "stopped before it started";
    m_board->update(setup.record, false);
    auto delta = std::make_shared<Delta>();
    delta->statuses.push_back({RunStatus::Stopped, setup.record.message, wallNs()});
    setup.feed->publish(std::move(delta));
    Q_EMIT statusChanged(setup.record.id, RunStatus::Stopped, QString::fromStdString(setup.record.message));
    Q_EMIT runEnded(setup.record.id);
}

} // namespace lockstep::session
