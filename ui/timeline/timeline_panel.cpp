#include "ui/timeline/timeline_panel.h"

#include "ui/models/feeds/run_feed.h"
#include "ui/theme/settings.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/box.h"
#include "ui/widgets/clock_note.h"
#include "ui/widgets/run_picker.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace lockstep::ui {

namespace {

/// In the list's order.
constexpr std::array Colours{TimelineColours::MicroBatch, TimelineColours::Phase};

} // namespace

TimelinePanel::TimelinePanel(QWidget* parent)
    : Translated(parent)
    , m_picker(new RunPicker(this))
    , m_colours(new QComboBox(this))
    , m_follow(new QToolButton(this))
    , m_whole(new QToolButton(this))
    , m_path(new QToolButton(this))
    , m_save(new QToolButton(this))
    , m_clocks(new ClockNote(this))
    , m_view(new TimelineView(this))
{
    auto* line = new QHBoxLayout;
    addAll(*line, {8, 4, 8, 0}, 5, {m_picker, m_colours, m_follow, m_whole, m_path, FreeRoom, m_save});
    auto* page = new QVBoxLayout(this);
    addAll(*page, {}, 2, {line, m_clocks, {m_view, 1}});
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_path->setCheckable(true);
    m_path->setObjectName(QStringLiteral("criticalPath"));
    for (QToolButton* button : {m_follow, m_whole, m_path, m_save}) {
        button->setAutoRaise(true);
    }
    connect(m_picker, &RunPicker::feedChosen, m_view, &TimelineView::setFeed);
    connect(m_picker, &RunPicker::feedChosen, m_clocks, &ClockNote::setFeed);
    m_colours->setObjectName(QStringLiteral("colours"));
    m_colours->addItems({QString(), QString()});
    const int chosen = settings::timelineByMicroBatch.read() ? 0 : 1;
    m_colours->setCurrentIndex(chosen);
    m_view->setColours(Colours[static_cast<std::size_t>(chosen)]);
    m_colours->hide();
    connect(m_colours, &QComboBox::activated, this, &TimelinePanel::chooseColours);
    connect(m_view, &TimelineView::microBatchesChanged, m_colours, &QWidget::setVisible);
    connect(m_follow, &QToolButton::clicked, m_view, &TimelineView::setFollowing);
    connect(m_view, &TimelineView::followingChanged, m_follow, &QToolButton::setChecked);
    connect(m_whole, &QToolButton::clicked, m_view, &TimelineView::showWhole);
    connect(m_path, &QToolButton::toggled, m_view, &TimelineView::setPathShown);
    connect(m_save, &QToolButton::clicked, this, &TimelinePanel::exportRequested);
    retranslate();
}

void TimelinePanel::setFeeds(const std::vector<RunFeed*>& feeds)
{
    m_picker->setFeeds(feeds);
}

void TimelinePanel::setTheme(const ChartTheme& theme)
{
    m_view->setTheme(theme);
}

std::optional<Drawing> TimelinePanel::drawing() const
{
    const RunFeed* feed = m_picker->feed();
    if (feed == nullptr || feed->timeline().isEmpty()) {
        return std::nullopt;
    }
    return timelineDrawing(*feed, m_view->scene());
}

void TimelinePanel::chooseColours(int index)
{
    const TimelineColours colours = Colours[static_cast<std::size_t>(index)];
    settings::timelineByMicroBatch.write(colours == TimelineColours::MicroBatch);
    m_view->setColours(colours);
}

void TimelinePanel::retranslate()
{
    m_colours->setItemText(0, tr("Micro-batches"));
    m_colours->setItemText(1, tr("Phases"));
    describe(*m_colours, tr("Colours"),
        tr("By micro-batch, with the bubble shaded, or by phase, as everywhere else in this window."));
    labelButton(*m_follow, tr("Follow"), tr("Keeps the newest steps in view (End, or a double-click)."));
    labelButton(*m_whole, tr("Whole run"), tr("Shows all spans that are kept, from the first to the last."));
    labelButton(*m_path, tr("Critical path"),
        tr("Draws the work that determines the time of each step; the ranks on this path make the others wait."));
    m_save->setText(tr("Export"));
    describe(*m_save, tr("Export the timeline"), tr("Saves what is shown as PDF, SVG, PNG, EPS or CSV (Ctrl+E)."));
}

} // namespace lockstep::ui
