#include "ui/shell/shown_feeds.h"

#include "base/processor_time.h"
#include "experiment/spec.h"
#include "ui/models/log_model.h"
#include "ui/models/runs_table_model.h"

#include <QThread>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int TableEveryMs = 250;
constexpr int QuietTicks = 60; ///< a replay without data for two seconds is finished

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
}

void ShownFeeds::add(std::unique_ptr<RunFeed> feed, const QColor& color, bool isLive)
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

void ShownFeeds::addLive(std::vector<std::unique_ptr<RunFeed>> feeds)
{
    for (std::unique_ptr<RunFeed>& feed : feeds) {
        const QColor color = colorOfVariant(feed->record());
        add(std::move(feed), color, true);
    }
    Q_EMIT changed();
    updateTick();
}

void ShownFeeds::addStored(std::unique_ptr<RunFeed> feed)
{
    const QColor color = freeColor(feed->record());
    add(std::move(feed), color, false);
    Q_EMIT changed();
    updateTick();
}

void ShownFeeds::hide(const RunId& id)
{
    const auto shown = place(id);
    if (shown == m_shown.end()) {
        return;
    }
    m_table.setHidden(id);
    std::unique_ptr<RunFeed> gone;
    if (shown->isLive && m_isBusy()) {
        shown->feed->setVisible(false); // its feed is the only reader of its source
    } else {
        gone = std::move(shown->feed);
        m_shown.erase(shown);
        m_log.removeRun(id);
    }
    Q_EMIT changed();
}

void ShownFeeds::setLabel(const RunId& id, const QString& label)
{
    if (RunFeed* feed = find(id)) {
        feed->setLabel(label);
        Q_EMIT changed();
    }
}

void ShownFeeds::end()
{
    m_tick.stop();
    m_shown.clear();
}

void ShownFeeds::clear()
{
    for (const Shown& shown : m_shown) {
        m_table.setHidden(shown.feed->id());
    }
    m_shown.clear();
}

void ShownFeeds::setPalette(PaletteName palette)
{
    m_palette = palette;
    const auto& colors = variantColors(palette);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        RunFeed& feed = *m_shown[i].feed;
        feed.setColor(colors[i % colors.size()]);
        m_table.setShown(feed.id(), feed.color());
    }
    Q_EMIT changed();
}

void ShownFeeds::pullNow(const RunId& id)
{
    if (const auto shown = place(id); shown != m_shown.end()) {
        shown->feed->pull();
        shown->isBehind = false;
    }
}

void ShownFeeds::wake(const RunId& id)
{
    if (const auto shown = place(id); shown != m_shown.end()) {
        shown->quietTicks = 0;
    }
    updateTick();
}

RunFeed* ShownFeeds::find(const RunId& id) const
{
    const auto shown = std::ranges::find_if(m_shown, [&](const Shown& each) { return each.feed->id() == id; });
    return shown == m_shown.end() ? nullptr : shown->feed.get();
}

std::vector<RunFeed*> ShownFeeds::list() const
{
    std::vector<RunFeed*> feeds;
    for (const Shown& shown : m_shown) {
        feeds.push_back(shown.feed.get());
    }
    return feeds;
}

std::vector<ShownFeeds::Shown>::iterator ShownFeeds::place(const RunId& id)
{
    return std::ranges::find_if(m_shown, [&](const Shown& each) { return each.feed->id() == id; });
}

void ShownFeeds::tick()
{
    bool isNew = false;
    const bool isTableDue = !m_sinceTable.isValid() || m_sinceTable.hasExpired(TableEveryMs);
    if (isTableDue) {
        m_sinceTable.start();
    }
    for (Shown& shown : m_shown) {
        const bool came = shown.feed->pull();
        isNew = isNew || came;
        shown.quietTicks = came ? 0 : shown.quietTicks + 1;
        shown.isBehind = shown.isBehind || (came && shown.isLive);
        if (shown.isBehind && isTableDue) {
            m_table.upsert(shown.feed->record());
            shown.isBehind = false;
        }
    }
    if (isNew) {
        Q_EMIT ticked();
    }
    setPace();
    updateTick();
}

int ShownFeeds::ranksUnderWay() const
{
    int ranks = 0;
    for (const Shown& shown : m_shown) {
        const analysis::RunRecord& record = shown.feed->record();
        if (record.status == analysis::RunStatus::Running) {
            ranks = std::max(ranks, analysis::ranksOf(record)); // those of runs that take turns wait meanwhile
        }
    }
    return ranks;
}

void ShownFeeds::setPace()
{
    const std::int64_t spentNs = threadProcessorNs();
    const int interval
        = m_pace.intervalMs(static_cast<double>(spentNs - std::exchange(m_spentNs, spentNs)) / 1e6, ranksUnderWay());
    if (std::abs(interval - m_tick.interval()) * 10 > m_tick.interval()) { // setting it starts the interval again
        m_tick.setInterval(interval);
    }
}

void ShownFeeds::updateTick()
{
    const bool isReading
        = std::any_of(m_shown.begin(), m_shown.end(), [](const Shown& shown) { return shown.quietTicks < QuietTicks; });
    if (m_isBusy() || isReading) {
        if (!m_tick.isActive()) {
            m_spentNs = threadProcessorNs();
            m_tick.start();
        }
    } else {
        m_tick.stop();
    }
}

QColor ShownFeeds::colorOfVariant(const analysis::RunRecord& record) const
{
    const auto same = std::ranges::find_if(m_shown, [&record](const Shown& shown) {
        const experiment::RunSpec& spec = shown.feed->record().spec;
        return spec.experiment == record.spec.experiment && spec.name == record.spec.name;
    });
    return same == m_shown.end() ? freeColor(record) : same->feed->color();
}

QColor ShownFeeds::freeColor(const analysis::RunRecord& record) const
{
    const auto& colors = variantColors(m_palette);
    const auto isUsed = [this](const QColor& color) {
        return std::any_of(
            m_shown.begin(), m_shown.end(), [&](const Shown& shown) { return shown.feed->color() == color; });
    };
    // A variant keeps the colour of its place in the preset if it is free.
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

} // namespace lockstep::ui
