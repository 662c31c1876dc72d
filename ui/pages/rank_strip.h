// The ranks of one run in one row: state, step, loss, ms a step, memory, and how the last second was spent. A rank has
// as much of this as its place in the row holds; its tool tip has it all. GUI thread only.
#pragma once

#include "ui/models/feeds/run_feed.h"
#include "ui/widgets/translated.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace lockstep::ui {

/// In the window's language.
[[nodiscard]] QString rankStateText(store::RankState state);

class RankCardView : public QWidget {
    Q_OBJECT

public:
    explicit RankCardView(QWidget* parent = nullptr);
    void setCard(const RankCard& card);
    /// Of a card with everything in it.
    [[nodiscard]] QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// The parts that fit into a width: everything, the number and the time, the number, nothing but the bar.
    enum class Detail { Full, Time, Number, Bar };

    [[nodiscard]] Detail detail() const;
    [[nodiscard]] QString toolTipText() const;
    void paintBar(QPainter& painter, const QRect& place) const;
    void paintTexts(QPainter& painter, const QRect& above, const QRect& below) const;

    RankCard m_card;
};

/// Keeps its height, with cards or without.
class RankStrip : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit RankStrip(QWidget* parent = nullptr);

    /// Draws the cards as they are now; cheap on every tick.
    void setCards(const std::vector<RankCard>& cards);
    /// In the order of the ranks.
    [[nodiscard]] const std::vector<RankCardView*>& cards() const { return m_views; }
    [[nodiscard]] int count() const { return static_cast<int>(m_views.size()); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void retranslate() final;

    QLabel* m_empty;
    std::vector<RankCardView*> m_views;
};

} // namespace lockstep::ui
