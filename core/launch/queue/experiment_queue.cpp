#include "launch/queue/experiment_queue.h"

#include "base/clock.h"
#include "launch/queue/missing_runs.h"
#include "launch/trust.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::launch {

namespace {

/// Whether all runs of an entry had ended when its process did.
Result<bool> isOver(const QString& folder, const QueueEntry& entry)
{
    LOCKSTEP_TRY_ASSIGN(const auto missing, missingRuns(folder, entry));
    return missing.empty();
}

} // namespace

Result<std::unique_ptr<ExperimentQueue>> ExperimentQueue::open(const QString& storeFolder)
{
    const QString folder = QFileInfo(storeFolder).absoluteFilePath();
    LOCKSTEP_TRY_ASSIGN(auto lock, QueueLock::tryLock(folder));
    if (!lock) {
        return std::unique_ptr<ExperimentQueue>();
    }
    LOCKSTEP_TRY_ASSIGN(auto rows, QueueRows::open(folder));
    std::unique_ptr<ExperimentQueue> queue(new ExperimentQueue(folder, std::move(lock), std::move(rows)));
    LOCKSTEP_TRY(queue->load());
    return queue;
}

Result<void> ExperimentQueue::load()
{
    LOCKSTEP_TRY_ASSIGN(m_state, m_rows->load());
    for (auto entry = m_state.entries.begin(); entry != m_state.entries.end();) {
        if (entry->state != EntryState::Running) {
            ++entry;
            continue;
        }
        LOCKSTEP_TRY_ASSIGN(const bool isDone, isOver(m_folder, *entry));
        if (isDone) {
            LOCKSTEP_TRY(m_rows->remove({&entry->id, 1}));
            entry = m_state.entries.erase(entry);
            continue;
        }
        entry->state = EntryState::Interrupted;
        entry->isPaused = false;
        LOCKSTEP_TRY(m_rows->write(*entry));
        ++entry;
    }
    return {};
}

Result<QueueEntry*> ExperimentQueue::found(std::int64_t id)
{
    const auto entry = std::ranges::find(m_state.entries, id, &QueueEntry::id);
    if (entry == m_state.entries.end()) {
        return failure(LS_TR("Messages", "queue: there is no entry %1; lockstep queue list shows them"), {id});
    }
    return &*entry;
}

QueueEntry* ExperimentQueue::active()
{
    const auto entry = std::ranges::find_if(m_state.entries, &QueueEntry::isActive);
    return entry == m_state.entries.end() ? nullptr : &*entry;
}

Result<std::int64_t> ExperimentQueue::add(
    const std::string& name, const std::vector<experiment::RunSpec>& runs, Begin begin)
{
    QueueEntry entry{.name = name};
    for (const experiment::RunSpec& run : runs) {
        entry.runs.push_back({withAbsolutePaths(run)});
    }
    LOCKSTEP_TRY_ASSIGN(entry.id, m_rows->add(entry));
    const std::int64_t id = entry.id;
    m_state.entries.push_back(std::move(entry));
    if (begin == Begin::AtOnce && m_session && active() == nullptr) {
        if (const auto begun = this->begin(m_state.entries.back()); !begun) {
            LOCKSTEP_TRY(remove(id));
            return begun.error();
        }
    } else {
        beginNext();
    }
    Q_EMIT changed();
    return id;
}

/// `index` counts all entries.
Result<void> ExperimentQueue::place(std::int64_t id, std::size_t index)
{
    std::vector<QueueEntry> entries = m_state.entries;
    const auto from = std::ranges::find(entries, id, &QueueEntry::id);
    QueueEntry moved = std::move(*from);
    entries.erase(from);
    entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(std::min(index, entries.size())), std::move(moved));
    std::vector<std::int64_t> order;
    std::ranges::transform(entries, std::back_inserter(order), &QueueEntry::id);
    LOCKSTEP_TRY(m_rows->setOrder(order));
    m_state.entries = std::move(entries);
    return {};
}

Result<void> ExperimentQueue::move(std::int64_t id, std::int64_t to)
{
    LOCKSTEP_TRY_ASSIGN(const QueueEntry* entry, found(id));
    if (entry->isActive() || to < 0) {
        return entry->isActive()
            ? failure(LS_TR("Messages", "queue: entry %1 is already running and cannot be moved"), {id})
            : failure(LS_TR("Messages", "queue: %1 is not a position in the queue"), {to});
    }
    LOCKSTEP_TRY(place(id, static_cast<std::size_t>(to) + (active() == nullptr ? 0 : 1)));
    Q_EMIT changed();
    return {};
}

