#include "ui/shell/runs/window_queue.h"

#include "language/wording.h"
#include "ui/models/form/titles.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::ui {

using launch::EntryState;
using launch::QueueEntry;

void WindowQueue::open(const QString& storeFolder, launch::Session& session)
{
    m_link = std::make_unique<launch::QueueLink>(storeFolder, session);
    connect(m_link.get(), &launch::QueueLink::began, this, [this] { Q_EMIT began(m_link->ownRuns()); });
    connect(m_link.get(), &launch::QueueLink::changed, this, [this] {
        follow();
        Q_EMIT changed();
    });
    connect(m_link.get(), &launch::QueueLink::failed, this,
        [this](const Text& why) { Q_EMIT failed(QString::fromStdString(language::worded(why))); });
    m_link->open();
}

const launch::QueueState& WindowQueue::state() const
{
    static const launch::QueueState none;
    return m_link == nullptr ? none : m_link->state();
}

int WindowQueue::waiting() const
{
    return static_cast<int>(std::ranges::count(state().entries, EntryState::Waiting, &QueueEntry::state));
}

void WindowQueue::add(const std::vector<experiment::RunSpec>& runs)
{
    if (m_link == nullptr) {
        return;
    }
    const int before = waiting() + (isBusy() ? 1 : 0);
    const std::string& experiment = runs.front().experiment;
    const std::int64_t id = m_link->add(experiment, runs, !isBusy());
    if (id == 0 && isOwner()) {
        return; // it was refused
    }
    const QueueEntry* entry = state().find(id);
    const bool waits = !isOwner() || entry == nullptr || entry->state == EntryState::Waiting;
    if (before > 0 && waits) {
        Q_EMIT queued(experimentTitle(runs.front()), before);
    }
}

void WindowQueue::change(const QString& what, qint64 id, qint64 place)
{
    if (m_link == nullptr) {
        return;
    }
    nlohmann::ordered_json request{{"do", what.toStdString()}, {"to", place}};
    if (id != 0) {
        request["id"] = id;
    }
    m_link->request(request);
}

void WindowQueue::togglePause()
{
    if (const QueueEntry* active = state().active()) {
        change(active->isPaused ? QStringLiteral("resume") : QStringLiteral("pause"), active->id, 0);
    }
}

void WindowQueue::stopActive()
{
    if (const QueueEntry* active = state().active()) {
        change(QStringLiteral("stop"), active->id, 0);
    }
}

void WindowQueue::stopAll()
{
    change(QStringLiteral("stop"), 0, 0);
}

void WindowQueue::interrupt(const std::function<void()>& done)
{
    if (m_link == nullptr) {
        done();
        return;
    }
    connect(m_link.get(), &launch::QueueLink::idle, this, done, Qt::SingleShotConnection);
    m_link->interrupt();
}

bool WindowQueue::resumeExperimentOf(const RunId& id)
{
    for (const QueueEntry& entry : state().entries) {
        const bool isOfIt = std::ranges::any_of(entry.runs, [&id](const auto& run) { return run.id == id; });
        if (isOfIt && entry.state == EntryState::Interrupted) {
            change(QStringLiteral("resume"), entry.id, 0);
            return true;
        }
    }
    return false;
}

void WindowQueue::follow()
{
    const QueueEntry* active = state().active();
    if (isOwner() || active == nullptr) {
        return;
    }
    std::vector<RunId> runs;
    for (const launch::QueuedRun& run : active->runs) {
        if (run.id) {
            runs.push_back(*run.id);
        }
    }
    Q_EMIT followed(runs);
}

} // namespace lockstep::ui
