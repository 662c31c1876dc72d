// The all-reduce of a run, played slowly from the messages that its ranks really exchanged. GUI thread only.
#pragma once

#include "ui/models/feeds/ring_player.h"
#include "ui/models/palette.h"
#include "ui/ring/ring_drawing.h"
#include "ui/widgets/translated.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QWidget>

namespace lockstep::ui {

class RunFeed;

class RingView : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit RingView(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setFeed(RunFeed* feed);
    [[nodiscard]] const RunFeed* feed() const { return m_feed; }
    void setTheme(const ChartTheme& theme);

    [[nodiscard]] const RingPlayer& player() const { return m_player; }
    void follow();
    void choose(std::int64_t step);
    void togglePlay();
    void stepOne();
    void setMessagesPerSecond(double speed);
    /// What is on screen now.
    [[nodiscard]] RingScene scene() const;

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Another step, playing or paused, following or not.
    void playerChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void advance();
    void play();
    void retranslate() final;
    /// Redraws, and runs the clock while something moves.
    void refresh();
    [[nodiscard]] bool isRunning() const;
    /// The current step is the run's latest.
    [[nodiscard]] bool isAtWork() const;
    [[nodiscard]] std::vector<int> waitedFor() const;
    [[nodiscard]] QString message() const;
    [[nodiscard]] static QString phaseText(const std::string& algorithm, bool isReducing);

    QPointer<RunFeed> m_feed;
    ChartTheme m_theme = lightTheme();
    RingPlayer m_player;
    QTimer m_clock;
    QElapsedTimer m_sinceTick;
    QElapsedTimer m_sinceTold;
    std::size_t m_toldSteps = 0;
    std::int64_t m_toldNewest = 0;
    bool m_wasThrough = false;
};

/// Whether a run's ranks sum their gradients by messages that are known: then it has something to show here.
[[nodiscard]] bool isRingRun(const RunFeed& feed);

} // namespace lockstep::ui
