#include "ui/ring/ring_panel.h"

#include "ui/models/feeds/run_feed.h"
#include "ui/models/number_text.h"
#include "ui/ring/ring_export.h"
#include "ui/ring/ring_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/clock_note.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/run_picker.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

// The slider counts halvings and doublings of one message a second, in quarters.
constexpr int SpeedSteps = 4;

double speedAt(int slider)
{
    return std::pow(2.0, static_cast<double>(slider) / SpeedSteps);
}

int sliderAt(double speed)
{
    return static_cast<int>(std::lround(std::log2(speed) * SpeedSteps));
}

} // namespace

RingPanel::RingPanel(QWidget* parent)
    : Translated(parent)
    , m_picker(new RunPicker(this))
    , m_stepLabel(plainLabel(this))
    , m_step(new QComboBox(this))
    , m_live(new QToolButton(this))
    , m_note(plainLabel(this))
    , m_clocks(new ClockNote(this))
    , m_view(new RingView(this))
    , m_play(new QToolButton(this))
    , m_one(new QToolButton(this))
    , m_speedLabel(plainLabel(this))
    , m_speed(new QSlider(Qt::Horizontal, this))
    , m_speedValue(plainLabel(this))
{
    layOut();
    m_live->setCheckable(true);
    m_step->setMinimumContentsLength(8);
    m_step->setMaxVisibleItems(16);
    m_note->setEnabled(false);
    m_live->setAutoRaise(true);
    m_stepLabel->setBuddy(m_step);
    m_speedLabel->setBuddy(m_speed);
    m_speed->setRange(sliderAt(RingPlayer::SlowestMessagesPerSecond), sliderAt(RingPlayer::FastestMessagesPerSecond));
    m_speed->setValue(sliderAt(m_view->player().messagesPerSecond()));
    m_speed->setMaximumWidth(140);
    connect(m_picker, &RunPicker::feedChosen, m_view, &RingView::setFeed);
    connect(m_picker, &RunPicker::feedChosen, m_clocks, &ClockNote::setFeed);
    connect(m_view, &RingView::playerChanged, this, &RingPanel::showPlayer);
    connect(m_step, &QComboBox::activated, this,
        [this](int index) { m_view->choose(m_step->itemData(index).toLongLong()); });
    connect(m_live, &QToolButton::clicked, this, [this](bool on) {
        if (on) {
            m_view->follow();
        } else if (const auto number = m_view->player().number()) {
            m_view->choose(*number);
        }
    });
    connect(m_play, &QToolButton::clicked, m_view, &RingView::togglePlay);
    connect(m_one, &QToolButton::clicked, m_view, &RingView::stepOne);
    connect(m_speed, &QSlider::valueChanged, this, &RingPanel::showSpeed);
    retranslate();
}

void RingPanel::layOut()
{
    auto* above = new QHBoxLayout;
    addAll(*above, {8, 4, 8, 0}, 6, {m_picker, m_stepLabel, m_step, m_live, FreeRoom, m_note});
    auto* below = new QHBoxLayout;
    addAll(*below, {8, 0, 8, 4}, 6, {FreeRoom, m_play, m_one, m_speedLabel, m_speed, m_speedValue, FreeRoom});
    auto* page = new QVBoxLayout(this);
    addAll(*page, {}, 2, {above, m_clocks, {m_view, 1}, below});
}

bool RingPanel::setFeeds(const std::vector<RunFeed*>& feeds)
{
    std::vector<RunFeed*> rings;
    std::copy_if(
        feeds.begin(), feeds.end(), std::back_inserter(rings), [](const RunFeed* feed) { return isRingRun(*feed); });
    m_picker->setFeeds(rings);
    return !rings.empty();
}

void RingPanel::setTheme(const ChartTheme& theme)
{
    m_view->setTheme(theme);
}

void RingPanel::showPlayer()
{
    const RingPlayer& player = m_view->player();
    m_live->setChecked(player.isFollowing());
    const bool isThrough = player.isAtEnd() && player.step().isComplete();
    m_play->setText(player.isPlaying() && !isThrough ? tr("Pause") : tr("Play"));
    m_play->setAccessibleName(m_play->text());
    if (m_step->view()->isVisible()) {
        return; // the list does not change under the mouse
    }
    const QSignalBlocker quiet(m_step);
    m_step->clear();
    const bool hasSteps = player.number().has_value() && m_view->feed() != nullptr;
    for (QWidget* control : std::initializer_list<QWidget*>{m_step, m_live, m_play, m_one, m_speed}) {
        control->setEnabled(hasSteps);
    }
    m_note->clear();
    if (!hasSteps) {
        return;
    }
    const RingModel& ring = m_view->feed()->ring();
    for (const auto& [number, step] : ring.steps()) {
        m_step->addItem(countText(number), QVariant::fromValue<qlonglong>(number));
    }
    m_step->setCurrentIndex(m_step->findData(QVariant::fromValue<qlonglong>(*player.number())));
    if (ring.dropped() > 0) {
        m_note->setText(tr("Messages dropped under load: %1.").arg(countText(ring.dropped())));
    } else {
        m_note->setText(tr("%n recorded step(s)", nullptr, static_cast<int>(ring.steps().size())));
    }
}

std::optional<Drawing> RingPanel::drawing() const
{
    const RunFeed* feed = m_view->feed();
    return feed == nullptr || !m_view->player().number() ? std::nullopt : std::optional(ringDrawing(*feed, *m_view));
}

void RingPanel::showSpeed()
{
    const double speed = speedAt(m_speed->value());
    m_view->setMessagesPerSecond(speed);
    m_speedValue->setText(tr("%1 messages per second").arg(QString::number(speed, 'g', 2)));
}

void RingPanel::retranslate()
{
    m_stepLabel->setText(tr("Step"));
    describe(*m_step, tr("Step"), tr("Recorded steps that are kept; selecting one plays it from its beginning."));
    labelButton(*m_live, tr("Live"), tr("Moves on to the newest recorded step at the end of each step."));
    describe(*m_play, tr("Play"), tr("Plays the messages of this step in order of arrival (Space)."));
    labelButton(
        *m_one, tr("Next message"), tr("Advances to the end of the next message and stays there (right arrow key)."));
    m_speedLabel->setText(tr("Speed"));
    describe(*m_speed, tr("Speed"), tr("Playback speed. The messages in the run were far faster."));
    m_speedValue->setMinimumWidth(
        m_speedValue->fontMetrics().horizontalAdvance(tr("%1 messages per second").arg(QStringLiteral("0.88"))));
    showSpeed();
    showPlayer();
}

} // namespace lockstep::ui
