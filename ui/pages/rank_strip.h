// The cards of the ranks of one run: state, step, loss, ms a step, memory, and how the last second was spent. Wraps,
// and scrolls when there are many. GUI thread only.
#pragma once

#include "ui/models/run_feed.h"

#include <QScrollArea>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// In the window's language.
[[nodiscard]] QString rankStateText(session::RankState state);

class RankCardView : public QWidget {
    Q_OBJECT

public:
    explicit RankCardView(QWidget* parent = nullptr);
    void setCard(const RankCard& card);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RankCard m_card;
};

class RankStrip : public QScrollArea {
    Q_OBJECT

public:
    explicit RankStrip(QWidget* parent = nullptr);

    /// Draws the cards as they are now; cheap on every tick.
    void setCards(const std::vector<RankCard>& cards);
    [[nodiscard]] int count() const { return static_cast<int>(m_views.size()); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    void retranslate();

    QWidget* m_content;
    std::vector<RankCardView*> m_views;
};

} // namespace lockstep::ui
