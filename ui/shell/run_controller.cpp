#include "ui/shell/run_controller.h"

#include "experiment/choices.h"
#include "session/store/checkpoints.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using analysis::RunStatus;

namespace {

constexpr int TickMilliseconds = 33;
constexpr int TableEveryTicks = 8; ///< the table's figures follow four times a second
constexpr int QuietTicks = 60; ///< a replay that has given nothing for two seconds is through

} // namespace

RunController::RunController(const QString& storeFolder, QObject* parent)
    : QObject(parent)
    , m_worker(storeFolder)
    , m_table(this)
    , m_log(this)
{
    qRegisterMetaType<lockstep::analysis::RunStatus>("lockstep::analysis::RunStatus");
    m_tick.setInterval(TickMilliseconds);
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, &RunController::tick);
    connect(&m_worker, &StoreWorker::listed, this, &RunController::listed);
    connect(&m_worker, &StoreWorker::failed, this, &RunController::storeFailed);
    connect(&m_worker, &StoreWorker::removed, this, [this](const RunId& id) {
        const analysis::RunRecord* record = m_table.record(id);
        const QString name = record == nullptr ? QString() : runName(*record);
        hideRun(id);
        m_table.removeRun(id);
        Q_EMIT runRemoved(id, name);
    });
    connect(&m_table, &RunsTableModel::showRequested, this, &RunController::showRun);
    connect(&m_table, &RunsTableModel::hideRequested, this, &RunController::hideRun);
    connect(&m_table, &RunsTableModel::renameRequested, this, &RunController::rename);
}

RunController::~RunController()
{
    m_tick.stop();
    // Live sources end before the session that feeds them.
    m_shown.clear();
}

void RunController::open(session::SessionOptions options)
{
    options.storeFolder = m_worker.folder();
    m_session = std::make_unique<session::Session>(options);
    connect(m_session.get(), &session::Session::statusChanged, this, &RunController::statusChanged);
    connect(m_session.get(), &session::Session::runEnded, this, [this](const RunId& id) {
        if (Shown* shown = find(id)) {
            shown->feed->pull();
            shown->isBehind = false;
        }
        m_table.upsert(m_session->record(id));
        Q_EMIT runEnded(id);
        Q_EMIT stateChanged();
    });
    connect(m_session.get(), &session::Session::allEnded, this, &RunController::stateChanged);
    m_worker.open();
}

void RunController::setPalette(PaletteName palette)
{
    m_palette = palette;
    const auto& colors = variantColors(palette);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        RunFeed& feed = *m_shown[i].feed;
        feed.setColor(colors[i % colors.size()]);
        m_table.setShown(feed.id(), feed.color());
    }
    Q_EMIT feedsChanged();
}

void RunController::start(const std::vector<experiment::RunSpec>& runs)
{
    if (m_session == nullptr || runs.empty()) {
        return;
    }
    // A new comparison starts on a clean sheet; earlier runs can be ticked again in the table.
    for (const Shown& shown : m_shown) {
        m_table.setHidden(shown.feed->id());
    }
    m_shown.clear();
    m_log.clear();
    m_batch = m_session->start(runs);
    std::map<std::string, QColor> colorOf;
    const auto& colors = variantColors(m_palette);
    for (const RunId& id : m_batch) {
        analysis::RunRecord record = m_session->record(id);
        const auto color = colorOf.try_emplace(record.spec.name, colors[colorOf.size() % colors.size()]).first->second;
        m_table.upsert(record);
        addFeed(std::make_unique<RunFeed>(std::move(record), m_session->liveSource(id)), color, true);
    }
    Q_EMIT feedsChanged();
    Q_EMIT stateChanged();
    updateTick();
}

void RunController::addFeed(std::unique_ptr<RunFeed> feed, const QColor& color, bool isLive)
{
    feed->setColor(color);
    RunFeed* added = feed.get();
    connect(added, &RunFeed::advanced, this,
        [this, added](const session::DeltaPtr& delta) { m_log.append(added->id(), added->displayName(), *delta); });
    m_table.setShown(added->id(), color);
    // Drawn and listed in the order in which the runs were started, in whatever order they were ticked.
    const auto place = std::find_if(m_shown.begin(), m_shown.end(),
        [added](const Shown& shown) { return shown.feed->record().createdNs > added->record().createdNs; });
    m_shown.insert(place, {std::move(feed), isLive, false, 0});
}

