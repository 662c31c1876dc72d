// The controls of a replay: that it is one, of which runs, where it is and how fast; play and pause, a step or a
// message at a time, a scrubber, and the way out. It shows state and requests actions. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QWidget>

#include <cstdint>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace lockstep::ui {

class ElidedLabel;

struct ReplayState {
    QString runs; ///< their names
    double seconds = 0.0; ///< since the first step began
    double length = 0.0;
    std::int64_t step = 0; ///< the newest; 0: none
    double speed = 1.0;
    bool isReading = false; ///< the runs' files: nothing can be done yet but leave
    bool isPlaying = false;
    bool hasMessages = false;
};

class ReplayBar : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit ReplayBar(QWidget* parent = nullptr);

    void setState(const ReplayState& state);

Q_SIGNALS:
    void playRequested();
    void stepBackRequested();
    void stepForwardRequested();
    void messageRequested();
    void seekRequested(double seconds);
    void speedChosen(double speed);
    void leaveRequested();

private:
    QToolButton* makeButton(int glyph, void (ReplayBar::*request)());
    void layOut();
    void retranslate() final;

    ReplayState m_state;
    QLabel* m_badge;
    ElidedLabel* m_runs;
    QLabel* m_time;
    QToolButton* m_back;
    QToolButton* m_play;
    QToolButton* m_forward;
    QToolButton* m_message;
    QSlider* m_scrubber;
    QLabel* m_speedLabel;
    QComboBox* m_speed;
    QToolButton* m_leave;
};

} // namespace lockstep::ui
