#include "ui/shell/runs/shown_feeds.h"

#include "base/clock.h"
#include "ui/models/runs/log_model.h"
#include "ui/models/runs/runs_table_model.h"

#include <QThread>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int TableEveryMs = 250;
constexpr int LongestReadMs = 8; ///< of a tick, for what was read of stored runs: the window stays alive beside them
constexpr int QuietTicks = 60; ///< a replay without data for two seconds is finished

QColor colorAt(PaletteName palette, std::size_t place)
{
    const auto& colors = variantColors(palette);
    return colors[place % colors.size()];
}

/// In the first list that has this run.
template <typename List>
auto* withId(const RunId& id, List& first, List& second)
{
    for (List* list : {&first, &second}) {
        const auto found = std::ranges::find_if(*list, [&](const auto& shown) { return shown.feed->id() == id; });
        if (found != list->end()) {
            return &*found;
        }
    }
    return static_cast<decltype(&first.front())>(nullptr);
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
}

void ShownFeeds::tell()
{
    m_telling.stop();
    const std::vector<std::unique_ptr<RunFeed>> gone = std::exchange(m_gone, {});
    Q_EMIT changed();
}

void ShownFeeds::add(std::unique_ptr<RunFeed> feed, std::size_t place, bool isLive)
{
    const QColor color = colorAt(m_palette, place);
    feed->setColor(color);
    RunFeed* added = feed.get();
    connect(added, &RunFeed::advanced, this,
        [this, added](const store::DeltaPtr& delta) { m_log.append(added->id(), added->displayName(), *delta); });
    m_table.setShown(added->id(), color);
    // Drawn and listed in the order in which the runs were started, in whatever order they were ticked.
    const auto before = std::find_if(m_shown.begin(), m_shown.end(),
        [added](const Shown& shown) { return shown.feed->record().createdNs > added->record().createdNs; });
    m_shown.insert(before, {std::move(feed), isLive, false, 0, place});
}

void ShownFeeds::addLive(std::vector<std::unique_ptr<RunFeed>> feeds, const std::map<std::string, std::size_t>& places)
{
    endReplay();
    if (!feeds.empty()) {
        m_places.begin(feeds.front()->record().spec.experiment, places);
    }
    for (std::unique_ptr<RunFeed>& feed : feeds) {
        const std::size_t place = m_places.ofStarted(feed->record().spec, taken());
        add(std::move(feed), place, true);
    }
    tell();
    updateTick();
}

void ShownFeeds::addStored(std::unique_ptr<RunFeed> feed)
{
    endReplay();
    const std::size_t place = m_places.ofStored(feed->record().spec, taken());
    add(std::move(feed), place, false);
    m_telling.start();
    updateTick();
}

bool ShownFeeds::showAgain(const RunId& id)
{
    endReplay();
    RunFeed* feed = find(id);
    if (feed != nullptr && !feed->isVisible()) {
        feed->setVisible(true);
        m_table.setShown(id, feed->color());
        m_telling.start();
    }
    return feed != nullptr;
}