void RunController::togglePause()
{
    const RunFeed* feed = currentFeed();
    if (m_session == nullptr || feed == nullptr) {
        return;
    }
    const bool isPaused = m_session->record(feed->id()).status == RunStatus::Paused;
    send({isPaused ? wire::Command::Resume : wire::Command::Pause});
}

void RunController::send(const wire::Control& control)
{
    const RunFeed* feed = currentFeed();
    if (m_session != nullptr && feed != nullptr) {
        m_session->send(feed->id(), control);
    }
}

void RunController::goOn(const RunId& id)
{
    const analysis::RunRecord* record = m_table.record(id);
    if (m_session == nullptr || record == nullptr || isBusy()) {
        return;
    }
    const auto spec = session::goingOn(m_worker.folder(), *record);
    if (!spec) {
        Q_EMIT storeFailed(QString::fromStdString(spec.error().message));
        return;
    }
    start({*spec});
    showRun(id);
}

void RunController::stopAll()
{
    if (m_session != nullptr) {
        m_session->stopAll();
    }
}

bool RunController::isBusy() const
{
    return m_session != nullptr && m_session->isBusy();
}

void RunController::showRun(const RunId& id)
{
    const analysis::RunRecord* record = m_table.record(id);
    if (record == nullptr || find(id) != nullptr) {
        return;
    }
    addFeed(
        std::make_unique<RunFeed>(*record, session::replaySource(m_worker.folder(), id)), freeColor(*record), false);
    Q_EMIT feedsChanged();
    updateTick();
}

void RunController::hideRun(const RunId& id)
{
    const auto shown = std::find_if(m_shown.begin(), m_shown.end(), [&](const Shown& s) { return s.feed->id() == id; });
    if (shown == m_shown.end()) {
        return;
    }
    m_table.setHidden(id);
    // A live run goes on being received, only unseen; its feed is the only reader of its source.
    if (shown->isLive && isBusy()) {
        shown->feed->setVisible(false);
        Q_EMIT feedsChanged();
        return;
    }
    const std::unique_ptr<RunFeed> gone = std::move(shown->feed);
    m_shown.erase(shown);
    m_log.removeRun(id);
    Q_EMIT feedsChanged();
}

void RunController::rename(const RunId& id, const QString& label)
{
    m_worker.rename(id, label);
}

void RunController::remove(const RunId& id)
{
    m_worker.remove(id);
}

void RunController::restore(const RunId& id)
{
    m_worker.restore(id);
}

std::vector<RunFeed*> RunController::feeds() const
{
    std::vector<RunFeed*> feeds;
    for (const Shown& shown : m_shown) {
        feeds.push_back(shown.feed.get());
    }
    return feeds;
}

RunFeed* RunController::currentFeed() const
{
    RunFeed* last = nullptr;
    for (const RunId& id : m_batch) {
        for (const Shown& shown : m_shown) {
            if (shown.feed->id() != id) {
                continue;
            }
            const RunStatus status = m_session->record(id).status;
            if (status == RunStatus::Queued) {
                return last == nullptr ? shown.feed.get() : last;
            }
            last = shown.feed.get();
            if (!analysis::isFinal(status)) {
                return last;
            }
        }
    }
    return last;
}

