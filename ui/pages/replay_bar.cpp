#include "ui/pages/replay_bar.h"

#include "ui/models/number_text.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <array>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int ScrubberSteps = 10'000;
constexpr std::array Speeds{0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0};

} // namespace

ReplayBar::ReplayBar(QWidget* parent)
    : Translated(parent)
    , m_badge(plainLabel(this))
    , m_runs(new ElidedLabel(this))
    , m_time(plainLabel(this))
    , m_back(makeButton(static_cast<int>(Glyph::StepBack), &ReplayBar::stepBackRequested))
    , m_play(makeButton(static_cast<int>(Glyph::Run), &ReplayBar::playRequested))
    , m_forward(makeButton(static_cast<int>(Glyph::StepForward), &ReplayBar::stepForwardRequested))
    , m_message(makeButton(static_cast<int>(Glyph::Message), &ReplayBar::messageRequested))
    , m_scrubber(new QSlider(Qt::Horizontal, this))
    , m_speedLabel(plainLabel(this))
    , m_speed(new QComboBox(this))
    , m_leave(makeButton(static_cast<int>(Glyph::Close), &ReplayBar::leaveRequested))
{
    layOut();
    m_badge->setObjectName(QStringLiteral("replayBadge"));
    m_time->setObjectName(QStringLiteral("replayTime"));
    m_scrubber->setObjectName(QStringLiteral("replayScrubber"));
    m_scrubber->setRange(0, ScrubberSteps);
    m_scrubber->setPageStep(ScrubberSteps / 20);
    m_time->setFont(tabularFont(m_time->font()));
    QFont bold;
    bold.setBold(true);
    m_badge->setFont(bold);
    m_badge->setAutoFillBackground(true);
    m_badge->setBackgroundRole(QPalette::Highlight);
    m_badge->setForegroundRole(QPalette::HighlightedText);
    m_runs->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_speedLabel->setBuddy(m_speed);
    for (const double speed : Speeds) {
        m_speed->addItem(QString(), speed);
    }
    connect(m_scrubber, &QSlider::valueChanged, this,
        [this](int place) { Q_EMIT seekRequested(m_state.length * place / ScrubberSteps); });
    connect(m_speed, &QComboBox::activated, this,
        [this](int index) { Q_EMIT speedChosen(m_speed->itemData(index).toDouble()); });
    retranslate();
}

QToolButton* ReplayBar::makeButton(int glyph, void (ReplayBar::*request)())
{
    auto* button = new QToolButton(this);
    button->setIcon(glyphIcon(static_cast<Glyph>(glyph)));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, request);
    return button;
}

void ReplayBar::layOut()
{
    auto* above = new QHBoxLayout;
    above->setSpacing(8);
    addAll(*above, {m_badge, {m_runs, 1}, m_time});
    auto* below = new QHBoxLayout;
    below->setSpacing(4);
    addAll(*below, {m_back, m_play, m_forward, m_message, {m_scrubber, 1}, m_speedLabel, m_speed, m_leave});
    auto* rows = new QVBoxLayout(this);
    addAll(*rows, {12, 4, 12, 4}, 2, {above, below});
}

void ReplayBar::setState(const ReplayState& state)
{
    m_state = state;
    m_runs->setWholeText(state.runs);
    for (QWidget* control : std::initializer_list<QWidget*>{m_back, m_play, m_forward, m_scrubber, m_speed}) {
        control->setEnabled(!state.isReading);
    }
    m_message->setEnabled(!state.isReading && state.hasMessages);
    m_play->setIcon(glyphIcon(state.isPlaying ? Glyph::Pause : Glyph::Run));
    describe(*m_play, state.isPlaying ? tr("Pause the replay") : tr("Play the replay"),
        tr("Plays or pauses the replay (Alt+P)."));
    const QSignalBlocker quietScrubber(m_scrubber);
    m_scrubber->setValue(
        state.length > 0.0 ? static_cast<int>(std::lround(state.seconds / state.length * ScrubberSteps)) : 0);
    const QSignalBlocker quietSpeed(m_speed);
    m_speed->setCurrentIndex(m_speed->findData(state.speed));
    if (state.isReading) {
        m_time->setText(tr("Reading the run…"));
        return;
    }
    const auto seconds = [](double value) { return QString::number(value, 'f', 3); };
    const QString time
        = tr("%1 of %2 s at %3×").arg(seconds(state.seconds), seconds(state.length), QString::number(state.speed));
    m_time->setText(state.step == 0 ? time : tr("step %1 · %2").arg(countText(state.step), time));
}

void ReplayBar::retranslate()
{
    m_badge->setText(QStringLiteral(" %1 ").arg(tr("Replay")));
    describe(*m_back, tr("Step back"), tr("Returns to the end of the previous step and pauses (Alt+Left)."));
    describe(*m_forward, tr("Step forward"), tr("Advances to the end of the next step and pauses (Alt+Right)."));
    describe(*m_message, tr("Next message"),
        tr("Advances to the end of the next recorded message between ranks and pauses (Alt+M)."));
    describe(*m_scrubber, tr("Time of the replay"), tr("Moves the replay to another moment."));
    describe(*m_leave, tr("Leave the replay"), tr("Shows again what was shown before (Escape)."));
    m_speedLabel->setText(tr("Speed"));
    describe(*m_speed, tr("Speed"), tr("Speed relative to the original run."));
    for (int i = 0; i < m_speed->count(); ++i) {
        m_speed->setItemText(i, tr("%1×").arg(QString::number(m_speed->itemData(i).toDouble())));
    }
    setState(m_state);
}

} // namespace lockstep::ui