void ShownFeeds::hide(const RunId& id)
{
    endReplay();
    if (find(id) != nullptr) {
        drop(id);
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

void ShownFeeds::drop(const RunId& id)
{
    const auto shown = std::ranges::find_if(m_shown, [&](const Shown& each) { return each.feed->id() == id; });
    m_table.setShown(id, std::nullopt);
    if (shown->isLive && m_isBusy()) {
        shown->feed->setVisible(false); // its feed is the only reader of its source
        return;
    }
    m_gone.push_back(std::move(shown->feed));
    m_shown.erase(shown);
    m_log.removeRun(id);
}

void ShownFeeds::replay(std::vector<std::unique_ptr<RunFeed>> feeds)
{
    std::vector<Shown> former;
    (m_isReplaying ? former : m_aside) = std::exchange(m_shown, {});
    m_isReplaying = true;
    for (std::unique_ptr<RunFeed>& feed : feeds) {
        const auto known
            = std::ranges::find_if(m_aside, [&](const Shown& shown) { return shown.feed->id() == feed->id(); });
        const std::size_t place
            = known != m_aside.end() ? known->place : m_places.ofStored(feed->record().spec, taken());
        feed->setColor(colorAt(m_palette, place));
        RunFeed* added = feed.get();
        connect(added, &RunFeed::advanced, this,
            [this, added](const store::DeltaPtr& delta) { m_log.append(added->id(), added->displayName(), *delta); });
        if (const Shown* before = withId(added->id(), former, m_aside)) {
            added->setVisible(before->feed->isVisible());
        }
        m_log.removeRun(added->id());
        m_shown.push_back({std::move(feed), false, false, 0, place});
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
    for (std::vector<Shown>* each : {&m_shown, &m_aside}) {
        for (const Shown& shown : *each) {
            if (shown.feed->id() == id) {
                shown.feed->setLabel(label);
                tell();
            }
        }
    }
}

void ShownFeeds::end()
{
    m_tick.stop();
    m_telling.stop();
    m_shown.clear();
    m_aside.clear();
    m_gone.clear();
}

void ShownFeeds::clear()
{
    endReplay();
    for (const Shown& shown : m_shown) {
        m_table.setShown(shown.feed->id(), std::nullopt);
    }
    m_shown.clear();
}

void ShownFeeds::setPalette(PaletteName palette)
{
    m_palette = palette;
    const auto color = [this](const Shown& shown) { shown.feed->setColor(colorAt(m_palette, shown.place)); };
    std::ranges::for_each(m_shown, color);
    std::ranges::for_each(m_aside, color);
    for (const Shown& shown : m_isReplaying ? m_aside : m_shown) {
        m_table.setShown(shown.feed->id(), shown.feed->color());
    }
    tell();
}

void ShownFeeds::pullNow(const RunId& id)
{
    if (Shown* shown = withId(id, m_aside, m_shown)) {
        shown->feed->pull();
        shown->isBehind = false;
    }
}

void ShownFeeds::wake(const RunId& id)
{
    if (Shown* shown = withId(id, m_aside, m_shown)) {
        shown->quietTicks = 0;
    }
    updateTick();
}

RunFeed* ShownFeeds::find(const RunId& id) const
{
    const auto* shown = withId(id, m_aside, m_shown);
    return shown == nullptr ? nullptr : shown->feed.get();
}

std::vector<RunFeed*> ShownFeeds::list() const
{
    std::vector<RunFeed*> feeds;
    for (const Shown& shown : m_shown) {
        feeds.push_back(shown.feed.get());
    }
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
        isNew = isNew || came;
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
    setPace();
    updateTick();
}

/// Live runs first; of stored ones, which may come in many ticks, the one at which the last tick stopped.
std::vector<ShownFeeds::Shown*> ShownFeeds::inTurn()
{
    std::vector<Shown*> turns;
    for (std::vector<Shown>* list : {&m_aside, &m_shown}) {
        std::ranges::transform(*list, std::back_inserter(turns), [](Shown& shown) { return &shown; });
    }
    const auto stored
        = std::stable_partition(turns.begin(), turns.end(), [](const Shown* shown) { return shown->isLive; });
    const auto next
        = std::find_if(stored, turns.end(), [this](const Shown* shown) { return shown->feed->id() == m_nextStored; });
    std::rotate(stored, next, turns.end());
    return turns;
}

void ShownFeeds::setPace()
{
    const std::int64_t spentNs = threadProcessorNs();
    const int interval = m_pace.intervalMs(static_cast<double>(spentNs - std::exchange(m_spentNs, spentNs)) / 1e6,
        ranksUnderWay(m_isReplaying ? m_aside : m_shown));
    if (std::abs(interval - m_tick.interval()) * 10 > m_tick.interval()) { // setting it starts the interval again
        m_tick.setInterval(interval);
    }
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

std::vector<VariantPlaces::Taken> ShownFeeds::taken() const
{
    std::vector<VariantPlaces::Taken> taken;
    for (const Shown& shown : m_shown) {
        taken.push_back({&shown.feed->record().spec, shown.place});
    }
    return taken;
}

} // namespace lockstep::ui