BatchProgress RunController::progress() const
{
    BatchProgress progress;
    progress.count = static_cast<int>(m_batch.size());
    for (int i = 0; i < progress.count; ++i) {
        const analysis::RunRecord record = m_session->record(m_batch[static_cast<std::size_t>(i)]);
        if (analysis::isFinal(record.status)) {
            progress.done += 1.0 / progress.count;
            continue;
        }
        if (progress.number == 0) {
            progress.number = i + 1;
            progress.name = runName(record);
            progress.status = record.status;
            const bool hasEpochs = !is(record.spec, experiment::Strategy::Collectives) && record.spec.integer("train.steps") == 0;
            progress.epochs = hasEpochs ? record.spec.integer("train.epochs") : 0;
            for (const Shown& shown : m_shown) {
                if (shown.feed->id() == record.id) {
                    const double part = shown.feed->progress();
                    progress.part = std::isnan(part) ? 0.0 : part;
                    progress.done += progress.part / progress.count;
                    progress.secondsLeft = shown.feed->secondsLeft();
                    const auto& epoch = shown.feed->loss().epoch;
                    progress.epoch = epoch.empty() ? 0.0 : epoch.back();
                }
            }
        }
    }
    return progress;
}

void RunController::tick()
{
    bool isNew = false;
    ++m_ticks;
    for (Shown& shown : m_shown) {
        const bool came = shown.feed->pull();
        isNew = isNew || came;
        shown.quietTicks = came ? 0 : shown.quietTicks + 1;
        shown.isBehind = shown.isBehind || (came && shown.isLive);
        if (shown.isBehind && m_ticks % TableEveryTicks == 0) {
            m_table.upsert(shown.feed->record());
            shown.isBehind = false;
        }
    }
    if (isNew) {
        Q_EMIT ticked();
    }
    updateTick();
}

void RunController::updateTick()
{
    const bool isReading
        = std::any_of(m_shown.begin(), m_shown.end(), [](const Shown& shown) { return shown.quietTicks < QuietTicks; });
    if (isBusy() || isReading) {
        if (!m_tick.isActive()) {
            m_tick.start();
        }
    } else {
        m_tick.stop();
    }
}

RunController::Shown* RunController::find(const RunId& id)
{
    const auto shown = std::find_if(m_shown.begin(), m_shown.end(), [&](const Shown& s) { return s.feed->id() == id; });
    return shown == m_shown.end() ? nullptr : &*shown;
}

QColor RunController::freeColor(const analysis::RunRecord& record) const
{
    const auto& colors = variantColors(m_palette);
    const auto isUsed = [this](const QColor& color) {
        return std::any_of(
            m_shown.begin(), m_shown.end(), [&](const Shown& shown) { return shown.feed->color() == color; });
    };
    // A variant keeps the colour of its place in the preset where that is free.
    if (const auto preset = experiment::preset(record.spec.experiment)) {
        for (std::size_t i = 0; i < preset.value().variants.size(); ++i) {
            if (preset.value().variants[i].name == record.spec.name && !isUsed(colors[i % colors.size()])) {
                return colors[i % colors.size()];
            }
        }
    }
    const auto free = std::find_if(colors.begin(), colors.end(), [&](const QColor& color) { return !isUsed(color); });
    return free == colors.end() ? colors[m_shown.size() % colors.size()] : *free;
}

void RunController::listed(const Records& records)
{
    std::vector<analysis::RunRecord> all = *records;
    // What this session has in hand is newer than what the index says.
    for (analysis::RunRecord& record : all) {
        if (std::find(m_batch.begin(), m_batch.end(), record.id) != m_batch.end()) {
            const std::string label = record.label;
            record = m_session->record(record.id);
            record.label = label;
        }
    }
    for (auto id = m_batch.rbegin(); id != m_batch.rend(); ++id) {
        const bool isListed = std::any_of(all.begin(), all.end(), [&](const auto& r) { return r.id == *id; });
        if (!isListed && !analysis::isFinal(m_session->record(*id).status)) {
            all.insert(all.begin(), m_session->record(*id));
        }
    }
    m_table.setRecords(std::move(all));
    Q_EMIT recordsListed();
    Q_EMIT stateChanged();
}

void RunController::statusChanged(const RunId& id, RunStatus status, const QString& message)
{
    m_table.upsert(m_session->record(id));
    if (Shown* shown = find(id)) {
        shown->quietTicks = 0;
    }
    updateTick();
    if (status == RunStatus::Failed) {
        Q_EMIT runFailed(id, runName(m_session->record(id)), message);
    }
    Q_EMIT stateChanged();
}

} // namespace lockstep::ui
