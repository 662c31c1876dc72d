#include "ui/pages/rank_strip.h"

#include "ui/models/numbers.h"
#include "ui/models/palette.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace lockstep::ui {

using session::RankState;

namespace {

constexpr int Gap = 8;
constexpr int Padding = 8;
constexpr int BarHeight = 6;

Tone toneOf(RankState state)
{
    switch (state) {
    case RankState::Failed:
    case RankState::Lost:
        return Tone::Error;
    case RankState::Paused:
    case RankState::Stopped:
        return Tone::Warning;
    case RankState::Running:
    case RankState::Finished:
        return Tone::Success;
    case RankState::Starting:
        break;
    }
    return Tone::Information;
}

/// Waiting is hatched: time in which nothing was done must not look like work.
QBrush phaseBrush(Phase phase)
{
    return phase == Phase::Wait ? QBrush(phaseColor(phase), Qt::BDiagPattern) : QBrush(phaseColor(phase));
}

} // namespace

QString rankStateText(RankState state)
{
    switch (state) {
    case RankState::Starting:
        return RankStrip::tr("starting");
    case RankState::Running:
        return RankStrip::tr("running");
    case RankState::Paused:
        return RankStrip::tr("paused");
    case RankState::Finished:
        return RankStrip::tr("finished");
    case RankState::Stopped:
        return RankStrip::tr("stopped");
    case RankState::Failed:
        return RankStrip::tr("failed");
    case RankState::Lost:
        return RankStrip::tr("lost");
    }
    return {};
}

RankCardView::RankCardView(QWidget* parent)
    : QWidget(parent)
{ }

void RankCardView::setCard(const RankCard& card)
{
    m_card = card;
    const QString name = RankStrip::tr("Rank %1, %2").arg(card.rank).arg(rankStateText(card.state));
    if (accessibleName() != name) {
        setAccessibleName(name);
        QString phases;
        for (std::size_t i = 0; i < PhaseCount; ++i) {
            const auto phase = static_cast<Phase>(i);
            phases
                += QStringLiteral("<br><span style='color:%1'>■</span> %2")
                       .arg(phaseColor(phase).name(), QCoreApplication::translate("ChartModel", nameOf(phase).data()));
        }
        const QString message
            = card.message.empty() ? QString() : QString::fromStdString(card.message).toHtmlEscaped() + "<br>";
        setToolTip(message + RankStrip::tr("The bar shows how the last second was spent:") + phases);
        setAccessibleDescription(
            RankStrip::tr("Current state, step, training loss, time per step and memory of this rank."));
    }
    update();
}

QSize RankCardView::sizeHint() const
{
    const int line = fontMetrics().height();
    const QString widest = RankStrip::tr("step %1").arg(countText(88888))
        + RankStrip::tr("loss %1").arg(numberText(0.0888)) + RankStrip::tr("%1 ms").arg(numberText(0.888));
    return {fontMetrics().horizontalAdvance(widest) + 2 * Padding + 30, 2 * line + BarHeight + 2 * Padding + 6};
}

void RankCardView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(rect(), 5, 5);
    const int line = fontMetrics().height();
    const QRect inner = rect().adjusted(Padding + 2, Padding, -Padding - 2, -Padding);
    const QColor dim = palette().color(QPalette::PlaceholderText);

    painter.setPen(palette().color(QPalette::Text));
    const QString title = RankStrip::tr("rank %1").arg(m_card.rank);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, title);
    painter.setPen(toneColor(toneOf(m_card.state), palette()));
    painter.drawText(inner.adjusted(fontMetrics().horizontalAdvance(title) + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
        rankStateText(m_card.state));
    painter.setPen(dim);
    painter.drawText(inner, Qt::AlignRight | Qt::AlignTop, bytesText(m_card.residentBytes + m_card.deviceBytes));

    QRectF bar(inner.left(), inner.top() + line + 3, inner.width(), BarHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Mid));
    painter.drawRect(bar);
    double left = bar.left();
    for (std::size_t i = 0; i < PhaseCount; ++i) {
        const double width = bar.width() * std::clamp(m_card.phaseShare[i], 0.0, 1.0);
        painter.setBrush(phaseBrush(static_cast<Phase>(i)));
        painter.drawRect(QRectF(left, bar.top(), std::min(width, bar.right() - left), bar.height()));
        left += width;
    }

    const QRect bottom(inner.left(), static_cast<int>(bar.bottom()) + 3, inner.width(), line);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(bottom, Qt::AlignLeft, RankStrip::tr("step %1").arg(countText(m_card.step)));
    painter.drawText(bottom, Qt::AlignHCenter, RankStrip::tr("loss %1").arg(numberText(m_card.loss)));
    painter.drawText(bottom, Qt::AlignRight, RankStrip::tr("%1 ms").arg(numberText(m_card.msPerStep)));
}

RankStrip::RankStrip(QWidget* parent)
    : QScrollArea(parent)
    , m_content(new QWidget(this))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(m_content);
    setFocusPolicy(Qt::NoFocus);
    retranslate();
    hide();
}

void RankStrip::setCards(const std::vector<RankCard>& cards)
{
    const bool isOther = cards.size() != m_views.size();
    while (m_views.size() > cards.size()) {
        delete m_views.back();
        m_views.pop_back();
    }
    while (m_views.size() < cards.size()) {
        m_views.push_back(new RankCardView(m_content));
        m_views.back()->show();
    }
    for (std::size_t i = 0; i < cards.size(); ++i) {
        m_views[i]->setCard(cards[i]);
    }
    if (isOther) {
        setVisible(!m_views.empty());
        arrange();
    }
}

void RankStrip::arrange()
{
    if (m_views.empty()) {
        return;
    }
    const QSize hint = m_views.front()->sizeHint();
    const int available = std::max(viewport()->width() - Gap, hint.width());
    const int columns = std::clamp(available / (hint.width() + Gap), 1, static_cast<int>(m_views.size()));
    const int width = std::min(available / columns - Gap, hint.width() * 3 / 2);
    int rows = 0;
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        const int column = static_cast<int>(i) % columns;
        rows = static_cast<int>(i) / columns;
        m_views[i]->setGeometry(
            Gap + column * (width + Gap), Gap / 2 + rows * (hint.height() + Gap), width, hint.height());
    }
    const int height = (rows + 1) * (hint.height() + Gap);
    m_content->resize(viewport()->width(), height);
    // Two rows of cards stay in sight (one in a low window); more scroll, so that the chart keeps its place.
    const int shownRows = window()->height() < 720 ? 1 : 2;
    setFixedHeight(std::min(height, shownRows * (hint.height() + Gap)) + 2);
}

void RankStrip::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void RankStrip::retranslate()
{
    setAccessibleName(tr("Ranks"));
    setAccessibleDescription(tr("One card per rank of the run in progress."));
    for (RankCardView* view : m_views) {
        view->setAccessibleName({});
    }
}

void RankStrip::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

} // namespace lockstep::ui