Result<void> ExperimentQueue::remove(std::int64_t id)
{
    LOCKSTEP_TRY_ASSIGN(const QueueEntry* entry, found(id));
    if (entry->isActive()) {
        return failure(
            LS_TR("Messages", "queue: entry %1 is running; stop ends it and takes it out of the queue"), {id});
    }
    LOCKSTEP_TRY(m_rows->remove({&id, 1}));
    std::erase_if(m_state.entries, [id](const QueueEntry& each) { return each.id == id; });
    Q_EMIT changed();
    return {};
}

Result<void> ExperimentQueue::clear()
{
    std::vector<std::int64_t> ids;
    for (const QueueEntry& entry : m_state.entries) {
        if (!entry.isActive()) {
            ids.push_back(entry.id);
        }
    }
    LOCKSTEP_TRY(m_rows->remove(ids));
    std::erase_if(m_state.entries, [](const QueueEntry& entry) { return !entry.isActive(); });
    Q_EMIT changed();
    return {};
}

Result<void> ExperimentQueue::setPaused(QueueEntry& entry, bool isPaused)
{
    QueueEntry written = entry;
    written.isPaused = isPaused;
    if (entry.state != EntryState::Stopping) {
        LOCKSTEP_TRY(m_rows->write(written));
    }
    entry = std::move(written);
    pauseRuns(entry);
    return {};
}

Result<void> ExperimentQueue::pause(std::optional<std::int64_t> id)
{
    QueueEntry* entry = active();
    if (id) {
        LOCKSTEP_TRY_ASSIGN(entry, found(*id));
        if (entry->state == EntryState::Interrupted || entry->state == EntryState::Damaged) {
            return failure(LS_TR("Messages", "queue: entry %1 is not running and would not start by itself"), {*id});
        }
    } else {
        LOCKSTEP_TRY(m_rows->setPaused(true));
        m_state.isPaused = true;
    }
    if (entry != nullptr) {
        LOCKSTEP_TRY(setPaused(*entry, true));
    }
    Q_EMIT changed();
    return {};
}

Result<void> ExperimentQueue::resume(std::optional<std::int64_t> id)
{
    QueueEntry* entry = active();
    m_isInterrupted = m_isInterrupted && entry != nullptr; // the end that it was interrupted for did not come
    if (id) {
        LOCKSTEP_TRY_ASSIGN(entry, found(*id));
        if (entry->state == EntryState::Damaged) {
            return failure(
                LS_TR("Messages", "queue: entry %1: %2; remove takes it out of the queue"), {*id, entry->problem});
        }
    } else {
        LOCKSTEP_TRY(m_rows->setPaused(false));
        m_state.isPaused = false;
    }
    if (entry != nullptr) {
        const bool wasInterrupted = entry->state == EntryState::Interrupted;
        entry->state = wasInterrupted ? EntryState::Waiting : entry->state;
        entry->problem = {};
        LOCKSTEP_TRY(setPaused(*entry, false));
        if (wasInterrupted) {
            LOCKSTEP_TRY(place(entry->id, active() == nullptr ? 0 : 1));
        }
    }
    beginNext();
    Q_EMIT changed();
    return {};
}

Result<void> ExperimentQueue::stop(std::optional<std::int64_t> id)
{
    QueueEntry* entry = active();
    if (id) {
        LOCKSTEP_TRY_ASSIGN(entry, found(*id));
        if (!entry->isActive()) {
            return failure(
                LS_TR("Messages", "queue: entry %1 is not running; remove takes it out of the queue"), {*id});
        }
    } else if (m_state.entries.size() > (entry == nullptr ? 0U : 1U)) {
        LOCKSTEP_TRY(m_rows->setPaused(true));
        m_state.isPaused = true;
    }
    if (entry != nullptr && entry->state == EntryState::Running) {
        LOCKSTEP_TRY(m_rows->remove({&entry->id, 1}));
        entry->state = EntryState::Stopping;
        m_session->stopAll();
    }
    Q_EMIT changed();
    return {};
}

