#include "ui/pages/rank_strip.h"

#include "ui/models/number_text.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using store::RankState;

namespace {

constexpr int Gap = 3;
constexpr int Padding = 4;
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
        setAccessibleDescription(
            RankStrip::tr("Current state, step, batch loss, time per step and memory of this rank."));
    }
    update();
}

QSize RankCardView::sizeHint() const
{
    const int line = fontMetrics().height();
    const QString widest = RankStrip::tr("step %1").arg(countText(88888))
        + RankStrip::tr("loss %1").arg(numberText(0.0888)) + RankStrip::tr("%1 ms").arg(numberText(0.888));
    return {fontMetrics().horizontalAdvance(widest) + 2 * Padding + 30, 2 * line + BarHeight + 2 * Padding + 2 * Gap};
}

RankCardView::Detail RankCardView::detail() const
{
    const QFontMetrics metrics = fontMetrics();
    const int inner = width() - 2 * Padding;
    if (width() >= sizeHint().width()) {
        return Detail::Full;
    }
    if (inner >= metrics.horizontalAdvance(RankStrip::tr("%1 ms").arg(QStringLiteral("0.888")))) {
        return Detail::Time;
    }
    return width() >= metrics.horizontalAdvance(QString::number(m_card.rank)) + 2 ? Detail::Number : Detail::Bar;
}

QString RankCardView::toolTipText() const
{
    QStringList lines{QStringLiteral("<b>%1</b>").arg(accessibleName().toHtmlEscaped())};
    if (!m_card.message.empty()) {
        lines << shownText(m_card.message).toHtmlEscaped();
    }
    lines << QStringList{RankStrip::tr("step %1").arg(countText(m_card.step)),
        RankStrip::tr("loss %1").arg(numberText(m_card.loss)), RankStrip::tr("%1 ms").arg(numberText(m_card.msPerStep)),
        bytesText(m_card.residentBytes + m_card.deviceBytes)}
                 .join(QStringLiteral(" · "));
    lines << RankStrip::tr("Time per step and bar cover the last second:");
    for (std::size_t i = 0; i < PhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        lines << QStringLiteral("<span style='color:%1'>■</span> %2")
                     .arg(phaseColor(phase).name(), QCoreApplication::translate("ChartModel", nameOf(phase).data()));
    }
    return lines.join(QStringLiteral("<br>"));
}

bool RankCardView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        setToolTip(toolTipText());
    }
    return QWidget::event(event);
}

void RankCardView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(rect(), 4, 4);
    const int line = fontMetrics().height();
    const int side = detail() == Detail::Full || detail() == Detail::Time ? Padding : 1;
    const QRect inner = rect().adjusted(side, Padding, -side, -Padding);
    paintBar(painter, {inner.left(), inner.top() + line + Gap, inner.width(), BarHeight});
    paintTexts(painter, {inner.left(), inner.top(), inner.width(), line},
        {inner.left(), inner.bottom() - line + 1, inner.width(), line});
}

void RankCardView::paintBar(QPainter& painter, const QRect& place) const
{
    const QRectF bar(place);
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
}

void RankCardView::paintTexts(QPainter& painter, const QRect& above, const QRect& below) const
{
    const QColor text = palette().color(QPalette::Text);
    const QColor tone = toneColor(toneOf(m_card.state), palette());
    const QString time = RankStrip::tr("%1 ms").arg(numberText(m_card.msPerStep));
    switch (detail()) {
    case Detail::Full: {
        painter.setPen(text);
        const QString title = RankStrip::tr("rank %1").arg(m_card.rank);
        painter.drawText(above, Qt::AlignLeft, title);
        painter.setPen(tone);
        painter.drawText(above.adjusted(fontMetrics().horizontalAdvance(title) + 8, 0, 0, 0), Qt::AlignLeft,
            rankStateText(m_card.state));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(above, Qt::AlignRight, bytesText(m_card.residentBytes + m_card.deviceBytes));
        painter.setPen(text);
        painter.drawText(below, Qt::AlignLeft, RankStrip::tr("step %1").arg(countText(m_card.step)));
        painter.drawText(below, Qt::AlignHCenter, RankStrip::tr("loss %1").arg(numberText(m_card.loss)));
        painter.drawText(below, Qt::AlignRight, time);
        return;
    }
    case Detail::Time: {
        const QString number = QString::number(m_card.rank);
        const int used = fontMetrics().horizontalAdvance(number) + 6;
        painter.setPen(text);
        painter.drawText(above, Qt::AlignLeft, number);
        painter.setPen(tone);
        const QString state = rankStateText(m_card.state);
        if (fontMetrics().horizontalAdvance(state) <= above.width() - used) {
            painter.drawText(above, Qt::AlignRight, state);
        } else {
            painter.fillRect(QRect(above.right() - 7, above.center().y() - 3, 7, 7), tone);
        }
        painter.setPen(text);
        painter.drawText(below, Qt::AlignRight, time);
        const QString step = countText(m_card.step);
        if (fontMetrics().horizontalAdvance(step) + fontMetrics().horizontalAdvance(time) + 8 <= below.width()) {
            painter.drawText(below, Qt::AlignLeft, step);
        }
        return;
    }
    case Detail::Number:
        painter.setPen(tone);
        painter.drawText(above, Qt::AlignHCenter, QString::number(m_card.rank));
        return;
    case Detail::Bar:
        painter.fillRect(QRect(above.left(), above.bottom() - 3, above.width(), 3), tone);
        return;
    }
}

RankStrip::RankStrip(QWidget* parent)
    : Translated(parent)
    , m_empty(plainLabel(this))
{
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    setFixedHeight(RankCardView(this).sizeHint().height() + Gap);
    retranslate();
}

void RankStrip::setCards(const std::vector<RankCard>& cards)
{
    const bool isOther = cards.size() != m_views.size();
    while (m_views.size() > cards.size()) {
        delete m_views.back();
        m_views.pop_back();
    }
    while (m_views.size() < cards.size()) {
        m_views.push_back(new RankCardView(this));
        m_views.back()->show();
    }
    for (std::size_t i = 0; i < cards.size(); ++i) {
        m_views[i]->setCard(cards[i]);
    }
    if (isOther) {
        m_empty->setVisible(m_views.empty());
        arrange();
    }
}

void RankStrip::arrange()
{
    m_empty->setGeometry(rect());
    if (m_views.empty()) {
        return;
    }
    const auto count = static_cast<double>(m_views.size());
    const QSize hint = m_views.front()->sizeHint();
    const double gap = count > 12.0 ? 1.0 : static_cast<double>(2 * Gap);
    const double side = 2.0 * Gap;
    const double width = std::min((this->width() - 2.0 * side + gap) / count - gap, 1.5 * hint.width());
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        const auto left = static_cast<int>(std::round(side + static_cast<double>(i) * (width + gap)));
        const auto right = static_cast<int>(std::round(side + static_cast<double>(i + 1) * (width + gap) - gap));
        m_views[i]->setGeometry(left, 0, std::max(1, right - left), hint.height());
    }
}

void RankStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void RankStrip::retranslate()
{
    setAccessibleName(tr("Ranks"));
    setAccessibleDescription(tr("One card per rank of the run in progress."));
    m_empty->setText(tr("The ranks of a run appear here."));
    for (RankCardView* view : m_views) {
        view->setAccessibleName({});
    }
    arrange();
}

} // namespace lockstep::ui
