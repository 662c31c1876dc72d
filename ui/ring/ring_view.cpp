#include "ui/ring/ring_view.h"

#include "experiment/spec.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/models/number_text.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int FrameMs = 33;
constexpr int TellMs = 500;
constexpr std::int64_t SilentNs = 700'000'000; ///< ranks send data four times a second

const RingModel& emptyRing()
{
    static const RingModel empty;
    return empty;
}

} // namespace

bool isRingRun(const RunFeed& feed)
{
    return !allReduceOf(feed.record().spec).empty();
}

RingView::RingView(QWidget* parent)
    : Translated(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_sinceTold.start();
    m_clock.setInterval(FrameMs);
    m_clock.setTimerType(Qt::PreciseTimer);
    connect(&m_clock, &QTimer::timeout, this, &RingView::play);
    retranslate();
}

void RingView::retranslate()
{
    setAccessibleName(tr("Messages of an all-reduce"));
    setAccessibleDescription(
        tr("The messages between the ranks in one training step, and what each chunk sums. Space plays or pauses, "
           "the right arrow key advances by one message."));
    update();
}

void RingView::setFeed(RunFeed* feed)
{
    if (m_feed != nullptr) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    const double speed = m_player.messagesPerSecond();
    m_player = RingPlayer();
    m_player.setMessagesPerSecond(speed);
    if (feed != nullptr) {
        connect(feed, &RunFeed::advanced, this, &RingView::advance);
        connect(feed, &RunFeed::recordChanged, this, &RingView::refresh);
        m_player.update(feed->ring());
    }
    refresh();
    Q_EMIT playerChanged();
}

void RingView::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    update();
}

void RingView::advance()
{
    const RingModel& ring = m_feed == nullptr ? emptyRing() : m_feed->ring();
    const auto before = m_player.number();
    m_player.update(ring);
    refresh();
    const bool isThrough = m_player.isAtEnd() && m_player.step().isComplete();
    // Steps may be recorded faster than their numbers can be read.
    const bool hasNewSteps
        = ring.steps().size() != m_toldSteps || (!ring.steps().empty() && ring.steps().rbegin()->first != m_toldNewest);
    if (m_player.number() != before || isThrough != m_wasThrough || (hasNewSteps && m_sinceTold.hasExpired(TellMs))) {
        m_wasThrough = isThrough;
        m_toldSteps = ring.steps().size();
        m_toldNewest = ring.steps().empty() ? 0 : ring.steps().rbegin()->first;
        m_sinceTold.start();
        Q_EMIT playerChanged();
    }
}

void RingView::play()
{
    m_player.advance(static_cast<double>(m_sinceTick.restart()) / 1e3);
    advance();
}

void RingView::refresh()
{
    const bool moves = isVisible() && m_player.isPlaying() && !m_player.isAtEnd();
    if (moves && !m_clock.isActive()) {
        m_sinceTick.start();
        m_clock.start();
    } else if (!moves) {
        m_clock.stop();
    }
    update();
}

void RingView::follow()
{
    if (m_feed != nullptr) {
        m_player.follow(m_feed->ring());
        refresh();
        Q_EMIT playerChanged();
    }
}

void RingView::choose(std::int64_t step)
{
    if (m_feed != nullptr) {
        m_player.choose(m_feed->ring(), step);
        refresh();
        Q_EMIT playerChanged();
    }
}

void RingView::togglePlay()
{
    if (m_player.isPlaying() && !(m_player.isAtEnd() && m_player.step().isComplete())) {
        m_player.pause();
    } else {
        m_player.play();
    }
    refresh();
    Q_EMIT playerChanged();
}

void RingView::stepOne()
{
    m_player.stepOne();
    refresh();
    Q_EMIT playerChanged();
}

void RingView::setMessagesPerSecond(double speed)
{
    m_player.setMessagesPerSecond(speed);
}

bool RingView::isRunning() const
{
    using analysis::RunStatus;
    const RunStatus status = m_feed->record().status;
    return status == RunStatus::Starting || status == RunStatus::Running || status == RunStatus::Paused
        || status == RunStatus::Stopping;
}