void ExperimentQueue::carryOut(Session& session, Check check)
{
    m_session = &session;
    m_check = std::move(check);
    connect(&session, &Session::allEnded, this, [this] {
        if (!m_session->isBusy()) { // else that of an entry before
            endActive();
        }
    });
    connect(&session, &Session::statusChanged, this, [this](const RunId& id, analysis::RunStatus status) {
        const QueueEntry* entry = active();
        const bool isOurs = std::ranges::find(m_active, id) != m_active.end();
        if (entry != nullptr && entry->isPaused && isOurs && status == analysis::RunStatus::Starting) {
            m_session->send(id, {wire::Command::Pause}); // it begins in an entry that is paused
        }
    });
    beginNext();
}

void ExperimentQueue::pauseRuns(const QueueEntry& entry)
{
    if (!entry.isActive() || !m_session) {
        return;
    }
    for (const RunId& id : m_active) {
        m_session->send(id, {entry.isPaused ? wire::Command::Pause : wire::Command::Resume});
    }
}

void ExperimentQueue::beginNext()
{
    while (m_session && !m_isInterrupted) {
        const QueueEntry* next = m_state.next();
        if (next == nullptr) {
            break;
        }
        QueueEntry& entry = **found(next->id);
        if (const auto begun = begin(entry); !begun) {
            entry.isPaused = true; // else it would be tried again without an end
            entry.problem = begun.error();
            if (!m_rows->write(entry)) {
                break;
            }
            Q_EMIT changed();
        }
    }
    if (m_session && active() == nullptr) {
        Q_EMIT idle();
    }
}

Result<void> ExperimentQueue::begin(QueueEntry& entry)
{
    LOCKSTEP_TRY_ASSIGN(const auto missing, missingRuns(m_folder, entry));
    std::vector<experiment::RunSpec> specs;
    std::vector<RunId> ids;
    QueueEntry running = entry;
    const std::int64_t seconds = wallNs() / 1'000'000'000;
    Trust trust;
    for (const MissingRun& run : missing) {
        if (run.resumes) {
            static_cast<void>(trust.add(checkpointRisks(run.spec)).isOk()); // what cannot be kept is asked again
        }
        RunId id;
        do {
            id = makeRunId(seconds, QRandomGenerator::global()->generate());
        } while (std::ranges::find(ids, id) != ids.end());
        running.runs[run.place].id = id;
        ids.push_back(id);
        specs.push_back(run.spec);
    }
    std::vector<experiment::RunSpec> asked;
    std::ranges::copy_if(specs, std::back_inserter(asked), [](const auto& spec) { return !spec.isConfirmed; });
    if (const auto open = trust.uncovered(asked); !open.empty()) {
        return failure(LS_TR("Messages", "%1; confirm it by running the experiment once"), {open.front().text()});
    }
    if (m_check) {
        LOCKSTEP_TRY(m_check(specs));
    }
    confirm(specs);
    running.state = EntryState::Running;
    running.problem = {};
    // A crash from here on finds these ids: whether a run was started, its file in the store shows.
    LOCKSTEP_TRY(m_rows->write(running));
    const std::int64_t id = entry.id;
    entry = std::move(running);
    static_cast<void>(place(id, 0).isOk()); // the order of what waits is the same either way
    m_active = m_session->start(specs, ids);
    Q_EMIT began(id);
    if (m_active.empty()) {
        endActive();
    }
    return {};
}

void ExperimentQueue::endActive()
{
    QueueEntry* entry = active();
    if (entry == nullptr) {
        return;
    }
    const std::int64_t id = entry->id;
    m_active.clear();
    if (m_isInterrupted && entry->state == EntryState::Running) {
        entry->state = EntryState::Interrupted;
        static_cast<void>(m_rows->write(*entry).isOk()); // else the next start finds it running, and does the same
    } else {
        // A row that stays is found over at the next start.
        static_cast<void>(m_rows->remove({&id, 1}).isOk());
        std::erase_if(m_state.entries, [id](const QueueEntry& each) { return each.id == id; });
    }
    Q_EMIT ended(id);
    beginNext();
    Q_EMIT changed();
}

void ExperimentQueue::interrupt()
{
    m_isInterrupted = true;
    if (m_session && active() != nullptr) {
        m_session->stopAll();
    } else {
        Q_EMIT idle();
    }
}

} // namespace lockstep::launch
