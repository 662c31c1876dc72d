#include "ui/widgets/run_picker.h"

#include "ui/models/feeds/run_feed.h"
#include "ui/models/palette.h"

#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>

namespace lockstep::ui {

namespace {

bool isAtWork(const RunFeed& feed)
{
    using analysis::RunStatus;
    const RunStatus status = feed.record().status;
    return status == RunStatus::Running || status == RunStatus::Paused || status == RunStatus::Stopping;
}

RunFeed* standard(const std::vector<RunFeed*>& feeds)
{
    for (const bool wantsWork : {true, false}) {
        for (auto feed = feeds.rbegin(); feed != feeds.rend(); ++feed) {
            if ((wantsWork && isAtWork(**feed)) || (!wantsWork && (*feed)->isVisible())) {
                return *feed;
            }
        }
    }
    return feeds.empty() ? nullptr : feeds.back();
}

QIcon dot(const QColor& color)
{
    QPixmap pixmap(12, 12);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.fillRect(1, 4, 10, 4, color);
    return QIcon(pixmap);
}

} // namespace

RunPicker::RunPicker(QWidget* parent)
    : Translated(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMinimumWidth(76); // in a narrow window names are cut, not the buttons beside them
    setMaximumWidth(180);
    hide();
    connect(this, &QComboBox::activated, this, [this](int index) {
        m_isChosen = true;
        choose(m_feeds.at(static_cast<std::size_t>(index)));
    });
    retranslate();
}

void RunPicker::setFeeds(const std::vector<RunFeed*>& feeds)
{
    // The same run can come with another feed: a replay that was set back.
    const auto current = std::ranges::find_if(
        feeds, [this](const RunFeed* feed) { return m_feed != nullptr && feed->id() == m_feed->id(); });
    if (current == feeds.end()) {
        m_isChosen = false;
    }
    m_feeds.assign(feeds.begin(), feeds.end());
    {
        const QSignalBlocker quiet(this);
        clear();
        for (const RunFeed* feed : feeds) {
            addItem(dot(onScreen(feed->color())), feed->displayName());
        }
    }
    setVisible(!feeds.empty());
    setEnabled(feeds.size() > 1);
    choose(m_isChosen ? *current : standard(feeds));
}

void RunPicker::choose(RunFeed* feed)
{
    const auto at = std::find(m_feeds.begin(), m_feeds.end(), feed);
    setCurrentIndex(at == m_feeds.end() ? -1 : static_cast<int>(at - m_feeds.begin()));
    if (m_feed != feed) {
        m_feed = feed;
        Q_EMIT feedChosen(feed);
    }
}

/// The ground of the dots changes with the palette.
void RunPicker::changeEvent(QEvent* event)
{
    Translated::changeEvent(event);
    for (int i = 0; event->type() == QEvent::PaletteChange && i < count(); ++i) {
        if (const RunFeed* feed = m_feeds[static_cast<std::size_t>(i)]) {
            setItemIcon(i, dot(onScreen(feed->color())));
        }
    }
}

void RunPicker::retranslate()
{
    setAccessibleName(tr("Run"));
    setToolTip(tr("The run that is drawn here."));
    setAccessibleDescription(toolTip());
}

} // namespace lockstep::ui
