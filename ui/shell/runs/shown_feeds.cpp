#include "ui/shell/runs/shown_feeds.h"

#include "base/clock.h"
#include "ui/models/runs/log_model.h"
#include "ui/models/runs/runs_table_model.h"
#include "ui/models/runs/variant_looks.h"

#include <QThread>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <malloc.h>

namespace lockstep::ui {

namespace {

constexpr int TableEveryMs = 250;
constexpr int LongestReadMs = 8; ///< of a tick, for what was read of stored runs: the window stays alive beside them
constexpr int QuietTicks = 60; ///< a replay without data for two seconds is finished

template <typename List>
auto placeIn(List& list, const RunId& id)
{
    return std::ranges::find_if(list, [&id](const auto& shown) { return shown.feed->id() == id; });
}

/// In the first list that has this run; null: none has.
template <typename List, typename... Lists>
auto* withId(const RunId& id, List& first, Lists&... others)
{
    auto found = static_cast<decltype(&first.front())>(nullptr);
    const auto look = [&](auto& list) {
        const auto at = placeIn(list, id);
        found = found == nullptr && at != list.end() ? &*at : found;
    };
    look(first);
    (look(others), ...);
    return found;
}

bool hasEnded(const RunFeed& feed)
{
    return analysis::isFinal(feed.record().status);
}

/// Processes that train now.
template <typename List>
int ranksUnderWay(const List& list)
{
    int ranks = 0;
    for (const auto& shown : list) {
        const analysis::RunRecord& record = shown.feed->record();
        if (record.status == analysis::RunStatus::Running) {
            ranks = std::max(ranks, analysis::ranksOf(record)); // those of runs that take turns wait meanwhile
        }
    }
    return ranks;
}

void writeLog(RunFeed& feed, LogModel& log)
{
    QObject::connect(&feed, &RunFeed::advanced, &log,
        [&feed, &log](const store::DeltaPtr& delta) { log.append(feed.id(), feed.displayName(), *delta); });
}

} // namespace

ShownFeeds::ShownFeeds(RunsTableModel& table, LogModel& log, std::function<bool()> isBusy)
    : m_table(table)
    , m_log(log)
    , m_isBusy(std::move(isBusy))
    , m_pace(QThread::idealThreadCount())
{
    m_tick.setInterval(RedrawPace::ShortestMs);
    m_tick.setTimerType(Qt::PreciseTimer);
    connect(&m_tick, &QTimer::timeout, this, &ShownFeeds::tick);
    m_telling.setSingleShot(true); // soon
    connect(&m_telling, &QTimer::timeout, this, &ShownFeeds::tell);
    table.follow(m_runs);
}

void ShownFeeds::tell()
{
    m_telling.stop();
    std::vector<std::unique_ptr<RunFeed>> gone = std::exchange(m_gone, {});
    // Of all that is drawn, and what a replay hides: a replayed run looks like itself.
    std::vector<RunFeed*> feeds;
    std::vector<const analysis::RunRecord*> records;
    for (const std::vector<Shown>* each : {&m_aside, &m_shown}) {
        for (const Shown& shown : *each) {
            feeds.push_back(shown.feed.get());
            records.push_back(&shown.feed->record());
        }
    }
    const std::vector<Look> looks = looksOf(records, m_palette);
    for (std::size_t i = 0; i < feeds.size(); ++i) {
        feeds[i]->setLook(looks[i]);
        m_runs.setLook(feeds[i]->id(), looks[i]);
    }
    m_runs.tell();
    if (!gone.empty()) {
        gone.clear();
        malloc_trim(0); // their curves, in the arena of each thread that read them
    }
}

void ShownFeeds::add(Shown shown)
{
    shown.feed->setVisible(true);
    const auto before = std::ranges::find_if(
        m_shown, [&](const Shown& each) { return each.feed->record().createdNs > shown.feed->record().createdNs; });
    m_runs.add(shown.feed->id(), shown.feed->look(), static_cast<std::size_t>(before - m_shown.begin()));
    m_shown.insert(before, std::move(shown));
}

void ShownFeeds::begin(std::vector<std::unique_ptr<RunFeed>> feeds)
{
    keepOnly(m_runs.kept());
    for (Shown& received : m_received) {
        if (hasEnded(*received.feed)) {
            m_gone.push_back(std::move(received.feed));
        }
    }
    std::erase_if(m_received, [](const Shown& received) { return received.feed == nullptr; });
    for (std::unique_ptr<RunFeed>& feed : feeds) {
        writeLog(*feed, m_log);
        add({.feed = std::move(feed), .isLive = true});
    }
    tell();
    updateTick();
}

void ShownFeeds::addStored(std::unique_ptr<RunFeed> feed)
{
    endReplay();
    writeLog(*feed, m_log);
    add({.feed = std::move(feed)});
    m_telling.start();
    updateTick();
}

bool ShownFeeds::showAgain(const RunId& id)
{
    endReplay();
    if (const auto received = placeIn(m_received, id); received != m_received.end()) {
        Shown shown = std::move(*received);
        m_received.erase(received);
        add(std::move(shown));
        m_telling.start();
        return true;
    }
    RunFeed* feed = find(id);
    if (feed != nullptr && !feed->isVisible()) {
        feed->setVisible(true);
        m_runs.setSwitchedOff(id, false);
        m_telling.start();
    }
    return feed != nullptr;
}

void ShownFeeds::hide(const RunId& id)
{
    endReplay();
    if (placeIn(m_shown, id) != m_shown.end()) {
        drop(id);
        m_telling.start();
    } else if (const auto received = placeIn(m_received, id);
               received != m_received.end() && hasEnded(*received->feed)) {
        m_gone.push_back(std::move(received->feed));
        m_received.erase(received);
        m_log.removeRun(id);
        m_telling.start();
    }
}

void ShownFeeds::keepOnly(const std::vector<RunId>& ids)
{
    endReplay();
    std::vector<RunId> others;
    for (const Shown& shown : m_shown) {
        if (std::ranges::find(ids, shown.feed->id()) == ids.end()) {
            others.push_back(shown.feed->id());
        }
    }
    std::ranges::for_each(others, [this](const RunId& id) { drop(id); });
    if (!others.empty()) {
        m_telling.start();
    }
}

void ShownFeeds::keepShown(bool isOn)
{
    m_runs.keepShown(isOn);
    tell();
}

void ShownFeeds::toggle(const std::vector<RunId>& ids)
{
    std::vector<RunFeed*> toggled = inLegends();
    std::erase_if(toggled, [&](const RunFeed* feed) { return std::ranges::find(ids, feed->id()) == ids.end(); });
    const bool isShown = std::ranges::any_of(toggled, &RunFeed::isVisible);
    for (RunFeed* feed : toggled) {
        feed->setVisible(!isShown);
        if (!m_isReplaying) {
            m_runs.setSwitchedOff(feed->id(), isShown);
        }
    }
    tell();
}

void ShownFeeds::drop(const RunId& id)
{
    const auto shown = placeIn(m_shown, id);
    m_runs.remove(id);
    if (shown->isLive && m_isBusy() && !hasEnded(*shown->feed)) {
        m_received.push_back(std::move(*shown));
    } else {
        m_gone.push_back(std::move(shown->feed));
        m_log.removeRun(id);
    }
    m_shown.erase(shown);
}

void ShownFeeds::replay(std::vector<std::unique_ptr<RunFeed>> feeds)
{
    std::vector<Shown> former;
    (m_isReplaying ? former : m_aside) = std::exchange(m_shown, {});
    m_isReplaying = true;
    for (std::unique_ptr<RunFeed>& feed : feeds) {
        RunFeed* added = feed.get();
        writeLog(*added, m_log);
        if (const Shown* before = withId(added->id(), former, m_aside)) {
            added->setVisible(before->feed->isVisible());
        }
        m_log.removeRun(added->id());
        m_shown.push_back({.feed = std::move(feed)});
        added->pull();
    }
    tell();
    updateTick();
}

void ShownFeeds::endReplay()
{
    if (!m_isReplaying) {
        return;
    }
    m_isReplaying = false;
    m_isTicking = false;
    const std::vector<Shown> replayed = std::exchange(m_shown, std::exchange(m_aside, {}));
    for (const Shown& shown : replayed) {
        m_log.removeRun(shown.feed->id());
    }
    Q_EMIT replayEnded();
    tell();
    updateTick();
}

void ShownFeeds::setTicking(bool isOn)
{
    m_isTicking = isOn;
    updateTick();
}

void ShownFeeds::setLabel(const RunId& id, const QString& label)
{
    bool isHere = false;
    for (const std::vector<Shown>* each : {&m_shown, &m_aside, &m_received}) {
        if (const auto shown = placeIn(*each, id); shown != each->end()) {
            shown->feed->setLabel(label);
            isHere = true;
        }
    }
    if (isHere) {
        tell();
    }
}

void ShownFeeds::end()
{
    m_tick.stop();
    m_telling.stop();
    for (std::vector<Shown>* each : {&m_shown, &m_aside, &m_received}) {
        each->clear();
    }
    m_gone.clear();
}

void ShownFeeds::setPalette(PaletteName palette)
{
    m_palette = palette;
    tell();
}

void ShownFeeds::pullNow(const RunId& id)
{
    if (Shown* shown = withId(id, m_aside, m_shown, m_received)) {
        shown->feed->pull();
        shown->isBehind = false;
    }
}

void ShownFeeds::wake(const RunId& id)
{
    if (Shown* shown = withId(id, m_aside, m_shown, m_received)) {
        shown->quietTicks = 0;
    }
    updateTick();
}

RunFeed* ShownFeeds::find(const RunId& id) const
{
    const auto* shown = withId(id, m_aside, m_shown, m_received);
    return shown == nullptr ? nullptr : shown->feed.get();
}

std::vector<RunFeed*> ShownFeeds::list() const
{
    std::vector<RunFeed*> feeds = inLegends();
    std::erase_if(feeds, [](const RunFeed* feed) { return !feed->isVisible(); });
    return feeds;
}

std::vector<RunFeed*> ShownFeeds::inLegends() const
{
    std::vector<RunFeed*> feeds;
    std::ranges::transform(m_shown, std::back_inserter(feeds), [](const Shown& shown) { return shown.feed.get(); });
    return feeds;
}

void ShownFeeds::tick()
{
    bool isNew = false;
    const bool isTableDue = !m_sinceTable.isValid() || m_sinceTable.hasExpired(TableEveryMs);
    if (isTableDue) {
        m_sinceTable.start();
    }
    Q_EMIT aboutToTick();
    QElapsedTimer spent;
    spent.start();
    for (Shown* shown : inTurn()) {
        if (!shown->isLive && !m_isReplaying && spent.hasExpired(LongestReadMs)) {
            m_nextStored = shown->feed->id();
            break;
        }
        const bool came = shown->feed->pull();
        const bool isRead = !shown->isLive && !shown->feed->isReading();
        isNew = isNew || came || isRead != std::exchange(shown->isRead, isRead);
        shown->quietTicks = came ? 0 : shown->quietTicks + 1;
        shown->isBehind = shown->isBehind || (came && shown->isLive);
        if (shown->isBehind && isTableDue) {
            m_table.upsert(shown->feed->record());
            shown->isBehind = false;
        }
    }
    if (isNew) {
        Q_EMIT ticked();
    }
    const std::int64_t spentNs = threadProcessorNs();
    const int interval = m_pace.intervalMs(static_cast<double>(spentNs - std::exchange(m_spentNs, spentNs)) / 1e6,
        std::max(ranksUnderWay(m_isReplaying ? m_aside : m_shown), ranksUnderWay(m_received)));
    if (std::abs(interval - m_tick.interval()) * 10 > m_tick.interval()) { // setting it starts the interval again
        m_tick.setInterval(interval);
    }
    updateTick();
}

/// Live runs first; of stored ones, which may come in many ticks, the one at which the last tick stopped.
std::vector<ShownFeeds::Shown*> ShownFeeds::inTurn()
{
    std::vector<Shown*> turns;
    for (std::vector<Shown>* list : {&m_aside, &m_shown, &m_received}) {
        std::ranges::transform(*list, std::back_inserter(turns), [](Shown& shown) { return &shown; });
    }
    const auto stored
        = std::stable_partition(turns.begin(), turns.end(), [](const Shown* shown) { return shown->isLive; });
    const auto next
        = std::find_if(stored, turns.end(), [this](const Shown* shown) { return shown->feed->id() == m_nextStored; });
    std::rotate(stored, next, turns.end());
    return turns;
}

void ShownFeeds::updateTick()
{
    const auto isRead = [](const Shown& shown) { return shown.quietTicks < QuietTicks || shown.feed->isReading(); };
    const bool isReading = std::ranges::any_of(m_shown, isRead) || std::ranges::any_of(m_aside, isRead);
    if (m_isBusy() || isReading || m_isTicking) {
        if (!m_tick.isActive()) {
            m_spentNs = threadProcessorNs();
            m_tick.start();
        }
    } else {
        m_tick.stop();
    }
}

} // namespace lockstep::ui