bool RingView::isAtWork() const
{
    return isRunning() && m_feed->ring().steps().rbegin()->first == *m_player.number();
}

/// While the run is active, a silent rank is the cause, even if the messages alone do not show it.
std::vector<int> RingView::waitedFor() const
{
    const RingStep& step = m_player.step();
    if (!m_player.isAtEnd() || step.isComplete()) {
        return {};
    }
    if (isAtWork()) {
        std::int64_t lastNs = 0;
        for (const RankCard& card : m_feed->ranks()) {
            lastNs = std::max(lastNs, card.heardNs);
        }
        std::vector<int> silent;
        for (const RankCard& card : m_feed->ranks()) {
            if (card.heardNs > 0 && card.heardNs < lastNs - SilentNs) {
                silent.push_back(card.rank);
            }
        }
        if (!silent.empty()) {
            return silent;
        }
    }
    return step.waitedFor();
}

/// Why the picture does not move.
QString RingView::message() const
{
    if (!m_player.isAtEnd()) {
        return {};
    }
    if (m_player.step().isComplete()) {
        return tr("Every rank has the complete sum.");
    }
    QStringList ranks;
    for (const int rank : waitedFor()) {
        ranks << QString::number(rank);
    }
    if (isAtWork()) {
        return ranks.isEmpty() ? tr("Waiting for the next message.")
                               : tr("Waiting for rank %1.").arg(ranks.join(u", "));
    }
    return ranks.isEmpty()
        ? tr("The recording of this step ends here.")
        : tr("The recording of this step ends here: rank %1 sent nothing more.").arg(ranks.join(u", "));
}

RingScene RingView::scene() const
{
    RingScene scene;
    const RingStep& step = m_player.step();
    scene.picture = m_player.picture();
    scene.message = message();
    scene.waitedFor = waitedFor();
    scene.phase = phaseText(allReduceOf(m_feed->record().spec), scene.picture.isReducing());
    std::int64_t bytes = 0;
    int messages = 0;
    for (const RingEvent& event : step.events()) {
        if (step.moveOf(event).to >= 0 && event.number < scene.picture.done[static_cast<std::size_t>(event.rank)]) {
            bytes += event.bytes;
            ++messages;
        }
    }
    scene.detail = tr("%1 of %2 messages · %3B sent by all ranks")
                       .arg(countText(messages), countText(step.messages()), siText(static_cast<double>(bytes)));
    return scene;
}

/// What the messages do now.
QString RingView::phaseText(const std::string& algorithm, bool isReducing)
{
    if (algorithm == "tree") {
        return isReducing ? tr("Reduce: partial sums move up the tree to rank 0")
                          : tr("Broadcast: the complete sum moves down the tree");
    }
    if (algorithm == "halving_doubling") {
        return isReducing ? tr("Reduce-scatter: partners send each other half of what they sum, and add it")
                          : tr("All-gather: partners send each other all that is complete");
    }
    if (algorithm == "parameter_server") {
        return isReducing ? tr("Push: rank 0, the server, adds what each worker sends")
                          : tr("Pull: the server sends the complete sum to each worker");
    }
    return isReducing ? tr("Reduce-scatter: each rank adds the incoming chunk to its own")
                      : tr("All-gather: complete chunks travel around the ring and are kept");
}

QSize RingView::minimumSizeHint() const
{
    return {400, 11 * fontMetrics().height()};
}

void RingView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_feed == nullptr || !m_player.number()) {
        painter.fillRect(rect(), m_theme.background);
        painter.setPen(m_theme.dimText);
        const QString text = m_feed != nullptr && isRunning()
            ? tr("Waiting for the first recorded step: only the messages of some steps are recorded.")
            : tr("No messages between ranks were recorded in this run.");
        painter.drawText(
            rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap | Qt::TextDontClip, text);
    } else {
        const QColor warning = toneColor(Tone::Warning, palette());
        paintRing(painter, QRectF(rect()), scene(), {m_theme, warning, tabularFont(font()), 1.0 / devicePixelRatioF()});
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void RingView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    advance();
}

void RingView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_clock.stop();
}

void RingView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space) {
        togglePlay();
    } else if (event->key() == Qt::Key_Right) {
        stepOne();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace lockstep::ui
